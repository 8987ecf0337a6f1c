package score

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"bgtrain/internal/bg"
	"bgtrain/internal/stats"
)

// Detail describes what WriteText shows besides sums.
type Detail struct {
	Breakdown bool // the decisions by game plan, theme and class after the best play
	Worst     int  // so many single decisions of each file
	Bins      bool // of a calibration, the chances to win by the prediction
}

// WriteText writes the judgment for people.
func (r *Judgment) WriteText(out io.Writer, d Detail) error {
	w := bufio.NewWriter(out)
	r.writeScores(w)
	r.writeEquities(w)
	for i := range r.Files {
		r.writeCompared(w, &r.Files[i])
	}
	if d.Breakdown {
		for i := range r.Files {
			r.writeBreakdown(w, &r.Files[i])
		}
	}
	for i := range r.Files {
		r.writeWorst(w, &r.Files[i], d.Worst)
	}
	r.writeCubes(w)
	for i := range r.Calibrations {
		r.Calibrations[i].write(w, d.Bins)
	}
	r.writeChoices(w)
	return w.Flush()
}

// name is the file's name without its folder.
func (s *FileJudgment) name() string { return filepath.Base(s.File.Name) }

// short is the name of a player without the ending of its file, so that tables have room in
// 80 columns.
func short(player string) string { return strings.Replace(player, ".safetensors:", ":", 1) }

// table returns a table of columns that end with tabs, their titles in it.
func table(out io.Writer, titles string) *tabwriter.Writer {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, titles)
	return w
}

// writeScores writes a line a player and file that has plays to decide.
func (r *Judgment) writeScores(out io.Writer) {
	if !slices.ContainsFunc(r.Files, func(s FileJudgment) bool { return len(s.File.Records) > 0 }) {
		return
	}
	w := table(out, "player\tfile\tclass\tdecisions\tER\t± se\twrong\tout\ttotal\t\n")
	for i, p := range r.Players {
		for k := range r.Files {
			s := &r.Files[k]
			if len(s.File.Records) == 0 {
				continue
			}
			sum := s.Scores[i].Summary()
			fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%.3f\t%.3f\t%d\t%d\t%.4f\t\n", short(p.Name()), s.name(), s.File.Class(),
				sum.Decisions, sum.ER.Mean, sum.ER.SE, sum.Wrong, sum.Out, sum.Total)
		}
	}
	w.Flush()
}

// writeEquities writes how far the players' equities are from the rollouts'.
func (r *Judgment) writeEquities(out io.Writer) {
	var w *tabwriter.Writer
	for i, p := range r.Players {
		for k := range r.Files {
			e := r.Files[k].EquityOf(i, Every)
			if e == nil {
				continue
			}
			if w == nil {
				fmt.Fprintln(out, "\nRms error of the candidates' equities in points, in all and within a decision:")
				w = table(out, "player\tfile\tdecisions\tcandidates\trms\t± se\twithin\t± se\t\n")
			}
			fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%.5f\t%.5f\t%.5f\t%.5f\t\n", short(p.Name()), r.Files[k].name(), e.Decisions,
				e.Candidates, e.RMS, e.RMSSE, e.Within, e.WithinSE)
		}
	}
	if w != nil {
		w.Flush()
	}
}

// writeCompared sets the first two players side by side.
func (r *Judgment) writeCompared(w io.Writer, s *FileJudgment) {
	if s.Compared == nil {
		return
	}
	names := fmt.Sprintf("%s: %s less %s", s.name(), short(r.Players[0].Name()), short(r.Players[1].Name()))
	if c := s.Compared; len(s.File.Records) > 0 {
		fmt.Fprintf(w, "\n%s: ER %+.3f ± %.3f; same play %d, better %d, worse %d\n", names, c.Difference.Mean,
			c.Difference.SE, c.Same, c.Better, c.Worse)
	}
	if d := s.WithinLess(Every); d != nil {
		fmt.Fprintf(w, "%s: rms error within a decision %+.5f ± %.5f\n", names, d.Mean, d.SE)
	}
}

// writeChoices writes what players would choose among the plays of a roll in a database.
func (r *Judgment) writeChoices(out io.Writer) {
	var w *tabwriter.Writer
	for i := range r.Calibrations {
		c := &r.Calibrations[i]
		if c.Choices == nil {
			continue
		}
		if w == nil {
			fmt.Fprintln(out, "\nChoice among neighbors that plays of one roll lead to, and rms error within a decision:")
			w = table(out, "player\tdatabase\tdecisions\tcandidates\tER\t± se\twrong\twithin\t± se\t\n")
		}
		e := &c.Choices.Equity
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%.3f\t%.3f\t%d\t%.5f\t%.5f\t\n", short(c.Player), filepath.Base(c.From),
			e.Decisions, e.Candidates, c.Choices.ER.Mean, c.Choices.ER.SE, c.Choices.Wrong, e.Within, e.WithinSE)
	}
	if w != nil {
		w.Flush()
	}
}

// writeBreakdown writes error rates and equity errors by kinds of decisions.
func (r *Judgment) writeBreakdown(w io.Writer, s *FileJudgment) {
	for _, b := range []struct {
		title  string
		groups []Group
	}{
		{"plan of the player on roll", PlanGroups(s.File)},
		{"theme", ThemeGroups(s.File)},
		{"class after the best play", ResultGroups(s.File)},
	} {
		if len(b.groups) == 0 {
			continue
		}
		r.writeGroups(w, fmt.Sprintf("%s, by %s", s.name(), b.title), b.groups, 3,
			func(player int, include func(int) bool) (stats.Stat, int) {
				sum := s.Scores[player].SummaryOf(include)
				return sum.ER, sum.Decisions
			}, func(include func(int) bool) *stats.Stat {
				if s.Compared == nil {
					return nil
				}
				d := s.Compared.DifferenceOf(include)
				return &d
			})
		r.writeGroups(w, fmt.Sprintf("%s, rms error within a decision, by %s", s.name(), b.title), b.groups, 4,
			func(player int, include func(int) bool) (stats.Stat, int) {
				if e := s.EquityOf(player, include); e != nil {
					return stats.Stat{Mean: e.Within, SE: e.WithinSE}, e.Decisions
				}
				return stats.Stat{}, 0
			}, s.WithinLess)
	}
}

// writeGroups writes a line a group: its decisions, a figure of each player who has it,
// and less, how much more the first has than the second, where that is not nil.
func (r *Judgment) writeGroups(out io.Writer, title string, groups []Group, decimals int,
	of func(player int, include func(int) bool) (stats.Stat, int), less func(include func(int) bool) *stats.Stat) {
	var players []int
	titles := "\tdecisions\t"
	for i, p := range r.Players {
		if _, n := of(i, Every); n > 0 {
			players = append(players, i)
			titles += short(p.Name()) + "\t± se\t"
		}
	}
	if len(players) == 0 {
		return
	}
	if less(Every) != nil {
		titles += "difference\t± se\t"
	}
	fmt.Fprintf(out, "\n%s:\n", title)
	w := table(out, titles+"\n")
	for _, g := range groups {
		_, n := of(players[0], g.Include)
		if n == 0 {
			continue
		}
		fmt.Fprintf(w, "%s\t%d\t", g.Name, n)
		for _, i := range players {
			v, _ := of(i, g.Include)
			fmt.Fprintf(w, "%.*f\t%.*f\t", decimals, v.Mean, decimals, v.SE)
		}
		if d := less(g.Include); d != nil {
			fmt.Fprintf(w, "%+.*f\t%.*f\t", decimals, d.Mean, decimals, d.SE)
		}
		fmt.Fprintln(w)
	}
	w.Flush()
}

// writeWorst lists single decisions: the worst, or where two players differ most.
func (r *Judgment) writeWorst(w io.Writer, s *FileJudgment, n int) {
	which := s.Scores[0].Worst(n)
	if s.Compared != nil {
		which = s.Compared.Largest(n)
	}
	if len(which) > 0 {
		fmt.Fprintln(w)
	}
	for _, i := range which {
		rec := &s.File.Records[i]
		fmt.Fprintf(w, "%s:%d  %s  %d-%d  best %s", s.name(), rec.Line, rec.Key.PositionID(), rec.Dice[0],
			rec.Dice[1], rec.Notation(rec.Candidates[0].Key))
		for k, p := range r.Players {
			d := &s.Scores[k].Decisions[i]
			outside := ""
			if d.Out {
				outside = ", not listed"
			}
			fmt.Fprintf(w, ";  %s %s (%.4f%s)", short(p.Name()), rec.Notation(d.Chosen), d.Loss, outside)
		}
		fmt.Fprintln(w)
	}
}

func (r *Judgment) writeCubes(out io.Writer) {
	if len(r.Cubes) == 0 {
		return
	}
	fmt.Fprintln(out, "\nCube decisions:")
	w := table(out, "player\tmodel\tpositions\tER\t± se\tdoubling\tanswer\twrong doubles\tmissed\twrong takes\t"+
		"wrong passes\t\n")
	for _, c := range r.Cubes {
		fmt.Fprintf(w, "%s\t%s\t%d\t%.3f\t%.3f\t%.3f\t%.3f\t%d\t%d\t%d\t%d\t\n", short(c.Player), c.Model, c.Positions,
			c.ER.Mean, c.ER.SE, c.Double.Mean, c.Answer.Mean, c.WrongDoubles, c.MissedDoubles, c.WrongTakes,
			c.WrongPasses)
	}
	w.Flush()
}

// write writes the errors of the outputs, and the chances to win in bins.
func (c *NetCalibration) write(out io.Writer, bins bool) {
	noise := ""
	if c.Noise > 0 {
		noise = fmt.Sprintf(" (their own noise: %.5f points)", c.Noise)
	}
	fmt.Fprintf(out, "\n%s against the outputs of %d positions of %s%s:\n", short(c.Player), c.Positions, c.From, noise)
	w := table(out, "\tpositions\tbias\tRMS\t± se\tmean absolute\t\n")
	row := func(name string, n int, e ErrorStat) {
		fmt.Fprintf(w, "%s\t%d\t%+.5f\t%.5f\t%.5f\t%.5f\t\n", name, n, e.Bias, e.RMS, e.RMSSE, e.MeanAbsolute)
	}
	row("equity", c.Positions, c.Equity)
	for _, name := range slices.Sorted(maps.Keys(c.Classes)) {
		row("in "+name, c.Classes[name].Positions, c.Classes[name].Equity)
	}
	for _, t := range c.Themes {
		row(t.String(), t.Positions, t.Equity)
	}
	for k, o := range c.Outputs {
		row(bg.OutputNames[k], c.Positions, o.Error)
	}
	w.Flush()
	if !bins {
		return
	}
	fmt.Fprintln(out, "\nwin, in bins of the prediction:")
	w = table(out, "positions\tpredicted\trolled out\t± se\t\n")
	for _, b := range c.Outputs[0].Bins {
		fmt.Fprintf(w, "%d\t%.4f\t%.4f\t%.4f\t\n", b.Positions, b.Predicted, b.RolledOut.Mean, b.RolledOut.SE)
	}
	w.Flush()
}
