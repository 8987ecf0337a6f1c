package main

import (
	"context"
	"fmt"

	"bgtrain/benchmark/cube"
	"bgtrain/benchmark/cube/met"
	"bgtrain/benchmark/engine"
	"bgtrain/internal/player"

	"github.com/spf13/pflag"
)

// brainFlags are the flags of commands in which a net plays against others.
type brainFlags struct {
	player playerFlags
	ply    int
	cube   string
	met    string
}

// add adds the flags; net says whether the net is a flag, too, and not an argument.
func (b *brainFlags) add(f *pflag.FlagSet, net bool) {
	if net {
		b.player.add(f)
	} else {
		b.player.addEvaluation(f)
		section(f, "The player", "one-sided", "two-sided", "cache", "prune")
	}
	b.player.addFilters(f)
	f.IntVar(&b.ply, "ply", 1, "look-ahead, 0 to 3, in GNU Backgammon's counting")
	f.StringVar(&b.cube, "cube", "gnubg", "cube model, or none: "+cube.Models)
	addMETFlag(f, &b.met, "matches")
	section(f, "The player", "ply", "cube", "met")
}

// open returns what makes players of the kind that the flags describe, one for
// each goroutine.
func (b *brainFlags) open(ctx context.Context, e *env) (func() *engine.Brain, error) {
	if b.ply < 0 || b.ply > player.MaxPly {
		return nil, usagef("--ply %d: 0 to %d expected", b.ply, player.MaxPly)
	}
	var model cube.Model
	if b.cube != "none" {
		var err error
		if model, err = cube.ParseModel(b.cube); err != nil {
			return nil, usageError{fmt.Errorf("--cube: %w", err)}
		}
	}
	table, err := met.Open(b.met)
	if err != nil {
		return nil, err
	}
	p, err := b.player.open(ctx, e)
	if err != nil {
		return nil, err
	}
	return func() *engine.Brain {
		return &engine.Brain{Evaluator: p.NewEvaluator(), Ply: b.ply, Model: model, Table: table}
	}, nil
}

// netArgument takes the one argument of a command for its net; without one it is
// the default.
func (b *brainFlags) netArgument(f *pflag.FlagSet) error {
	switch f.NArg() {
	case 0:
		b.player.net = "default"
	case 1:
		b.player.net = f.Arg(0)
	default:
		return usagef("one net expected, not %d", f.NArg())
	}
	return nil
}
