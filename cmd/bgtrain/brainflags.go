package main

import (
	"context"

	"bgtrain/internal/cube"
	"bgtrain/internal/cube/met"
	"bgtrain/internal/player"
	"bgtrain/internal/protocol"
	"bgtrain/internal/setting"

	"github.com/spf13/pflag"
)

// brainFlags are the flags of commands in which a net plays against others.
type brainFlags struct {
	player playerFlags
	ply    int
	model  cube.Model // nil: never doubles
	table  *met.Table
}

// add adds the flags; net reports whether the net is a flag, too, and not an argument.
func (b *brainFlags) add(f *pflag.FlagSet, net bool) {
	if net {
		b.player.add(f)
	} else {
		b.player.addEvaluation(f)
		section(f, "The player", "one-sided", "two-sided", "cache", "prune")
	}
	b.player.addFilters(f)
	b.ply, b.model = 1, cube.GNUbg{}
	setting.List{
		player.PlySetting("ply", &b.ply, "look-ahead in GNU Backgammon's counting"),
		{Name: "cube", To: cube.ModelOrNone(&b.model), Help: "cube model, or none: " + cube.Models},
		met.Setting(&b.table, "matches"),
	}.AddFlags(f)
	section(f, "The player", "ply", "cube", "met")
}

// open returns what makes players of the kind that the flags describe, one for
// each goroutine.
func (b *brainFlags) open(ctx context.Context, e *env) (func() *protocol.Brain, error) {
	table, err := b.table.OrDefault()
	if err != nil {
		return nil, err
	}
	p, err := b.player.open(ctx, e)
	if err != nil {
		return nil, err
	}
	return func() *protocol.Brain {
		return &protocol.Brain{Evaluator: p.NewEvaluator(), Ply: b.ply, Model: b.model, Table: table}
	}, nil
}

// netArgument takes the one argument of a command for its net; without one it is
// the default.
func (b *brainFlags) netArgument(f *pflag.FlagSet) error {
	switch f.NArg() {
	case 0:
		b.player.Net = "default"
	case 1:
		b.player.Net = f.Arg(0)
	default:
		return usagef("one net expected, not %d", f.NArg())
	}
	return nil
}
