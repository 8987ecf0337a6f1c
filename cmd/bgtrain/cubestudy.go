package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"bgtrain/benchmark/cube"
	"bgtrain/benchmark/cube/jumpsim"
	"bgtrain/benchmark/cube/study"
	"bgtrain/internal/atomicfile"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/trainer/curve"
)

func runCubeRecord(ctx context.Context, e *env, args []string) error {
	var c contestantFlags // without a position cache: positions seldom come up again, and looking costs more
	var s study.Settings
	var dir string
	f := newFlags(e, "cube record [flags] NET -o DIR",
		"Plays games of a net against itself at 0-ply, without a cube, and keeps the outputs\nbefore every roll in "+
			"part files of a directory, for 'cube study' and 'cube\nvolatility'. The same command goes on from the "+
			"parts that are there.",
		"bgtrain cube record default --games 100000 -o games")
	f.StringVarP(&dir, "output", "o", "", "directory of the part files")
	f.IntVarP(&s.Games, "games", "n", 100000, "number of games: a multiple of --part, or fewer")
	f.IntVar(&s.Part, "part", study.PartGames, "games in a part file, which is what an interruption can lose")
	f.Uint64Var(&s.Seed, "seed", 1, "seed of the dice")
	f.BoolVar(&s.Volatility, "volatility", false,
		"also measure the volatility of positions, for jump=local: some ten times slower")
	f.IntVar(&c.twoSided, "two-sided", 0, "checkers a side of the exact bearoff database; 0 the default size, -1 none")
	addWorkersFlag(f, &s.Workers)
	asJSON := f.Bool("json", false, "print the result as JSON")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if f.NArg() != 1 || dir == "" {
		return usagef("one net and -o DIR expected")
	}
	if s.Part == 0 {
		return usagef("--part 0: 1 to %d expected", study.PartGames)
	}
	if err := s.Check(); err != nil {
		return usageError{err}
	}
	p, err := c.openNet(ctx, e, f.Arg(0))
	if err != nil {
		return err
	}
	set, err := openNet(f.Arg(0))
	if err != nil {
		return err
	}
	bar := newProgress(e, s.Games, "games")
	id := fmt.Sprintf("net %s two-sided %d", set.Fingerprint(), c.bearoff.TwoSidedCheckers())
	err = study.Record(ctx, p, dir, id, s, study.Hooks{Progress: bar.Set})
	bar.end()
	if err != nil {
		return err
	}
	if *asJSON {
		return json.NewEncoder(e.Stdout).Encode(struct {
			Output string `json:"output"`
			Games  int    `json:"games"`
		}{dir, s.Games})
	}
	_, err = fmt.Fprintf(e.Stdout, "%s: %d games\n", dir, s.Games)
	return err
}

func runCubeStudy(ctx context.Context, e *env, args []string) error {
	var as []string
	var against, svg string
	var workers int
	var asJSON bool
	f := newFlags(e, "cube study [flags] DIR",
		"Lets cube models handle the cube for money in the games of 'cube record', each game\nin either seat, "+
			"against one other model, and reports points per game, wins and the\nfinal cube of each, with standard "+
			"errors of these pairs; the standard deviation of\na single game, and how many games with rolls of their own "+
			"would have that\nstandard error. With four or more jump or Janowski models of one number each, also\nthe "+
			"parabola through their points.\n\nCube models, but for gnubg: "+cube.Models+".",
		"bgtrain cube study games --a janowski=0.5,janowski=0.9,jump=0.08 --against janowski=0.7")
	f.StringSliceVar(&as, "a", nil, "the models, with commas between")
	f.StringVar(&against, "against", "janowski=0.7", "the other model")
	f.StringVar(&svg, "svg", "", "draw points and wins of the models over their number, and the parabola, to this file")
	addWorkersFlag(f, &workers)
	f.BoolVar(&asJSON, "json", false, "print the result as JSON")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if f.NArg() != 1 || len(as) == 0 {
		return usagef("one directory of games and --a MODELS expected")
	}
	b, err := cube.ParseModel(against)
	if err != nil {
		return usagef("--against: %w", err)
	}
	models := make([]cube.Model, len(as))
	for i, name := range as {
		if models[i], err = cube.ParseModel(name); err != nil {
			return usagef("--a: %w", err)
		}
	}
	parts, err := study.Parts(f.Arg(0))
	if err != nil {
		return err
	}
	bar := newProgress(e, len(parts), "parts")
	results, err := study.Compare(ctx, parts, models, b, workers,
		study.Hooks{Progress: bar.Set})
	if err != nil {
		return err
	}
	fit := study.Fit(models, results)
	if svg != "" {
		if fit == nil {
			return fmt.Errorf("--svg: three or more models of one kind and of one number each expected")
		}
		if err := drawParabola(svg, fit, against); err != nil {
			return err
		}
	}
	if asJSON {
		return json.NewEncoder(e.Stdout).Encode(struct {
			Results []study.Result  `json:"results"`
			Fit     *study.Parabola `json:"parabola,omitempty"`
		}{results, fit})
	}
	w := bufio.NewWriter(e.Stdout)
	fmt.Fprintf(w, "%d games, each in either seat, against %s\n", results[0].Games, b)
	fmt.Fprintf(w, "%-18s %17s  %14s  %14s  %6s  %7s  %11s\n", "model", "points per game", "wins", "final cube", "passes",
		"game SD", "independent")
	for i := range results {
		r := &results[i]
		fmt.Fprintf(w, "%-18s %+8.4f ± %.4f  %6.2f%% ± %.2f  %6.3f ± %.3f  %5.1f%%  %7.3f  %11.0f\n", r.A,
			r.Points.Mean, r.Points.SE, 100*r.Wins.Mean, 100*r.Wins.SE, r.Cube.Mean, r.Cube.SE, 100*r.Passes.Mean,
			r.GameSD, r.Independent)
	}
	if fit != nil {
		fmt.Fprintf(w, "parabola: best at %.4f ± %.4f, where it is %+.4f\n", fit.Best, fit.BestSE, fit.Top)
	}
	return w.Flush()
}

// drawParabola draws the points of a study, two standard errors about them, their
// parabola, and the wins.
func drawParabola(path string, f *study.Parabola, against string) error {
	dots := func(name string, y func(i int) float64) curve.Series {
		s := curve.Series{Name: name}
		for i := range f.X { // a gap after each makes them dots
			s.X, s.Y = append(s.X, f.X[i], math.NaN()), append(s.Y, y(i), math.NaN())
		}
		return s
	}
	band := func(name string, sign float64) curve.Series {
		return dots(name, func(i int) float64 { r := &f.Results[i]; return r.Points.Mean + 2*sign*r.Points.SE })
	}
	line := curve.Series{Name: "parabola"}
	low, high := slices.Min(f.X), slices.Max(f.X)
	for i := range 101 {
		x := low + (high-low)*float64(i)/100
		line.X, line.Y = append(line.X, x), append(line.Y, f.At(x))
	}
	points := dots("points", func(i int) float64 { return f.Results[i].Points.Mean })
	wins := dots("wins", func(i int) float64 { return 100 * f.Results[i].Wins.Mean })
	wins.Name = ""
	return atomicfile.Write(path, func(w io.Writer) error {
		return curve.WriteSVG(w, "Against "+against, 2,
			curve.Chart{Title: "Points per game", X: f.Kind, Y: "points",
				Series: []curve.Series{points, line, band("+2 SE", 1), band("-2 SE", -1)}},
			curve.Chart{Title: "Games won", X: f.Kind, Y: "%", Series: []curve.Series{wins}})
	})
}

func runCubeVolatility(ctx context.Context, e *env, args []string) error {
	var workers int
	var asJSON bool
	f := newFlags(e, "cube volatility [flags] DIR",
		"The mean absolute change of the chance to win from roll to roll in the games of\n'cube record': in all, "+
			"near the take and cash points, and by the chance before the\nroll; and how far the chance is from one half when each "+
			"player can first double.",
		"bgtrain cube volatility games")
	addWorkersFlag(f, &workers)
	f.BoolVar(&asJSON, "json", false, "print the result as JSON")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if f.NArg() != 1 {
		return usagef("one directory of games expected")
	}
	parts, err := study.Parts(f.Arg(0))
	if err != nil {
		return err
	}
	v, err := study.MeasureVolatility(ctx, parts, workers, study.Hooks{})
	if err != nil {
		return err
	}
	if asJSON {
		return json.NewEncoder(e.Stdout).Encode(v)
	}
	w := bufio.NewWriter(e.Stdout)
	fmt.Fprintf(w, "all rolls                    %6.3f%% ± %.3f\n", 100*v.All.Mean, 100*v.All.SE)
	fmt.Fprintf(w, "from 15-25%% and from 75-85%%  %6.3f%% ± %.3f\n", 100*v.Window.Mean, 100*v.Window.SE)
	fmt.Fprintf(w, "  from turn to turn          %6.3f%% ± %.3f\n", 100*v.WindowTurn.Mean, 100*v.WindowTurn.SE)
	if v.Local.Mean > 0 {
		fmt.Fprintf(w, "measured at positions        %6.3f%% ± %.3f, standard deviation %.3f\n", 100*v.Local.Mean,
			100*v.Local.SE, 100*v.LocalSD)
	}
	for k, s := range v.FirstChances {
		fmt.Fprintf(w, "from 50%% before the %s roll  %6.3f%% ± %.3f\n", []string{"second", "third "}[k], 100*s.Mean,
			100*s.SE)
	}
	for i, s := range v.Bins {
		fmt.Fprintf(w, "  from %2d-%d%% %s %6.3f%% ± %.3f\n", 5*i, 5*i+5, strings.Repeat(" ", 15), 100*s.Mean, 100*s.SE)
	}
	return w.Flush()
}

func runCube(_ context.Context, e *env, args []string) error {
	f := newFlags(e, "cube record|study|volatility|bearoff|jump …",
		"Studies of the doubling cube. 'bgtrain cube record -h' and so on tell more; docs/cube.md\nhas the results.",
		"bgtrain cube record default --games 100000 -o games")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	return usagef("record, study, volatility, bearoff or jump expected")
}

func runCubeBearoff(ctx context.Context, e *env, args []string) error {
	var names []string
	var checkers int
	var asJSON bool
	f := newFlags(e, "cube bearoff [flags]",
		"How far cube models are from the exact equities for money of the two-sided bearoff\ndatabase, over all "+
			"pairs of positions, told the exact chance to win: equities with the\ncube centered, one's own and the "+
			"opponent's; and what their decisions lose.\n\nCube models: "+cube.Models+".",
		"bgtrain cube bearoff --a dead,live,gnubg,jump=0.08")
	f.StringSliceVar(&names, "a", []string{"dead", "live", "janowski=0.6", "janowski=0.7", "gnubg", "jump=0.08"},
		"the models, with commas between")
	f.IntVar(&checkers, "two-sided", 0,
		fmt.Sprintf("checkers a side, up to %d; 0 as many", bearoff.DefaultTwoSided))
	f.BoolVar(&asJSON, "json", false, "print the result as JSON")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if checkers == 0 {
		checkers = bearoff.DefaultTwoSided
	}
	if f.NArg() > 0 || checkers < 1 || checkers > bearoff.DefaultTwoSided {
		return usagef("no argument, and --two-sided from 1 to %d expected", bearoff.DefaultTwoSided)
	}
	var models []cube.Model
	for _, name := range names {
		m, err := cube.ParseModel(name)
		if err != nil {
			return usagef("--a: %w", err)
		}
		if cube.UsesVolatility(m) {
			return usagef("--a: %s asks for what the database does not have", m)
		}
		models = append(models, m)
	}
	db, err := bearoff.BuildCubeful(ctx, checkers)
	if err != nil {
		return err
	}
	errs := study.BearoffErrors(db, models)
	if asJSON {
		return json.NewEncoder(e.Stdout).Encode(errs)
	}
	w := bufio.NewWriter(e.Stdout)
	fmt.Fprintf(w, "%d pairs of positions; model less exact: mean, mean absolute, largest\n", errs[0].Pairs)
	fmt.Fprintf(w, "%-16s %24s %24s %24s   double  redouble  answer (ER)\n", "model", "centered", "own", "opponent's")
	for i := range errs {
		m := &errs[i]
		fmt.Fprintf(w, "%-16s", m.Model)
		for h := range m.Mean {
			fmt.Fprintf(w, "  %+7.4f %6.4f %6.4f", m.Mean[h], m.MeanAbs[h], m.Largest[h])
		}
		fmt.Fprintf(w, "  %7.2f  %7.2f %7.2f\n", m.Double[0].Mean, m.Double[1].Mean, m.Answer.Mean)
	}
	return w.Flush()
}

func runCubeJump(_ context.Context, e *env, args []string) error {
	s := jumpsim.Settings{W: 1, L: 1, Volatility: 0.08, Steps: 1000}
	var games int
	var seed uint64
	f := newFlags(e, "cube jump [flags]",
		"Solves the jump process by dynamic programming, plays games of it with that strategy,\nand compares the "+
			"forms of the jump model with both, with a centered cube.",
		"bgtrain cube jump --won 1.3 --lost 1.2 --volatility 0.08 --games 1000000")
	f.Float64Var(&s.W, "won", s.W, "points of a won game, 1 to 3")
	f.Float64Var(&s.L, "lost", s.L, "points of a lost game, 1 to 3")
	f.Float64Var(&s.Volatility, "volatility", s.Volatility, "mean absolute jump of the chance to win")
	f.IntVar(&s.Steps, "steps", s.Steps, "steps of the grid from 0 to 1")
	f.IntVarP(&games, "games", "n", 100000, "games played from each chance to win")
	f.Uint64Var(&seed, "seed", 1, "seed of the games")
	asJSON := f.Bool("json", false, "print one JSON object a chance to win")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if f.NArg() > 0 || games < 2 || s.Volatility > 0.2 {
		return usagef("no argument, --games of 2 or more and --volatility up to 0.2 expected")
	}
	a, err := jumpsim.Solve(s)
	if err != nil {
		return usageError{err}
	}
	rows := jumpRows(a, s, games, seed)
	if *asJSON {
		for i := range rows {
			if err := json.NewEncoder(e.Stdout).Encode(&rows[i]); err != nil {
				return err
			}
		}
		return nil
	}
	w := bufio.NewWriter(e.Stdout)
	fmt.Fprintf(w, "W %v, L %v, volatility %v, %d games each\n", s.W, s.L, s.Volatility, games)
	fmt.Fprintf(w, "%5s  %9s  %18s  %9s  %9s  %9s\n", "p", "solved", "played", "jump", "higgins", "linear")
	for _, r := range rows {
		fmt.Fprintf(w, "%5.2f  %+9.5f  %+9.5f ± %.5f  %+9.5f  %+9.5f  %+9.5f\n", r.P, r.Solved, r.Played, r.SE, r.Jump,
			r.Higgins, r.Linear)
	}
	return w.Flush()
}

// jumpRow is a line of cube jump: equities with a centered cube, points.
type jumpRow struct {
	P       float64 `json:"p"` // chance to win
	Solved  float64 `json:"solved"`
	Played  float64 `json:"played"`
	SE      float64 `json:"played_se"`
	Jump    float64 `json:"jump"`
	Higgins float64 `json:"higgins"`
	Linear  float64 `json:"linear"`
}

// jumpRows compares the forms of the jump model with the process solved and played out.
func jumpRows(a *jumpsim.Solution, s jumpsim.Settings, games int, seed uint64) []jumpRow {
	var rows []jumpRow
	for _, p := range []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9} {
		played := a.Play(p, games, seed)
		r := jumpRow{P: p, Solved: a.At(a.Centered, p), Played: played.Mean, SE: played.SE}
		o := bg.Outputs{float32(p), float32(p * (s.W - 1)), 0, float32((1 - p) * (s.L - 1)), 0}
		for form, to := range map[cube.JumpForm]*float64{cube.JumpExact: &r.Jump, cube.JumpHiggins: &r.Higgins,
			cube.JumpLinear: &r.Linear} {
			m := cube.Jump{Volatility: s.Volatility, Form: form}
			*to = m.Equity(&cube.Position{Outputs: o}, &cube.Money)
		}
		rows = append(rows, r)
	}
	return rows
}
