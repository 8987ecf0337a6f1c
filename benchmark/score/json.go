package score

import (
	"path/filepath"

	"bgtrain/benchmark/bm"
	"bgtrain/internal/stats"
)

// FileReport is the judgment of a file as JSON has it. What was not asked for is left
// out.
type FileReport struct {
	File      string `json:"file"`
	Class     string `json:"class"`
	Decisions int    `json:"decisions"`
	sumReport

	Against    *sumReport              `json:"against,omitempty"`
	Difference *stats.Stat             `json:"er_difference,omitempty"`
	Within     *stats.Stat             `json:"within_difference,omitempty"`
	Plans      map[string][]partReport `json:"by_plan,omitempty"`
	Themes     map[string][]partReport `json:"by_theme,omitempty"`
	Results    map[string][]partReport `json:"by_resulting_class,omitempty"`
}

// sumReport is a player's result on a file.
type sumReport struct {
	ER     float64      `json:"er"`
	SE     float64      `json:"se"`
	Wrong  int          `json:"wrong"`
	Out    int          `json:"out"`
	Equity *EquityError `json:"equity_error,omitempty"`
}

// partReport is a player's result on part of the decisions.
type partReport struct {
	Decisions int          `json:"decisions"`
	ER        float64      `json:"er"`
	SE        float64      `json:"se"`
	Equity    *EquityError `json:"equity_error,omitempty"`
}

// Report returns the judgment for JSON, with breakdown also by kinds of decisions.
func (s *FileJudgment) Report(breakdown bool) FileReport {
	f := FileReport{File: filepath.Base(s.File.Name), Class: s.File.Class().String(), Decisions: len(s.File.Records),
		sumReport: s.sum(0)}
	if s.Compared != nil {
		other := s.sum(1)
		f.Against, f.Difference, f.Within = &other, &s.Compared.Difference, s.WithinLess(Every)
	}
	if breakdown {
		f.Plans, f.Themes, f.Results = s.parts(PlanGroups), s.parts(ThemeGroups), s.parts(ResultGroups)
	}
	return f
}

func (s *FileJudgment) sum(player int) sumReport {
	sum := s.Scores[player].Summary()
	return sumReport{sum.ER.Mean, sum.ER.SE, sum.Wrong, sum.Out, s.EquityOf(player, Every)}
}

func (s *FileJudgment) parts(groups func(*bm.File) []Group) map[string][]partReport {
	m := make(map[string][]partReport)
	for _, g := range groups(s.File) {
		for i, sc := range s.Scores {
			sum := sc.SummaryOf(g.Include)
			m[g.Name] = append(m[g.Name], partReport{sum.Decisions, sum.ER.Mean, sum.ER.SE, s.EquityOf(i, g.Include)})
		}
	}
	return m
}
