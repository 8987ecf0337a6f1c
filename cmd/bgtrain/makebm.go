package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"bgtrain/benchmark/bm"
	"bgtrain/benchmark/makebm"
	"bgtrain/internal/bg"
	"bgtrain/rollout"
	"bgtrain/rollout/selfplay"

	"github.com/spf13/pflag"
)

type makebmOptions struct {
	makebm.Settings
	makebm.Wanted
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
	o.Settings, o.Classes = makebm.Defaults, makebm.ClassNames
	f.StringVarP(&o.out, "output", "o", "", "benchmark file to write")
	o.Wanted.List().AddFlags(f)
	o.Settings.List().AddFlags(f)
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

// make makes the file and prints what it is.
func (o *makebmOptions) make(ctx context.Context, e *env) error {
	begun := time.Now()
	excluded, err := bm.ReadKeys(ctx, o.exclude)
	if err != nil {
		return err
	}
	file := makebm.File{Output: o.out, Settings: o.Settings, PlayCache: o.rollout.CacheMB, Chunk: 1,
		CacheMB: o.rollout.cacheMB(), Excluded: excluded.Digest()}
	if file.Rollouts, file.Nets, err = o.rollout.settings(); err != nil {
		return err
	}
	left := 0
	if len(o.from) > 0 {
		if file.Given, err = makebm.ReadGiven(o.from, excluded.Has); err != nil {
			return fmt.Errorf("--from %w", err)
		}
		o.Number, left = file.Given.Count()
	}
	if o.farm.Address.URLs != "" {
		file.Chunk = farmDecisions
	}
	if file.Runner, err = o.farm.runner(e, o.Workers, o.out); err != nil {
		return err
	}
	stages := &stages{e: e}
	report, err := file.Make(ctx, makebm.Hooks{
		Exclude: excluded.Has,
		Resumed: func(decisions, candidates int) {
			fmt.Fprintf(e.Stderr, "going on after %d decisions, %d candidates rolled out\n", decisions, candidates)
		},
		Progress: func(now makebm.Stage, done, total int) { stages.set(string(now), done, total) },
	})
	stages.done()
	if err != nil {
		return err
	}
	return reportBenchmark(e, o, &report, left, time.Since(begun))
}

// makebmJSON is what `makebm --json` prints.
type makebmJSON struct {
	Output     string         `json:"output"`
	Decisions  int            `json:"decisions"`
	Classes    map[string]int `json:"classes"`
	Themes     map[string]int `json:"themes,omitempty"`
	Games      int            `json:"games"`
	Left       int            `json:"left_out,omitempty"` // decisions of --from
	Candidates int            `json:"candidates"`
	Trials     int            `json:"trials"`
	SE         float64        `json:"se"`
	WorstSE    float64        `json:"worst_se"`
	Elapsed    float64        `json:"elapsed_s"` // of this run
}

func reportBenchmark(e *env, o *makebmOptions, r *makebm.Report, left int, took time.Duration) error {
	j := makebmJSON{o.out, o.Number, map[string]int{}, map[string]int{}, r.Games, left, r.Candidates, r.Trials,
		r.SE, r.WorstSE, took.Seconds()}
	for _, c := range makebm.Classes {
		if r.Count[c] > 0 {
			j.Classes[c.String()] = r.Count[c]
		}
	}
	for t, n := range r.Themes {
		if n > 0 {
			j.Themes[bg.Theme(t).String()] = n
		}
	}
	if o.json {
		return json.NewEncoder(e.Stdout).Encode(&j)
	}
	of := fmt.Sprintf("of %d games", j.Games)
	if len(o.from) > 0 {
		of = fmt.Sprintf("given, %d left out", left)
	}
	fmt.Fprintf(e.Stdout, "%s: %d decisions %s, %d candidates, standard error of differences %.4f on average, "+
		"%.4f at most, in %.1f s\n",
		j.Output, j.Decisions, of, j.Candidates, j.SE, j.WorstSE, j.Elapsed)
	if err := selfplay.WriteCounts(e.Stdout, "class", j.Classes); err != nil || len(j.Themes) == 0 {
		return err
	}
	return selfplay.WriteCounts(e.Stdout, "theme", j.Themes)
}
