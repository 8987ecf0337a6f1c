package main

import (
	"context"
	"fmt"

	"bgtrain/benchmark/opponents"
	"bgtrain/data"
	"bgtrain/internal/nets"
	"bgtrain/internal/stats"
	"bgtrain/rollout/job"
	"bgtrain/trainer/td"
)

type tdOptions struct {
	td.Settings
	td.Files
	from    string
	matches td.Matches
	json    bool
}

func runTD(ctx context.Context, e *env, args []string) error {
	o := tdOptions{Settings: td.Defaults(), matches: td.Matches{Games: 4000, Opponent: "pubeval", Window: 5}}
	f := newFlags(e, "td [flags] -o NET",
		`Trains starting weights by temporal differences from self-play, from random weights.
Interrupted, the same command goes on from the last checkpoint (NET.checkpoint).
NET.curve.jsonl and NET.curve.svg get the learning curve.`,
		"bgtrain td --games 1000000 --hidden 128 -o td.safetensors")
	f.StringVarP(&o.Net, "output", "o", "", "net file to write")
	f.StringVar(&o.from, "from", "", "net to start from instead of random weights")
	o.List().AddFlags(f)
	o.matches.List().AddFlags(f)
	f.BoolVar(&o.Fresh, "fresh", false, "start from the first game even where a checkpoint exists")
	f.BoolVar(&o.json, "json", false, "print the result as JSON")
	section(f, "Nets", "from", "inputs", "hidden", "activation", "init", "phases", "outputs", "symmetric")
	section(f, "Learning", "games", "alpha", "alpha-end", "hidden-rate", "lambda", "round", "max-plies", "overlap",
		"one-sided", "two-sided")
	section(f, "Learning from an estimator", "estimator", "replay", "minibatches", "minibatch", "adam-rate")
	section(f, "The curve", "match-every", "match-games", "match-against", "window")
	section(f, "The run", "output", "seed", "workers", "checkpoint-every", "fresh", "json")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if o.Net == "" || f.NArg() > 0 {
		return usagef("one output net expected: -o NET")
	}
	if o.matches.Every == 0 && (f.Changed("match-games") || f.Changed("match-against") || f.Changed("window")) {
		return usagef("--match-games, --match-against and --window go with --match-every")
	}
	if err := o.Check(); err != nil {
		return usageError{err}
	}
	return trainTD(ctx, e, &o)
}

func trainTD(ctx context.Context, e *env, o *tdOptions) error {
	var from *nets.Set
	var err error
	if o.from != "" {
		if from, err = data.OpenNet(o.from); err != nil {
			return err
		}
	}
	db, err := openBearoff(ctx, e, o.Bearoff.OneSidedPoints, o.Bearoff.TwoSidedCheckers)
	if err != nil {
		return err
	}
	if o.matches.Every > 0 {
		c := contestantFlags{opponents.Opener{PlayerSettings: job.DefaultPlayer(), Bearoff: db}}
		opponent, _, err := c.open(ctx, o.matches.Opponent)
		if err != nil {
			return err
		}
		o.matches.Against = opponent[0]
	}
	bar := newProgress(e, o.Games, "games")
	trained, err := td.Train(ctx, from, db, o.Files, o.Settings, o.matches, td.Hooks{
		Resumed:  func(games int) { fmt.Fprintf(e.Stderr, "going on after %d games\n", games) },
		Progress: bar.Set,
		Note:     bar.Note,
	})
	bar.Done()
	if err != nil {
		return err
	}
	return e.printf(struct {
		Output      string `json:"output"`
		Games       int    `json:"games"`
		Fingerprint string `json:"fingerprint"`
	}{o.Net, o.Games, trained.Fingerprint()}, o.json, "%s: %s, net %s\n", o.Net, stats.Count(o.Games, "game", "games"),
		trained.Fingerprint())
}
