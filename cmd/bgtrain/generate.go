package main

import (
	"context"
	"fmt"
	"slices"

	"bgtrain/benchmark/bm"
	"bgtrain/internal/setting"
	"bgtrain/rollout/selfplay"
)

type generateOptions struct {
	selfplay.File
	player  playerFlags
	exclude []string
	json    bool
}

// list are the settings of what to generate, in the order of the help.
func (o *generateOptions) list() setting.List {
	l := o.File.List()
	return slices.Insert(l, 4, setting.Setting{Name: "exclude", To: &o.exclude,
		Help: "databases and benchmark files whose positions are not wanted"})
}

func runGenerate(ctx context.Context, e *env, args []string) error {
	o := generateOptions{File: selfplay.File{Settings: selfplay.Defaults, Shares: selfplay.DefaultShares}}
	f := newFlags(e, "generate -n N -o DB [flags]",
		"Plays games of a net against itself and keeps positions, none twice, spread over the\nclasses. "+
			"Interrupted, the same command goes on from DB.journal.",
		"bgtrain generate -n 200000 --share contact=0.5,crashed=0.3,race=0.2 --seed 7 -o positions.parquet")
	o.list().AddFlags(f)
	f.BoolVar(&o.json, "json", false, "the summary as JSON")
	o.player.add(f)
	o.player.addFilters(f)
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	o.SetQuota(o.Number, o.Shares)
	switch {
	case f.NArg() > 0:
		return usagef("%q: no argument expected, only -n N and -o DB", f.Arg(0))
	case o.Number == 0 && o.Output == "":
		return usagef("-n N, how many positions, and -o DB are missing")
	case o.Number == 0:
		return usagef("-n N is missing: how many positions")
	case o.Output == "":
		return usagef("-o DB is missing: the database to write")
	case o.Select.Differ != (len(o.Nets) > 0):
		return usagef("--select differ and --rivals NET,… belong together")
	case f.Changed("density") && !o.Select.All:
		return usagef("--density goes with --select all")
	case f.Changed("margin") && o.Select == (selfplay.Selectors{All: true}):
		return usagef("--margin goes with --select candidates, disagree or differ")
	}
	if err := o.Check(); err != nil {
		return usageError{err}
	}
	return generate(ctx, e, &o, commandLine("generate", f))
}

func generate(ctx context.Context, e *env, o *generateOptions, command string) error {
	excluded, err := bm.ReadKeys(ctx, o.exclude)
	if err != nil {
		return err
	}
	bar := newProgress(e, o.Number, "positions")
	summary, err := o.Make(ctx, &o.player.PlayerSettings, command, selfplay.FileHooks{
		Exclude:  excluded.Has,
		Excluded: excluded.Digest(),
		Progress: bar.Set,
		Resumed:  func(games int) { fmt.Fprintf(e.Stderr, "going on after %d games\n", games) },
	})
	if bar.Done(); err != nil {
		return err
	}
	return e.print(summary, o.json)
}
