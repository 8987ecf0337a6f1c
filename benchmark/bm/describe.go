package bm

import (
	"fmt"
	"io"
	"strings"

	"bgtrain/internal/bg"
)

// Description describes what is in a benchmark file.
type Description struct {
	Path       string   `json:"path"`
	Class      string   `json:"class"`
	Decisions  int      `json:"decisions"`
	Candidates float64  `json:"candidates_per_decision"`
	MeanWorst  float64  `json:"mean_largest_loss"` // points: what a play outside the candidates costs
	RolledOut  int      `json:"candidates_with_outputs"`
	Cubes      int      `json:"cube_decisions"`
	Settings   []string `json:"settings,omitempty"`

	Classes map[string]int `json:"classes"` // decisions by the class of their position
	Plans   map[string]int `json:"plans"`   // and by the mover's game plan, see PlanOf
	Loose   int            `json:"loose_outputs,omitempty"`
	Checked bool           `json:"digest"` // all lines have the digest that the file states
}

// Describe counts what is in a file.
func (f *File) Describe() Description {
	d := Description{Path: f.Name, Class: f.Class().String(), Decisions: len(f.Records), Cubes: len(f.Cubes),
		Settings: f.Settings,
		Classes:  map[string]int{}, Plans: map[string]int{}, Loose: len(f.Loose), Checked: f.Checked}
	candidates := 0
	for i := range f.Records {
		r := &f.Records[i]
		if b, err := r.Key.Board(); err == nil {
			d.Classes[bg.Classify(&b).String()]++
			d.Plans[bg.PlanOf(&b).String()]++
		}
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
	fmt.Fprintf(&b, "  %d checker-play decisions, %.1f candidates each (%d with rolled-out outputs), largest loss "+
		"%.3f on average\n",
		d.Decisions, d.Candidates, d.RolledOut, d.MeanWorst)
	row := func(name string, n int) {
		if n > 0 {
			fmt.Fprintf(&b, "    %-30s %7d\n", name, n)
		}
	}
	for c := range bg.NumClasses {
		row(c.String(), d.Classes[c.String()])
	}
	for p := range bg.NumPlans {
		row(p.String(), d.Plans[p.String()])
	}
	fmt.Fprintf(&b, "  %d cube decisions\n", d.Cubes)
	if !d.Checked {
		b.WriteString("  without a digest of all lines\n")
	}
	if d.Loose > 0 {
		fmt.Fprintf(&b, "  %d #R lines of no decision\n", d.Loose)
	}
	for _, s := range d.Settings {
		fmt.Fprintf(&b, "  settings: %s\n", s)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
