package cubelife

import (
	"bufio"
	"fmt"
	"io"

	"bgtrain/internal/cube/life"
)

// WriteText writes the report for people.
func (r *Report) WriteText(out io.Writer) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "%d games, %d positions; rms of equities\n", r.Games, r.Turns)
	fmt.Fprintf(w, "round  labels less model before")
	for _, name := range life.KindNames {
		fmt.Fprintf(w, "  %8s", name)
	}
	fmt.Fprintln(w)
	for i := range r.Rounds {
		fmt.Fprintf(w, "%5d  %24.5f", i+1, r.Rounds[i].Before)
		for _, rms := range r.Rounds[i].Fitted {
			fmt.Fprintf(w, "  %8.5f", rms)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}
