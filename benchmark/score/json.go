package score

import (
	"path/filepath"
	"time"

	"bgtrain/benchmark/bm"
	"bgtrain/benchmark/opponents"
	"bgtrain/internal/stats"
)

// Report is a judgment as JSON has it. What was not asked for is left out.
type Report struct {
	Net     string       `json:"net"`
	Ply     int          `json:"ply"`
	Files   []FileReport `json:"files"`
	Elapsed float64      `json:"elapsed_s"`

	Against     string           `json:"against,omitempty"`
	AgainstPly  *int             `json:"against_ply,omitempty"`
	Cube        []*CubeScore     `json:"cube,omitempty"`
	Calibration []NetCalibration `json:"calibration,omitempty"`
}

// Report returns the judgment of one or two players for JSON, with breakdown also by kinds of
// decisions.
func (r *Judgment) Report(names []opponents.Name, breakdown bool, elapsed time.Duration) *Report {
	j := &Report{Net: names[0].Base, Ply: names[0].Ply, Files: []FileReport{},
		Elapsed: elapsed.Round(time.Millisecond).Seconds(), Calibration: r.Calibrations}
	if len(names) > 1 {
		j.Against, j.AgainstPly = names[1].Base, &names[1].Ply
	}
	for i := range r.Files {
		j.Files = append(j.Files, r.Files[i].Report(breakdown))
	}
	j.Cube = r.Cubes
	return j
}

// FileReport is the judgment of a file as JSON has it.
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
