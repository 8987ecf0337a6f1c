package farm

import (
	"bufio"
	"fmt"
	"io"
	"time"

	"bgtrain/internal/stats"
)

// WriteText writes the status for people.
func (s *Status) WriteText(out io.Writer) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "%d runs\n", len(s.Runs))
	for _, r := range s.Runs {
		left := ""
		if r.Left >= 0 {
			left = fmt.Sprintf(", %v left", time.Duration(r.Left)*time.Second)
		}
		fmt.Fprintf(w, "  %.8s  %s\n            %d of %d chunks done, %d running, %d waiting, %d to be "+
			"taken, %d failed, %d audited; %s a second%s\n",
			r.Run, r.Name, r.Done, r.Chunks, r.Running, r.Waiting, r.Parts, r.Failed, r.Audited, stats.Rate(r.Rate), left)
		if r.Silent > 30 {
			fmt.Fprintf(w, "            its command has been silent for %s\n",
				time.Duration(r.Silent)*time.Second)
		}
	}
	fmt.Fprintf(w, "%d workers\n", len(s.Workers))
	for _, worker := range s.Workers {
		fmt.Fprintf(w, "  %-40s %-7s %d of %d slots busy, %d chunks, %s a second\n", worker.Worker, worker.Tier,
			worker.Busy, worker.Slots, worker.Done, stats.Rate(worker.Rate))
		for run, why := range worker.Refused {
			fmt.Fprintf(w, "            not run %.8s: %s\n", run, why)
		}
	}
	return w.Flush()
}
