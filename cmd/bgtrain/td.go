package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"bgtrain/internal/atomicfile"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/nets"
	"bgtrain/internal/stats"
	"bgtrain/trainer/td"
)

type tdOptions struct {
	td.Settings
	from, out, opponent string
	firstGames          int
	every               time.Duration
	fresh               bool
	matchEvery          int // games between matches against PubEval; 0: none
	matchGames          int
}

func runTD(ctx context.Context, e *env, args []string) error {
	o := tdOptions{Settings: td.Defaults}
	f := newFlags(e, "td [flags] -o NET",
		"Trains starting weights by temporal differences from self-play, from random weights.\nInterrupted, the same command goes on from the last checkpoint (NET.checkpoint).\nNET.curve.jsonl and NET.curve.svg get the learning curve.",
		"bgtrain td --games 1000000 --hidden 128 -o td.safetensors")
	f.StringVarP(&o.out, "output", "o", "", "net file to write")
	f.IntVarP(&o.Games, "games", "n", o.Games, "self-play games")
	f.StringVar(&o.Inputs, "inputs", o.Inputs, "input sets: gnubg or tesauro")
	f.IntVar(&o.Hidden, "hidden", o.Hidden, "hidden units of each net")
	f.Float64Var(&o.Alpha, "alpha", o.Alpha, "learning rate of the output layer at the beginning")
	f.Float64Var(&o.AlphaEnd, "alpha-end", o.AlphaEnd, "learning rate at the end; exponential between")
	f.Float64Var(&o.HiddenRate, "hidden-rate", o.HiddenRate, "the hidden layer's learning rate, as a multiple of the output layer's")
	f.Float64Var(&o.Lambda, "lambda", o.Lambda, "λ of TD(λ), 0 to 1")
	f.IntVar(&o.RoundGames, "round", o.RoundGames, "games played with one set of weights")
	f.IntVar(&o.Amplify, "amplify", o.Amplify, "positions a round that learn from a 1-ply look-ahead; 0 for none")
	f.IntVar(&o.Replay, "replay", o.Replay, "of the last so many positions they are drawn from")
	f.StringVar(&o.opponent, "opponent", "self", "opponent of the first games: self or pipcount")
	f.IntVar(&o.firstGames, "first-games", 10_000, "how many games --opponent pipcount plays")
	f.StringVar(&o.from, "from", "", "net to start from instead of random weights")
	f.Uint64Var(&o.Seed, "seed", o.Seed, "seed of weights and dice")
	addWorkersFlag(f, &o.Workers)
	f.DurationVar(&o.every, "checkpoint-every", 30*time.Second, "time between checkpoints")
	f.IntVar(&o.matchEvery, "match-every", 0, "play PubEval after every so many games, for the curve; 0 for never")
	f.IntVar(&o.matchGames, "match-games", 4000, "games of such a match")
	f.BoolVar(&o.fresh, "fresh", false, "begin anew even where a checkpoint exists")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	switch o.opponent {
	case "self":
	case "pipcount":
		o.Warmup = o.firstGames
	default:
		return usagef("--opponent %q: self or pipcount expected", o.opponent)
	}
	if o.out == "" || f.NArg() > 0 {
		return usagef("one output net expected: -o NET")
	}
	if o.matchEvery < 0 || o.matchGames < 2 {
		return usagef("--match-every %d, --match-games %d: 0 or more, and 2 or more, expected", o.matchEvery, o.matchGames)
	}
	if err := o.Check(); err != nil {
		return usageError{err}
	}
	return trainTD(ctx, e, &o)
}

func trainTD(ctx context.Context, e *env, o *tdOptions) error {
	for _, path := range []string{o.out, o.checkpoint(), o.out + ".curve.jsonl", o.out + ".curve.svg"} {
		if err := atomicfile.Clean(path); err != nil {
			return err
		}
	}
	st, err := o.start(e)
	if err != nil {
		return err
	}
	db, err := bearoff.Open(ctx, bearoff.Options{})
	if err != nil {
		return err
	}
	curve, err := openTDCurve(o.out+".curve", st.Games)
	if err != nil {
		return err
	}
	bar := newProgress(e, o.Games, "games")
	bar.Set(st.Games)
	r := &tdRun{o: o, db: db, curve: curve, bar: bar, saved: time.Now()}
	err = td.Run(ctx, st, db, o.Settings, td.Hooks{Round: func(st *td.State, p td.Point) error { return r.round(ctx, st, p) }})
	bar.Done()
	if err != nil {
		if errors.Is(err, context.Canceled) {
			err = errors.Join(r.save(st, nil), err)
		}
		return err
	}
	if err := errors.Join(curve.save(nil), curve.plot()); err != nil {
		return err
	}
	st.Nets.Provenance = o.Describe()
	if err := nets.Write(o.out, st.Nets); err != nil {
		return err
	}
	fmt.Fprintf(e.Stdout, "%s: %d games, net %s\n", o.out, st.Games, st.Nets.Fingerprint())
	if err := os.Remove(o.checkpoint()); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// tdRun is a run of td under way.
type tdRun struct {
	o     *tdOptions
	db    *bearoff.DB
	curve *tdCurve
	bar   *progress
	saved time.Time
}

// round follows the training: curve, matches and checkpoints.
func (r *tdRun) round(ctx context.Context, st *td.State, p td.Point) error {
	r.bar.Set(p.Games)
	r.curve.since.add(p)
	every := r.o.matchEvery
	if every > 0 && p.Games/every > (p.Games-r.o.RoundGames)/every {
		points, err := matchPubEval(ctx, st, r.db, r.o.matchGames, r.o.Workers)
		if err != nil {
			return err
		}
		r.bar.Note(fmt.Sprintf("rms error %.4f, %+.3f ± %.3f against PubEval", r.curve.since.rms(), points.Mean, points.SE))
		return r.save(st, points)
	}
	if time.Since(r.saved) < r.o.every {
		return nil
	}
	r.bar.Note(fmt.Sprintf("rms error %.4f, alpha %.4f", r.curve.since.rms(), p.Alpha))
	return r.save(st, nil)
}

// save writes a checkpoint and the curve up to it.
func (r *tdRun) save(st *td.State, points *stats.Stat) error {
	r.saved = time.Now()
	return errors.Join(td.SaveCheckpoint(r.o.checkpoint(), st, r.o.Settings), r.curve.save(points))
}

// checkpoint is the name of the checkpoint file.
func (o *tdOptions) checkpoint() string { return o.out + ".checkpoint" }

// start returns the state of the checkpoint, or that of the first game.
func (o *tdOptions) start(e *env) (*td.State, error) {
	from := ""
	var first *nets.Set
	if o.from != "" {
		f, err := openNet(o.from)
		if err != nil {
			return nil, err
		}
		first, from = f, f.Fingerprint()
	}
	if !o.fresh {
		st, err := td.LoadCheckpoint(o.checkpoint(), from, o.Settings)
		if err != nil {
			return nil, fmt.Errorf("%w (--fresh begins anew)", err)
		}
		if st != nil {
			fmt.Fprintf(e.Stderr, "going on after %d games\n", st.Games)
			return st, nil
		}
	}
	if first != nil {
		return &td.State{Nets: first, From: from}, nil
	}
	return td.New(o.Settings)
}
