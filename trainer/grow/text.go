package grow

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"

	"bgtrain/internal/stats"
)

// MarshalJSON is the stage with what it will take, as a line of a plan.
func (p Planned) MarshalJSON() ([]byte, error) {
	s := p.Stage
	return json.Marshal(struct {
		Round   int     `json:"round"`
		Stage   string  `json:"stage"`
		Count   int     `json:"count"` // positions, games, candidates or parts
		Units   string  `json:"units"`
		Rows    int     `json:"rows"`
		Bytes   int64   `json:"bytes"`
		Seconds float64 `json:"seconds"`
		Made    bool    `json:"made"`
		Command string  `json:"command"`
	}{s.Round, string(s.Kind), s.Total, s.Units, s.Rows, p.Bytes, p.Seconds, p.Made, s.Command})
}

// WriteText writes a line a stage, and what all take.
func (s Schedule) WriteText(out io.Writer) error {
	w := bufio.NewWriter(out)
	var bytes int64
	seconds := 0.0
	for i := range s {
		p := &s[i]
		bytes, seconds = bytes+p.Bytes, seconds+p.Seconds
		made := ""
		if p.Made {
			made = ", made"
		}
		fmt.Fprintf(w, "%-22s %9d %-10s %9d rows %8s %8v%s\n", p.Stage.Label(), p.Stage.Total, p.Stage.Units,
			p.Stage.Rows, stats.Bytes(p.Bytes), stats.Seconds(p.Seconds), made)
	}
	fmt.Fprintf(w, "about %s on disk, and %s on this machine as it is now\n", stats.Bytes(bytes), stats.Seconds(seconds))
	return w.Flush()
}

// WriteCommands writes the command of each stage, for a shell.
func (s Schedule) WriteCommands(out io.Writer) error {
	w := bufio.NewWriter(out)
	for i := range s {
		of := s[i].Stage
		fmt.Fprintf(w, "# %s\nmkdir -p %s\n%s\n", of.Label(), filepath.Dir(of.File("x")), of.Command)
	}
	return w.Flush()
}

// WriteText writes what came of the run in a directory, a line a round.
func (l *Log) WriteText(out io.Writer, dir string) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "%5s %9s %10s %9s %15s %7s %17s\n", "round", "time", "processors", "rows", "ER", "within", "points")
	for i := range l.Rounds {
		r := &l.Rounds[i]
		errors := ""
		if r.ERSE > 0 {
			errors = fmt.Sprintf("%6.2f ± %-6.2f %7.4f", r.ER, r.ERSE, r.Within)
		}
		fmt.Fprintf(w, "%5d %9s %10s %9d %-23s %+.4f ± %.4f against %s", r.Round, stats.Seconds(r.Seconds),
			stats.Seconds(r.ProcessorSeconds), r.Rows, errors, r.Points, r.PointsSE, r.Against)
		if !r.Passed {
			fmt.Fprint(w, ", not passed")
		}
		fmt.Fprintln(w)
		for _, p := range r.Others {
			fmt.Fprintf(w, "%62s%+.4f ± %.4f against %s\n", "", p.Points.Mean, p.Points.SE, filepath.Base(p.Against))
		}
	}
	fmt.Fprintf(w, "%s is the best player; %s repeats the run\n", filepath.Join(dir, BestFile),
		filepath.Join(dir, RecipeFile))
	return w.Flush()
}

// WriteText writes the comparison for people.
func (c *Comparison) WriteText(out io.Writer) error {
	w := bufio.NewWriter(out)
	for _, line := range c.Changed {
		fmt.Fprintln(w, line)
	}
	fmt.Fprintf(w, "%-40s %s\n", "", c.dirs[1]+" less "+c.dirs[0])
	fmt.Fprintf(w, "%-40s %+9.4f ± %.4f\n", "points a game less luck", c.Points.Mean, c.Points.SE)
	for _, s := range c.Sets {
		of := fmt.Sprintf("%d decisions of %s", s.Decisions, s.Of)
		fmt.Fprintf(w, "%-40s %+9.4f ± %.4f\n", "ER, "+of, s.ER.Mean, s.ER.SE)
		fmt.Fprintf(w, "%-40s %+9.5f ± %.5f\n", "within, "+of, s.Within.Mean, s.Within.SE)
	}
	fmt.Fprintf(w, "%-40s %+9.0f\n", "seconds", c.Seconds[1]-c.Seconds[0])
	fmt.Fprintf(w, "%-40s %+9.0f\n", "seconds of processors", c.ProcessorSeconds[1]-c.ProcessorSeconds[0])
	return w.Flush()
}
