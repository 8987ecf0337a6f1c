package main

import (
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"bgtrain/benchmark/score"
	"bgtrain/internal/stats"
)

// printBreakdown writes the error rates by game plan, theme and resulting class.
func (r *scoreReport) printBreakdown(out io.Writer) {
	for _, s := range r.all {
		for _, b := range []struct {
			title  string
			groups []score.Group
		}{
			{"plan of the player on roll", score.PlanGroups(s.file)},
			{"theme", score.ThemeGroups(s.file)},
			{"class after the best play", score.ResultGroups(s.file)},
		} {
			if len(b.groups) == 0 {
				continue
			}
			fmt.Fprintf(out, "\n%s, by %s:\n", filepath.Base(s.file.Name), b.title)
			w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
			fmt.Fprint(w, "\tdecisions\t")
			for _, p := range r.players {
				fmt.Fprintf(w, "%s\t± se\t", p.Name())
			}
			if s.compare != nil {
				fmt.Fprint(w, "difference\t± se\t")
			}
			fmt.Fprintln(w)
			for _, g := range b.groups {
				fmt.Fprintf(w, "%s\t", g.Name)
				for i := range r.players {
					sum := s.scores[i].SummaryOf(g.Include)
					if i == 0 {
						fmt.Fprintf(w, "%d\t", sum.Decisions)
					}
					fmt.Fprintf(w, "%.3f\t%.3f\t", sum.ER.Mean, sum.ER.SE)
				}
				if s.compare != nil {
					d := s.compare.DifferenceOf(g.Include)
					fmt.Fprintf(w, "%+.3f\t%.3f\t", d.Mean, d.SE)
				}
				fmt.Fprintln(w)
			}
			w.Flush()
			r.printWithin(out, &s, b.title, b.groups)
		}
	}
}

// printWorst lists single decisions: the worst, or where two players differ most.
func (r *scoreReport) printWorst(out io.Writer) {
	for _, s := range r.all {
		which := s.scores[0].Worst(r.o.worst)
		if s.compare != nil {
			which = s.compare.Largest(r.o.worst)
		}
		if len(which) == 0 {
			continue
		}
		fmt.Fprintln(out)
		for _, i := range which {
			rec := &s.file.Records[i]
			fmt.Fprintf(out, "%s:%d  %s  %d-%d  best %s", filepath.Base(s.file.Name), rec.Line, rec.Key.PositionID(),
				rec.Dice[0], rec.Dice[1], notation(rec, rec.Candidates[0].Key))
			for k := range r.players {
				d := &s.scores[k].Decisions[i]
				outside := ""
				if d.Out {
					outside = ", not listed"
				}
				fmt.Fprintf(out, ";  %s %s (%.4f%s)", r.players[k].Name(), notation(rec, d.Chosen), d.Loss, outside)
			}
			fmt.Fprintln(out)
		}
	}
}

func (r *scoreReport) printCubes(out io.Writer) {
	if len(r.cubes) == 0 {
		return
	}
	fmt.Fprintf(out, "\nCube decisions, cube life %v:\n", r.o.cubeLife)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "player\tpositions\tER\t± se\tdoubling\tanswer\twrong doubles\tmissed\twrong takes\twrong passes\t\n")
	for i, c := range r.cubes {
		fmt.Fprintf(w, "%s\t%d\t%.3f\t%.3f\t%.3f\t%.3f\t%d\t%d\t%d\t%d\t\n", r.players[i].Name(), c.Positions,
			c.ER.Mean, c.ER.SE,
			c.Double.Mean, c.Answer.Mean, c.WrongDoubles, c.MissedDoubles, c.WrongTakes, c.WrongPasses)
	}
	w.Flush()
}

var outputNames = [...]string{"win", "win gammon", "win backgammon", "lose gammon", "lose backgammon"}

func (r *scoreReport) printCalibration(out io.Writer) {
	for _, c := range r.calibration {
		noise := ""
		if c.Noise > 0 {
			noise = fmt.Sprintf(" (their own noise: %.5f points)", c.Noise)
		}
		fmt.Fprintf(out, "\n%s against the outputs of %d positions of %s%s:\n", c.Net, c.Positions, c.From, noise)
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprint(w, "\tpositions\tbias\tRMS\tmean absolute\t\n")
		row := func(name string, n int, e score.ErrorStat) {
			fmt.Fprintf(w, "%s\t%d\t%+.5f\t%.5f\t%.5f\t\n", name, n, e.Bias, e.RMS, e.MeanAbsolute)
		}
		row("equity", c.Positions, c.Equity)
		for _, name := range slices.Sorted(maps.Keys(c.Classes)) {
			row("in "+name, c.Classes[name].Positions, c.Classes[name].Equity)
		}
		for _, t := range c.Themes {
			row(t.String(), t.Positions, t.Equity)
		}
		for k, o := range c.Outputs {
			row(outputNames[k], c.Positions, o.Error)
		}
		w.Flush()
		if !r.o.calibration {
			continue
		}
		fmt.Fprintln(out, "\nwin, in bins of the prediction:")
		w = tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprint(w, "positions\tpredicted\trolled out\t± se\t\n")
		for _, b := range c.Outputs[0].Bins {
			fmt.Fprintf(w, "%d\t%.4f\t%.4f\t%.4f\t\n", b.Positions, b.Predicted, b.RolledOut.Mean, b.RolledOut.SE)
		}
		w.Flush()
	}
}

// scoreJSON is the result of `score --json`. What was not asked for is left out.
type scoreJSON struct {
	Net     string          `json:"net"`
	Ply     int             `json:"ply"`
	Files   []scoreFileJSON `json:"files"`
	Elapsed float64         `json:"elapsed_s"`

	Against     string             `json:"against,omitempty"`
	AgainstPly  *int               `json:"against_ply,omitempty"`
	Cube        []*score.CubeScore `json:"cube,omitempty"`
	Calibration []calibration      `json:"calibration,omitempty"`
}

type scoreFileJSON struct {
	File      string  `json:"file"`
	Class     string  `json:"class"`
	Decisions int     `json:"decisions"`
	ER        float64 `json:"er"`
	SE        float64 `json:"se"`
	Wrong     int     `json:"wrong"`
	Out       int     `json:"out"`

	Equity     *score.EquityError  `json:"equity_error,omitempty"`
	Against    *sumJSON            `json:"against,omitempty"`
	Difference *stats.Stat         `json:"er_difference,omitempty"`
	Within     *stats.Stat         `json:"within_difference,omitempty"`
	Plans      map[string][]byPart `json:"by_plan,omitempty"`
	Themes     map[string][]byPart `json:"by_theme,omitempty"`
	Results    map[string][]byPart `json:"by_resulting_class,omitempty"`
}

// sumJSON is the other player's result.
type sumJSON struct {
	ER     float64            `json:"er"`
	SE     float64            `json:"se"`
	Wrong  int                `json:"wrong"`
	Out    int                `json:"out"`
	Equity *score.EquityError `json:"equity_error,omitempty"`
}

// byPart is a player's result on part of the decisions.
type byPart struct {
	Decisions int                `json:"decisions"`
	ER        float64            `json:"er"`
	SE        float64            `json:"se"`
	Equity    *score.EquityError `json:"equity_error,omitempty"`
}

func (r *scoreReport) json() scoreJSON {
	net, ply, _ := splitPly(r.o.net, r.o.ply)
	j := scoreJSON{Net: net, Ply: ply, Files: []scoreFileJSON{}, Elapsed: seconds(r.elapsed), Cube: r.cubes,
		Calibration: r.calibration}
	if r.o.against != "" {
		name, ply, _ := splitPly(r.o.against, r.o.ply)
		j.Against, j.AgainstPly = name, &ply
	}
	for _, s := range r.all {
		sum := s.scores[0].Summary()
		f := scoreFileJSON{File: filepath.Base(s.file.Name), Class: s.file.Class().String(), Decisions: sum.Decisions,
			ER: sum.ER.Mean, SE: sum.ER.SE, Wrong: sum.Wrong, Out: sum.Out,
			Equity: s.equityOf(0, everyRecord)}
		if s.compare != nil {
			b := s.scores[1].Summary()
			f.Against = &sumJSON{b.ER.Mean, b.ER.SE, b.Wrong, b.Out, s.equityOf(1, everyRecord)}
			f.Difference, f.Within = &s.compare.Difference, s.withinDifference(everyRecord)
		}
		if r.o.breakdown {
			f.Plans = breakdownJSON(s, score.PlanGroups(s.file))
			f.Themes = breakdownJSON(s, score.ThemeGroups(s.file))
			f.Results = breakdownJSON(s, score.ResultGroups(s.file))
		}
		j.Files = append(j.Files, f)
	}
	return j
}

func breakdownJSON(s scored, groups []score.Group) map[string][]byPart {
	m := make(map[string][]byPart)
	for _, g := range groups {
		for i, sc := range s.scores {
			sum := sc.SummaryOf(g.Include)
			m[g.Name] = append(m[g.Name], byPart{sum.Decisions, sum.ER.Mean, sum.ER.SE, s.equityOf(i, g.Include)})
		}
	}
	return m
}
