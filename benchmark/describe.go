package benchmark

import (
	"fmt"
	"io"
	"strings"
)

// Description says what is in a benchmark file.
type Description struct {
	Path       string   `json:"path"`
	Class      string   `json:"class"`
	Decisions  int      `json:"decisions"`
	Candidates float64  `json:"candidates_per_decision"`
	MeanWorst  float64  `json:"mean_largest_loss"` // points: what a play outside the candidates costs
	RolledOut  int      `json:"candidates_with_outputs"`
	Cubes      int      `json:"cube_decisions"`
	Settings   []string `json:"settings,omitempty"`
}

// Describe counts what is in a file.
func (f *File) Describe() Description {
	d := Description{Path: f.Name, Class: f.Class().String(), Decisions: len(f.Records), Cubes: len(f.Cubes), Settings: f.Settings}
	candidates := 0
	for i := range f.Records {
		r := &f.Records[i]
		candidates += len(r.Candidates)
		d.MeanWorst += r.OutLoss()
		for k := range r.Candidates {
			if r.Candidates[k].RolledOut {
				d.RolledOut++
			}
		}
	}
	if n := float64(len(f.Records)); n > 0 {
		d.Candidates = float64(candidates) / n
		d.MeanWorst /= n
	}
	return d
}

// WriteText writes the description for people.
func (d Description) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: benchmark, %s\n", d.Path, d.Class)
	fmt.Fprintf(&b, "  %d checker-play decisions, %.1f candidates each (%d with rolled-out outputs), largest loss %.3f on average\n",
		d.Decisions, d.Candidates, d.RolledOut, d.MeanWorst)
	fmt.Fprintf(&b, "  %d cube decisions\n", d.Cubes)
	for _, s := range d.Settings {
		fmt.Fprintf(&b, "  settings: %s\n", s)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
