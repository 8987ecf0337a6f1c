package main

import (
	"context"
	"encoding/json"
	"fmt"

	"bgtrain/benchmark/match"
	"bgtrain/benchmark/opponents"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/nets"
	"bgtrain/internal/player"
	"bgtrain/internal/stats"
	"bgtrain/trainer/td"
)

type tdOptions struct {
	td.Settings
	td.Files
	from       string
	matches    td.Matches
	matchGames int
	json       bool
}

func runTD(ctx context.Context, e *env, args []string) error {
	o := tdOptions{Settings: td.Defaults()}
	f := newFlags(e, "td [flags] -o NET",
		`Trains starting weights by temporal differences from self-play, from random weights.
Interrupted, the same command goes on from the last checkpoint (NET.checkpoint).
NET.curve.jsonl and NET.curve.svg get the learning curve.`,
		"bgtrain td --games 1000000 --hidden 128 -o td.safetensors")
	f.StringVarP(&o.Net, "output", "o", "", "net file to write")
	f.StringVar(&o.from, "from", "", "net to start from instead of random weights")
	o.List().AddFlags(f)
	f.IntVar(&o.matches.Every, "match-every", 0, "play a match after every so many games, for the curve; 0 for never")
	f.IntVar(&o.matchGames, "match-games", 4000, "games of such a match")
	f.StringVar(&o.matches.Opponent, "match-against", "pubeval", "its opponent: a net, pubeval, pipcount or random")
	f.BoolVar(&o.Fresh, "fresh", false, "start from the first game even where a checkpoint exists")
	f.BoolVar(&o.json, "json", false, "print the result as JSON")
	section(f, "Nets", "from", "inputs", "hidden", "activation", "init", "phases", "outputs", "symmetric")
	section(f, "Learning", "games", "alpha", "alpha-end", "hidden-rate", "lambda", "round", "overlap", "amplify",
		"replay",
		"opponent", "first-games")
	section(f, "Learning from an estimator", "estimator", "minibatches", "minibatch", "adam-rate")
	section(f, "The curve", "match-every", "match-games", "match-against")
	section(f, "The run", "output", "seed", "workers", "checkpoint-every", "fresh", "json")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if o.Net == "" || f.NArg() > 0 {
		return usagef("one output net expected: -o NET")
	}
	if o.matches.Every < 0 || o.matchGames < 2 {
		return usagef("--match-every %d, --match-games %d: 0 or more, and 2 or more, expected", o.matches.Every,
			o.matchGames)
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
		if from, err = openNet(o.from); err != nil {
			return err
		}
	}
	db, err := bearoff.Open(ctx, bearoff.Options{})
	if err != nil {
		return err
	}
	if o.matches.Every > 0 {
		c := contestantFlags{bearoff: db}
		c.filter = "normal"
		opponent, err := c.open(ctx, e, o.matches.Opponent, opponents.Equity)
		if err != nil {
			return err
		}
		o.matches.Play = func(ctx context.Context, learner *nets.Set) (*stats.Stat, error) {
			return playLearner(ctx, learner, opponent, db, match.Options{Games: o.matchGames, Seed: 1,
				Workers: o.Workers})
		}
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
	if o.json {
		return json.NewEncoder(e.Stdout).Encode(struct {
			Output      string `json:"output"`
			Games       int    `json:"games"`
			Fingerprint string `json:"fingerprint"`
		}{o.Net, o.Games, trained.Fingerprint()})
	}
	_, err = fmt.Fprintf(e.Stdout, "%s: %d games, net %s\n", o.Net, o.Games, trained.Fingerprint())
	return err
}

// playLearner plays a match of a player that learns, at 0-ply.
func playLearner(ctx context.Context, learner *nets.Set, against opponents.Player, db *bearoff.DB,
	o match.Options) (*stats.Stat, error) {
	p, err := player.New(learner, db, player.Options{})
	if err != nil {
		return nil, err
	}
	m, err := match.Play(ctx, &opponents.NetPlayer{Net: p}, against, o)
	if err != nil {
		return nil, fmt.Errorf("match against %s: %w", against.Name(), err)
	}
	points := m.Summary().Points
	return &points, nil
}
