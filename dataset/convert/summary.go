package convert

import (
	"fmt"
	"io"
	"strings"

	"bgtrain/dataset"
	"bgtrain/dataset/matchfile"
	"bgtrain/internal/bg"
	"bgtrain/internal/stats"
)

// Summary describes what an import, export or merge did.
type Summary struct {
	Output  string           `json:"output"`
	Rows    int64            `json:"rows"`
	Classes map[string]int64 `json:"classes"`
	Bad     map[string]int64 `json:"bad,omitzero"` // rows left out, by what is wrong; nil of matches
	Dropped int64            `json:"duplicates_dropped"`
	*Played

	report dataset.Report
}

// Played is what only an import of matches counts.
type Played struct {
	Matches   int64 `json:"matches"`
	Games     int64 `json:"games"`
	Plays     int64 `json:"plays"`
	Decisions int64 `json:"decisions,omitempty"`
	CutShort  int64 `json:"games_cut_short"`

	first *matchfile.Problem // of the games cut short
}

// Summarize returns the summary of what a report counts.
func Summarize(out string, r dataset.Report) *Summary {
	s := &Summary{Output: out, Rows: r.Rows, Classes: map[string]int64{}, Bad: r.Bad.Map(), Dropped: r.Dropped, report: r}
	for c := bg.Contact; c > bg.Over; c-- {
		s.Classes[c.String()] = r.Classes[c]
	}
	return s
}

func summarizeMatches(out string, r *matchfile.Report) *Summary {
	s := Summarize(out, dataset.Report{Rows: r.Rows, Classes: r.Classes, Dropped: r.Dropped})
	s.Bad = nil
	s.Played = &Played{r.Matches, r.Games, r.Plays, r.Decisions, r.Problems, r.First}
	return s
}

// WriteText writes the summary for people.
func (s *Summary) WriteText(w io.Writer) error {
	var b, classes strings.Builder
	if p := s.Played; p != nil {
		legal := ", all legal"
		if p.CutShort > 0 {
			legal = " before what is not legal"
		}
		fmt.Fprintf(&b, "%s, %s, %s%s\n", stats.Count(p.Matches, "match", "matches"),
			stats.Count(p.Games, "game", "games"), stats.Count(p.Plays, "play", "plays"), legal)
	}
	for c := bg.Contact; c > bg.Over; c-- {
		if n := s.report.Classes[c]; n > 0 {
			fmt.Fprintf(&classes, ", %v %d", c, n)
		}
	}
	fmt.Fprintf(&b, "%s: %s", s.Output, stats.Count(s.Rows, "position", "positions"))
	if classes.Len() > 0 {
		fmt.Fprintf(&b, " (%s)", classes.String()[2:])
	}
	b.WriteByte('\n')
	if n := s.report.Bad.Total(); n > 0 {
		fmt.Fprintf(&b, "left out %s (%v)\n", stats.Count(n, "bad row", "bad rows"), &s.report.Bad)
	}
	if s.Dropped > 0 {
		fmt.Fprintf(&b, "left out %s\n", stats.Count(s.Dropped, "duplicate position", "duplicate positions"))
	}
	if p := s.Played; p != nil && p.CutShort > 0 {
		fmt.Fprintf(&b, "left out the rest of %s; the first: %v\n", stats.Count(p.CutShort, "game", "games"), p.first)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
