package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"time"

	"bgtrain/internal/bearoff"
	"bgtrain/internal/netfile"
	"bgtrain/trainer/td"
)

type tdOptions struct {
	td.Settings
	from, out, opponent string
	firstGames          int
	every               time.Duration
	fresh               bool
}

func runTD(ctx context.Context, e *env, args []string) error {
	o := tdOptions{Settings: td.Defaults}
	o.Workers = runtime.GOMAXPROCS(0)
	f := newFlags(e, "td [flags] -o NET",
		"Trains starting weights by temporal differences from self-play, from random weights.\nInterrupted, the same command goes on from the last checkpoint (NET.checkpoint).",
		"bgtrain td --games 1000000 --hidden 128 -o td.safetensors")
	f.StringVarP(&o.out, "output", "o", "", "net file to write")
	f.IntVar(&o.Games, "games", o.Games, "self-play games")
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
	f.IntVar(&o.Workers, "workers", o.Workers, "goroutines; the result does not depend on it")
	f.DurationVar(&o.every, "checkpoint-every", 30*time.Second, "time between checkpoints")
	f.BoolVar(&o.fresh, "fresh", false, "begin anew even where a checkpoint exists")
	if err := parseFlags(f, args); err != nil {
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
	if err := o.Check(); err != nil {
		return usageError{err}
	}
	return trainTD(ctx, e, &o)
}

func trainTD(ctx context.Context, e *env, o *tdOptions) error {
	st, err := o.start(e)
	if err != nil {
		return err
	}
	db, err := bearoff.Open(ctx, bearoff.Options{})
	if err != nil {
		return err
	}
	checkpoint := o.out + ".checkpoint"
	c, err := openCurve(o.out+".curve.jsonl", st.Games)
	if err != nil {
		return err
	}
	defer c.Close()
	bar := newProgress(e, o.Games, "games")
	bar.Set(st.Games)
	saved := time.Now()
	var mean tdMean
	err = td.Run(ctx, st, db, o.Settings, td.Hooks{Round: func(st *td.State, p td.Point) error {
		bar.Set(p.Games)
		mean.add(p)
		if time.Since(saved) < o.every {
			return nil
		}
		saved = time.Now()
		if err := td.SaveCheckpoint(checkpoint, st, o.Settings); err != nil {
			return err
		}
		bar.Note(fmt.Sprintf("rms error %.4f, alpha %.4f", mean.point().RMS, p.Alpha))
		return c.Add(mean.take())
	}})
	bar.Done()
	if err != nil {
		if errors.Is(err, context.Canceled) {
			err = errors.Join(td.SaveCheckpoint(checkpoint, st, o.Settings), err)
		}
		return err
	}
	if mean.n > 0 {
		if err := c.Add(mean.take()); err != nil {
			return err
		}
	}
	st.Nets.Provenance = o.Describe()
	if err := netfile.Write(o.out, st.Nets); err != nil {
		return err
	}
	fmt.Fprintf(e.Stdout, "%s: %d games, net %s\n", o.out, st.Games, st.Nets.Fingerprint())
	if err := os.Remove(checkpoint); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// start returns the state of the checkpoint, or that of the first game.
func (o *tdOptions) start(e *env) (*td.State, error) {
	from := ""
	var first *netfile.File
	if o.from != "" {
		f, err := openNet(o.from)
		if err != nil {
			return nil, err
		}
		first, from = f, f.Fingerprint()
	}
	if !o.fresh {
		st, err := td.LoadCheckpoint(o.out+".checkpoint", from, o.Settings)
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

// tdMean gathers the points of several rounds into one of the curve.
type tdMean struct {
	n         int
	positions int
	squares   float64
	last      td.Point
}

func (m *tdMean) add(p td.Point) {
	m.n++
	m.positions += p.Positions
	m.squares += p.RMS * p.RMS * float64(p.Positions)
	m.last = p
}

func (m *tdMean) point() td.Point {
	p := m.last
	p.Positions = m.positions
	p.RMS = math.Sqrt(m.squares / float64(max(1, m.positions)))
	return p
}

func (m *tdMean) take() td.Point {
	p := m.point()
	*m = tdMean{}
	return p
}
