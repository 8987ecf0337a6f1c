package makebm

import (
	"fmt"
	"io"

	"bgtrain/internal/bg"
	"bgtrain/internal/stats"
	"bgtrain/rollout/selfplay"
)

// Report describes how a benchmark was made. File.Make alone fills in the fields about files
// and time.
type Report struct {
	Output     string         `json:"output"`
	Decisions  int            `json:"decisions"`
	Classes    map[string]int `json:"classes"`          // decisions by class
	Themes     map[string]int `json:"themes,omitempty"` // by theme, where they are counted by it
	Games      int            `json:"games"`
	Left       int            `json:"left_out,omitempty"` // of the decisions given
	Candidates int            `json:"candidates"`
	Trials     int            `json:"trials"` // of all rollouts
	SE         float64        `json:"se"`     // mean, of what a candidate is behind the best, points; 0 of exact ones
	WorstSE    float64        `json:"worst_se"`
	Elapsed    float64        `json:"elapsed_s"` // of this run

	given bool
}

// report begins the report with what was found.
func (m *maker) report() Report {
	r := Report{Decisions: len(m.j.decisions), Classes: map[string]int{}, Themes: map[string]int{}, Games: m.j.games}
	for _, c := range Classes {
		if n := m.classes[c]; n > 0 {
			r.Classes[c.String()] = n
		}
	}
	for t := range bg.NumThemes {
		if n := m.count[t]; n > 0 && m.s.byTheme() {
			r.Themes[t.String()] = n
		}
	}
	return r
}

// WriteText writes the report for people.
func (r *Report) WriteText(w io.Writer) error {
	of := "of " + stats.Count(r.Games, "game", "games")
	if r.given {
		of = fmt.Sprintf("given, %d left out", r.Left)
	}
	fmt.Fprintf(w, "%s: %s %s, %s, in %.1f s\n  standard error of differences %.4f on average, %.4f at most\n", r.Output,
		stats.Count(r.Decisions, "decision", "decisions"), of, stats.Count(r.Candidates, "candidate", "candidates"),
		r.Elapsed, r.SE, r.WorstSE)
	if err := selfplay.WriteCounts(w, "class", r.Classes); err != nil || len(r.Themes) == 0 {
		return err
	}
	return selfplay.WriteCounts(w, "theme", r.Themes)
}
