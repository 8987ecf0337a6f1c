package main

import (
	"context"
	"fmt"

	"bgtrain/benchmark/bm"
	"bgtrain/benchmark/makebm"
	"bgtrain/internal/bg"
	"bgtrain/internal/inspect"
	"bgtrain/rollout"
	"bgtrain/rollout/job"

	"github.com/spf13/pflag"
)

type makebmOptions struct {
	makebm.Settings
	makebm.Wanted
	cubes   makebm.CubeSettings
	rollout rolloutFlags
	out     string
	exclude []string
	from    []string
	farm    farmFlags
	json    bool
}

// farmDecisions is how many decisions a farm's chunk has.
const farmDecisions = 2

// makebmRollouts are the defaults of the rollouts: a decision is rolled out until the
// standard errors of the differences of its candidates are 0.005 points, less than
// most plays differ by.
func makebmRollouts() rollout.Options {
	o := rollout.DefaultOptions()
	o.Trials, o.TargetSE = 720, 0.005
	return o
}

func (o *makebmOptions) add(f *pflag.FlagSet) {
	o.Settings, o.Classes, o.cubes = makebm.Defaults, makebm.ClassNames, makebm.CubeDefaults
	f.StringVarP(&o.out, "output", "o", "", "benchmark file to write")
	o.Wanted.List().AddFlags(f)
	o.Settings.List().AddFlags(f)
	o.cubes.List().AddFlags(f)
	f.StringSliceVar(&o.exclude, "exclude", nil,
		"databases and benchmark files whose positions are not wanted, before or after the play")
	f.StringSliceVar(&o.from, "from", nil,
		"benchmark files whose decisions are rolled out, all candidates that they list, in place of self-play's")
	o.rollout.add(f, makebmRollouts(), "candidate", "games and dice")
	o.farm.add(f)
	f.BoolVar(&o.json, "json", false, "the summary as JSON")
}

func runMakebm(ctx context.Context, e *env, args []string) error {
	var o makebmOptions
	f := newFlags(e, "makebm -n N -o FILE.bm [flags]",
		`Makes a benchmark file in GNU Backgammon's format: decisions of a net's games against
itself, one of a class a game, none twice, their best candidates rolled out; or with
--from those of other files, such as import --decisions writes of recorded matches. Keep
them out of training data by generate --exclude FILE.bm. Interrupted or killed, the same
command goes on from FILE.bm.journal.`,
		"bgtrain makebm -n 5000 --class contact --seed 7 --exclude training.parquet -o contact.bm")
	o.add(f)
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if err := o.check(f); err != nil {
		return err
	}
	return o.make(ctx, e)
}

// check completes the settings. With --from, those of self-play are refused.
func (o *makebmOptions) check(f *pflag.FlagSet) error {
	given := len(o.from) > 0
	switch {
	case f.NArg() > 0:
		return usagef("%q: no argument expected, only -n N or --from FILE.bm, and -o FILE.bm", f.Arg(0))
	case !given && o.Number == 0 && o.out == "":
		return usagef("-n N, how many decisions, or --from FILE.bm, and -o FILE.bm are missing")
	case !given && o.Number == 0:
		return usagef("-n N is missing: how many decisions; or --from FILE.bm, which has them")
	case o.out == "":
		return usagef("-o FILE.bm is missing: the benchmark file to write")
	case !given && f.Changed("class") && o.Wanted.Themes != 0:
		return usagef("--class and --themes: one of the two expected")
	}
	if err := o.checkCubes(f, given); err != nil {
		return err
	}
	for _, s := range append(o.Wanted.List(), o.Settings.List()...) {
		if given && s.Name != "workers" && f.Changed(s.Name) {
			return usagef("--%s is about self-play; the decisions of --from are there already", s.Name)
		}
	}
	if err := o.farm.check(); err != nil || given {
		return err
	}
	o.Want(&o.Wanted)
	o.Seed = o.rollout.Seed
	if err := o.Settings.Check(); err != nil {
		return usageError{err}
	}
	return nil
}

// checkCubes refuses what does nothing with --cube, or without it. Cube decisions are
// rolled out to the end of the game unless a person chose otherwise.
func (o *makebmOptions) checkCubes(f *pflag.FlagSet, given bool) error {
	with := o.cubes.Model != nil
	for _, name := range []string{"met", "matches", "away"} {
		if !with && f.Changed(name) {
			return usagef("--%s goes with --cube", name)
		}
	}
	if !with {
		return nil
	}
	for _, name := range []string{"candidates", "candidate-ply", "spread"} {
		if f.Changed(name) {
			return usagef("--%s is of plays, --cube of cube decisions", name)
		}
	}
	switch {
	case given && (f.Changed("matches") || f.Changed("away")):
		return usagef("--matches and --away are about self-play; the decisions of --from are there already")
	case o.farm.Address.URLs != "":
		table, err := o.cubes.Table.OrDefault()
		if err == nil {
			err = (&job.CubeRules{Model: o.cubes.Model, Table: table}).Travel()
		}
		if err != nil {
			return usageError{err}
		}
	}
	if !f.Changed("truncate") {
		o.rollout.Truncate = 0
	}
	if !f.Changed("target-se") {
		o.rollout.TargetSE = 0
	}
	return nil
}

// hooks follow a run.
func (o *makebmOptions) hooks(e *env, exclude func(bg.Key) bool, stages *stages) makebm.Hooks {
	return makebm.Hooks{
		Exclude: exclude,
		Resumed: func(decisions, candidates int) {
			what := "candidates"
			if o.cubes.Model != nil {
				what = "of them"
			}
			fmt.Fprintf(e.Stderr, "going on after %d decisions, %d %s rolled out\n", decisions, candidates, what)
		},
		Progress: func(now makebm.Stage, done, total int) { stages.set(string(now), done, total) },
	}
}

// make makes the file and prints what it is.
func (o *makebmOptions) make(ctx context.Context, e *env) error {
	excluded, err := bm.ReadKeys(ctx, o.exclude)
	if err != nil {
		return err
	}
	m := makebm.Making{Output: o.out, Settings: o.Settings, Chunk: 1, CacheMB: o.rollout.cacheMB(),
		Excluded: excluded.Digest()}
	if m.Rollouts, m.Nets, err = o.rollout.settings(); err != nil {
		return err
	}
	var given *makebm.Given
	if len(o.from) > 0 && o.cubes.Model == nil {
		if given, err = makebm.ReadGiven(o.from, excluded.Has); err != nil {
			return fmt.Errorf("--from %w", err)
		}
	}
	if o.farm.Address.URLs != "" {
		m.Chunk = farmDecisions
	}
	if m.Runner, err = o.farm.runner(e, o.Workers, o.out); err != nil {
		return err
	}
	stages := &stages{e: e}
	hooks := o.hooks(e, excluded.Has, stages)
	var report inspect.Description
	if o.cubes.Model != nil {
		file := makebm.CubeFile{Making: m, CubeSettings: o.cubes, From: o.from}
		r, failed := file.Make(ctx, hooks)
		report, err = &r, failed
	} else {
		file := makebm.File{Making: m, Given: given, PlayCache: o.rollout.CacheMB}
		r, failed := file.Make(ctx, hooks)
		report, err = &r, failed
	}
	stages.done()
	if err != nil {
		return err
	}
	return e.print(report, o.json)
}
