package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"bgtrain/internal/bg"
	"bgtrain/internal/stats"
	"bgtrain/trainer/curve"
	"bgtrain/trainer/grow"
)

// GrownHTML defines the template "grown", which shows a Grown.
//
//go:embed grown.html
var GrownHTML string

// GrownRun is a run of grow that is shown.
type GrownRun struct {
	Name    string
	Seen    *grow.Seen
	Problem error // why it could not be read; Seen is nil then
}

// ReadGrown reads the runs in directories. Those that share a name are called by their
// paths.
func ReadGrown(dirs []string) []GrownRun {
	shared := map[string]int{}
	for _, dir := range dirs {
		shared[grow.RunName(dir)]++
	}
	var runs []GrownRun
	for _, dir := range dirs {
		r := GrownRun{Name: grow.RunName(dir)}
		if shared[r.Name] > 1 {
			r.Name = dir
		}
		r.Seen, r.Problem = grow.Look(dir)
		runs = append(runs, r)
	}
	return runs
}

// Grown is runs of grow, ready to be shown: their strength against time over each
// other, in what their recipes differ, and the rounds and decisions of each.
type Grown struct {
	Curves      []grownCurves
	Names       []grownName // of several runs
	Last        *grownTable // their newest players
	Differences []grow.Difference
	NoRecipe    string // runs whose recipe is not known
	Runs        []grownView
}

// grownCurves are the curves by one clock.
type grownCurves struct {
	Clock grow.Clock
	Plots []template.HTML
}

// grownName is an entry of the legend.
type grownName struct{ Name, Color string }

// grownTable is a table whose first column names its rows. A cell has a value, and
// perhaps its standard error.
type grownTable struct {
	Caption, About string
	Heads          []string
	Rows           []grownRow
}

type grownRow struct {
	Name  string
	Cells []grownCell
}

type grownCell struct{ Value, SE, Mark string }

// grownView is one run.
type grownView struct {
	Name, State, Problem string
	Players              []grownPlayer
	Rounds               *grownTable
	Decisions            []decisionView
	Measured             []*grownTable // what is left to learn, and biases
}

// grownPlayer is a player that passed, and those that were to follow it and did not.
type grownPlayer struct {
	Name, Gain string
	Newest     bool
	Failed     []grownPlayer
}

// decisionView is a decision after a round.
type decisionView struct{ Round, What, Change, Reason string }

// ViewGrown makes runs ready to be shown, with curves by each of the clocks. The time
// now, if not zero, shows how long ago each was written to.
func ViewGrown(runs []GrownRun, now time.Time, clocks ...grow.Clock) (*Grown, error) {
	g := &Grown{}
	var names []string
	var logs []*grow.Log
	for i, r := range runs {
		log := &grow.Log{} // of a run that cannot be read, whose color stays
		if r.Seen != nil {
			log = r.Seen.Log
		}
		names, logs = append(names, r.Name), append(logs, log)
		g.Runs = append(g.Runs, viewGrownRun(&r, now))
		if len(runs) > 1 {
			g.Names = append(g.Names, grownName{r.Name, curve.Color(i)})
		}
	}
	for _, c := range clocks {
		curves := grownCurves{Clock: c}
		for _, chart := range grow.Charts(names, logs, c) {
			plot, err := drawGrown(chart)
			if err != nil {
				return nil, err
			}
			curves.Plots = append(curves.Plots, plot)
		}
		if len(curves.Plots) > 0 {
			g.Curves = append(g.Curves, curves)
		}
	}
	if len(runs) > 1 {
		g.Last = lastRounds(names, logs)
		g.differences(runs)
	}
	return g, nil
}

// drawGrown draws a chart of runs; the legend has their names.
func drawGrown(c curve.Chart) (template.HTML, error) {
	label := fmt.Sprintf("Strength %s by %s.%s", c.Title, c.X, lastValues(&c))
	for i := range c.Series {
		c.Series[i].Name = ""
	}
	return drawPlot(label, c)
}

// differences compares the recipes that are known.
func (g *Grown) differences(runs []GrownRun) {
	var texts, unknown []string
	var of []int
	for i, r := range runs {
		if r.Seen == nil || r.Seen.Recipe == "" {
			unknown = append(unknown, r.Name)
			continue
		}
		texts, of = append(texts, r.Seen.Recipe), append(of, i)
	}
	g.NoRecipe = strings.Join(unknown, ", ")
	for _, d := range grow.Differences(texts) {
		lines := make([]string, len(runs))
		for k, i := range of {
			lines[i] = d.Lines[k]
		}
		g.Differences = append(g.Differences, grow.Difference{Where: d.Where, Lines: lines})
	}
}

// quietFor is how long after it was last written to a run still counts as under way.
const quietFor = 5 * time.Minute

func viewGrownRun(r *GrownRun, now time.Time) grownView {
	v := grownView{Name: r.Name}
	if r.Problem != nil {
		v.Problem = r.Problem.Error()
		return v
	}
	log := r.Seen.Log
	v.State = grownState(r.Seen, now)
	if len(log.Rounds) == 0 {
		return v
	}
	v.Players = lineage(log)
	v.Rounds = roundsTable(log)
	v.Measured = measuredTables(log)
	for _, d := range log.Decisions {
		change := ""
		if d.To != nil {
			change = settingText(d.From) + " → " + settingText(d.To)
		}
		v.Decisions = append(v.Decisions, decisionView{fmt.Sprint(d.Round), d.Decision, change, d.Reason})
	}
	return v
}

// grownState says how far a run is.
func grownState(s *grow.Seen, now time.Time) string {
	if end := s.Log.End(); end != nil {
		return "finished: " + end.Reason
	}
	where := "before the first round"
	if n := len(s.Log.Rounds); n > 0 {
		where = fmt.Sprintf("round %d", s.Log.Rounds[n-1].Round+1)
	}
	if s.Stage != "" {
		where += ", " + string(s.Stage)
	}
	age := now.Sub(s.Wrote).Round(time.Second)
	switch {
	case now.IsZero():
		return "not finished: " + where
	case age < quietFor:
		return fmt.Sprintf("under way: %s; written to %v ago", where, max(age, 0))
	}
	return fmt.Sprintf("not finished, %s; last written to %v ago: the same command goes on", where, age)
}

// lineage returns the players that passed, each trained on from the one before it.
func lineage(log *grow.Log) []grownPlayer {
	players := []grownPlayer{{Name: "start"}}
	for i := range log.Rounds {
		r := &log.Rounds[i]
		p := grownPlayer{Name: fmt.Sprintf("round %d", r.Round), Gain: signed(r.Points, 3)}
		last := &players[len(players)-1]
		if r.Passed {
			players = append(players, p)
		} else {
			last.Failed = append(last.Failed, p)
		}
	}
	players[len(players)-1].Newest = true
	return players
}

// opponentsOf returns whom players of the runs played besides the round before.
func opponentsOf(logs ...*grow.Log) (names []string) {
	for _, l := range logs {
		for i := range l.Rounds {
			for _, o := range l.Rounds[i].Others {
				if !slices.Contains(names, o.Against) {
					names = append(names, o.Against)
				}
			}
		}
	}
	return names
}

// figureHeads name what figures returns.
func figureHeads(opponents []string) []string {
	heads := []string{"wall time", "processors ÷ 2", "rows", "ER", "within"}
	for _, o := range opponents {
		heads = append(heads, "against "+grow.OpponentName(o))
	}
	return heads
}

// figures are a round's time, rows and strength.
func figures(r *grow.RoundLine, opponents []string) []grownCell {
	cells := []grownCell{{Value: lasted(grow.Wall.Seconds(r))}, {Value: lasted(grow.Processors.Seconds(r))},
		{Value: thousands(r.Rows)}, {Value: "–"}, {Value: "–"}}
	if r.ERSE > 0 {
		cells[3] = grownCell{Value: fmt.Sprintf("%.2f", r.ER), SE: fmt.Sprintf("%.2f", r.ERSE)}
		cells[4] = grownCell{Value: fmt.Sprintf("%.4f", r.Within)}
	}
	for _, o := range opponents {
		cell := grownCell{Value: "–"}
		if i := slices.IndexFunc(r.Others, func(p grow.Played) bool { return p.Against == o }); i >= 0 {
			cell = pointsCell(r.Others[i].Points, 4)
		}
		cells = append(cells, cell)
	}
	return cells
}

// roundsTable is a run's rounds.
func roundsTable(log *grow.Log) *grownTable {
	opponents := opponentsOf(log)
	t := &grownTable{Caption: "Rounds", About: "Points are a game, less luck; ER is millipoints a decision, " +
		"within the rms error of equities within a decision, in points.",
		Heads: append([]string{"round", "began with", "gain on it", "passed"}, figureHeads(opponents)...)}
	for i := range log.Rounds {
		r := &log.Rounds[i]
		passed := grownCell{Value: "yes"}
		if !r.Passed {
			passed = grownCell{Value: "no", Mark: "worse"}
		}
		cells := []grownCell{{Value: r.Against}, pointsCell(stats.Stat{Mean: r.Points, SE: r.PointsSE}, 4), passed}
		t.Rows = append(t.Rows, grownRow{fmt.Sprint(r.Round), append(cells, figures(r, opponents)...)})
	}
	return t
}

// lastRounds is the newest players of runs.
func lastRounds(names []string, logs []*grow.Log) *grownTable {
	opponents := opponentsOf(logs...)
	t := &grownTable{Caption: "Newest players", Heads: append([]string{"run", "round"}, figureHeads(opponents)...)}
	for i, log := range logs {
		row := grownRow{Name: names[i], Cells: []grownCell{{Value: "none"}}}
		for k := range log.Rounds {
			if r := &log.Rounds[k]; r.Passed {
				row.Cells = append([]grownCell{{Value: fmt.Sprint(r.Round)}}, figures(r, opponents)...)
			}
		}
		for len(row.Cells) < len(t.Heads)-1 {
			row.Cells = append(row.Cells, grownCell{})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// measuredTables are what is left to learn by class and by theme, and biases by theme.
func measuredTables(log *grow.Log) []*grownTable {
	classes := []string{"all", "learned"}
	for c := bg.Contact; c >= bg.Race; c-- {
		classes = append(classes, c.String())
	}
	var themes, biased []string
	for t := range bg.NumThemes {
		themes, biased = append(themes, t.String()), append(biased, t.String())
	}
	left := &grownTable{Caption: "Left to learn, by class", About: "What two independent labels both say beyond the " +
		"net, rms in points; < what it may be where it is not told from nothing (two standard errors). Learned: of " +
		"positions learned from. Noise: of one label."}
	byTheme := &grownTable{Caption: "Left to learn, by theme"}
	bias := &grownTable{Caption: "Bias, by theme", About: "The net’s equity less that of whole trials, in points; " +
		"marked beyond two standard errors."}
	fill(left, log, classes, leftCell)
	fill(byTheme, log, themes, leftCell)
	fill(bias, log, biased, biasCell)
	if len(left.Rows) > 0 {
		addNoise(left, log)
	}
	return slices.DeleteFunc([]*grownTable{left, byTheme, bias}, func(t *grownTable) bool { return len(t.Rows) == 0 })
}

// fill fills a table with a row a round and a column for each kind that was measured.
func fill(t *grownTable, log *grow.Log, kinds []string, cell func(*grow.RoundLine, string) (grownCell, bool)) {
	kinds = slices.DeleteFunc(kinds, func(kind string) bool {
		return !slices.ContainsFunc(log.Rounds, func(r grow.RoundLine) bool {
			_, ok := cell(&r, kind)
			return ok
		})
	})
	if len(kinds) == 0 {
		return
	}
	t.Heads = append([]string{"round"}, kinds...)
	for i := range log.Rounds {
		row := grownRow{Name: fmt.Sprint(log.Rounds[i].Round)}
		for _, kind := range kinds {
			c, ok := cell(&log.Rounds[i], kind)
			if !ok {
				c.Value = "–"
			}
			row.Cells = append(row.Cells, c)
		}
		t.Rows = append(t.Rows, row)
	}
}

// leftCell is what is left to learn of a kind of positions, as a root mean square.
func leftCell(r *grow.RoundLine, kind string) (grownCell, bool) {
	i := slices.IndexFunc(r.Noise, func(n grow.Noise) bool { return n.Of == kind })
	if i < 0 || r.Noise[i].Positions < 2 {
		return grownCell{}, false
	}
	l := r.Noise[i].Left2
	if l.Mean <= 2*l.SE {
		return grownCell{Value: fmt.Sprintf("< %.3f", math.Sqrt(max(l.Mean, 0)+2*l.SE))}, true
	}
	root := math.Sqrt(l.Mean)
	return grownCell{Value: fmt.Sprintf("%.3f", root), SE: fmt.Sprintf("%.3f", l.SE/(2*root))}, true
}

// addNoise adds the noise of a label of all positions, and at the foot how frequent
// each kind is in games.
func addNoise(t *grownTable, log *grow.Log) {
	t.Heads = append(t.Heads, "noise")
	foot := grownRow{Name: "share of games", Cells: make([]grownCell, len(t.Heads)-1)}
	for i := range log.Rounds {
		cell := grownCell{Value: "–"}
		for _, n := range log.Rounds[i].Noise {
			if n.Of == "all" {
				cell.Value = fmt.Sprintf("%.3f", math.Sqrt(n.Noise2))
			}
			if k := slices.Index(t.Heads, n.Of); k > 0 && n.Frequency > 0 {
				foot.Cells[k-1].Value = fmt.Sprintf("%.0f %%", 100*n.Frequency) // the newest stays
			}
		}
		t.Rows[i].Cells = append(t.Rows[i].Cells, cell)
	}
	t.Rows = append(t.Rows, foot)
}

// biasCell is the bias of a theme.
func biasCell(r *grow.RoundLine, theme string) (grownCell, bool) {
	i := slices.IndexFunc(r.Bias, func(b grow.Bias) bool { return b.Theme == theme })
	if i < 0 {
		return grownCell{}, false
	}
	b := r.Bias[i].Bias
	cell := pointsCell(b, 3)
	if math.Abs(b.Mean) > 2*b.SE {
		cell.Mark = "worse"
	}
	return cell, true
}

func pointsCell(s stats.Stat, decimals int) grownCell {
	return grownCell{Value: signed(s.Mean, decimals), SE: fmt.Sprintf("%.*f", decimals, s.SE)}
}

// settingText writes a value of a setting as the log has it.
func settingText(v any) string {
	switch v := v.(type) {
	case nil:
		return "–"
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1e15 {
			return thousands(int64(v))
		}
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return fmt.Sprint(v)
}

// lasted writes a time to the second, or finer where it is short.
func lasted(s float64) string {
	d := time.Duration(s * float64(time.Second))
	if d < 10*time.Second {
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}
