package main

import (
	"context"
	"fmt"

	"bgtrain/benchmark/cubestudy"
	"bgtrain/data"
	"bgtrain/internal/atomicfile"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/cube"
	"bgtrain/internal/setting"
	"bgtrain/internal/stats"
)

func runCubeRecord(ctx context.Context, e *env, args []string) error {
	var c contestantFlags // without a position cache: positions seldom come up again, and looking costs more
	c.showBearoff(e)
	s := cubestudy.Defaults
	var dir string
	f := newFlags(e, "cube record [flags] NET -o DIR",
		"Plays games of a net against itself at 0-ply, without a cube, and keeps the outputs\nbefore every roll in "+
			"part files of a directory, for 'cube study'. The same command\ngoes on from the parts that are there.",
		"bgtrain cube record default --games 100000 -o games")
	f.StringVarP(&dir, "output", "o", "", "directory of the part files")
	s.List().AddFlags(f)
	bearoff.Settings(new(int), &c.TwoSided)[1:].AddFlags(f)
	asJSON := f.Bool("json", false, "print the result as JSON")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if err := needOne(f, "a net", dir, "DIR"); err != nil {
		return err
	}
	if err := s.Check(); err != nil {
		return usageError{err}
	}
	p, err := c.Opener.Net(ctx, f.Arg(0))
	if err != nil {
		return err
	}
	set, err := data.OpenNet(f.Arg(0))
	if err != nil {
		return err
	}
	bar := newProgress(e, s.Games, "games")
	err = cubestudy.RecordNet(ctx, p, set, dir, s, cubestudy.Hooks{Progress: bar.Set})
	bar.end()
	if err != nil {
		return err
	}
	return e.printf(struct {
		Output string `json:"output"`
		Games  int    `json:"games"`
	}{dir, s.Games}, *asJSON, "%s: %s\n", dir, stats.Count(s.Games, "game", "games"))
}

func runCubeStudy(ctx context.Context, e *env, args []string) error {
	s := cubestudy.Study{Against: cube.Janowski{Life: 0.7, Opponent: 0.7}}
	var svg string
	var asJSON bool
	f := newFlags(e, "cube study [flags] DIR",
		"Lets cube models handle the cube for money in the games of 'cube record', each game\nin either seat, "+
			"against one other model, and reports points per game, wins and the\nfinal cube of each, with standard "+
			"errors of these pairs; the standard deviation of\na single game, and how many games with rolls of their own "+
			"would have that\nstandard error. With four or more jump or Janowski models of one number each, also\nthe "+
			"parabola through their points.\n\nCube models: "+cube.Models+"; gnubg and learned ask for games with positions.",
		"bgtrain cube study games --a janowski=0.5,janowski=0.9,jump=0.08 --against janowski=0.7")
	s.List().AddFlags(f)
	f.StringVar(&svg, "svg", "", "draw points and wins of the models over their number, and the parabola, to this file")
	f.BoolVar(&asJSON, "json", false, "print the result as JSON")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if f.NArg() != 1 || len(s.Models) == 0 {
		return usagef("one directory of games and --a MODELS expected")
	}
	if svg != "" && !s.Fits() {
		return usagef("--svg: four or more models of one kind and of one number each expected")
	}
	parts, err := cubestudy.Parts(f.Arg(0))
	if err != nil {
		return err
	}
	bar := newProgress(e, len(parts), "parts")
	r, err := s.Run(ctx, parts, cubestudy.Hooks{Progress: bar.Set})
	bar.end()
	if err != nil {
		return err
	}
	if err := e.print(r, asJSON); err != nil || svg == "" {
		return err
	}
	if r.Fit == nil {
		return fmt.Errorf("--svg %s: not drawn, as the parabola through the points has no top", svg)
	}
	return atomicfile.Write(svg, r.WriteSVG)
}

func runCube(_ context.Context, e *env, args []string) error {
	f := newFlags(e, "cube record|study|train|bearoff …",
		"The doubling cube studied, and learned. 'bgtrain cube record -h' and so on tell more;\ndocs/cube.md has the "+
			"results.",
		"bgtrain cube record default --games 100000 -o games")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	return subExpected(f.Args(), "record", "study", "train", "bearoff")
}

func runCubeBearoff(ctx context.Context, e *env, args []string) error {
	models := []cube.Model{cube.Dead{}, cube.Live{}, cube.Janowski{Life: 0.6, Opponent: 0.6},
		cube.Janowski{Life: 0.7, Opponent: 0.7}, cube.GNUbg{}, cube.Jump{Volatility: 0.08}}
	var checkers int
	var asJSON bool
	f := newFlags(e, "cube bearoff [flags]",
		"How far cube models are from the exact equities for money of the two-sided bearoff\ndatabase, over all "+
			"pairs of positions, told the exact chance to win: equities with the\ncube centered, one's own and the "+
			"opponent's; and what their decisions lose.\n\nCube models: "+cube.Models+".",
		"bgtrain cube bearoff --a dead,live,gnubg,jump=0.08")
	setting.List{
		{Name: "a", To: cube.ModelsValue(&models), Help: "the models, with commas between"},
		{Name: "two-sided", To: &checkers, Range: setting.From(0, bearoff.DefaultTwoSided),
			Help: fmt.Sprintf("checkers a side, up to %d; 0 as many", bearoff.DefaultTwoSided)},
	}.AddFlags(f)
	f.BoolVar(&asJSON, "json", false, "print the result as JSON")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if f.NArg() > 0 {
		return usagef("no argument expected")
	}
	if checkers == 0 {
		checkers = bearoff.DefaultTwoSided
	}
	for _, m := range models {
		if cube.UsesVolatility(m) {
			return usagef("--a: %s asks for what the database does not have", m)
		}
	}
	db, err := bearoff.BuildCubeful(ctx, checkers)
	if err != nil {
		return err
	}
	return e.print(cubestudy.BearoffErrors(db, models), asJSON)
}
