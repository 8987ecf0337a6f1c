package main

import (
	"context"
	"fmt"

	"bgtrain/data"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/netfile"
	"bgtrain/internal/player"

	"github.com/spf13/pflag"
)

// playerFlags are the flags that say how a player evaluates, shared by every
// command that has one.
type playerFlags struct {
	net      string
	twoSided int
	cacheMB  int
	prune    bool
}

func (p *playerFlags) add(f *pflag.FlagSet) {
	f.StringVar(&p.net, "net", "default", "net file, or the name of an embedded one: td, default")
	f.IntVar(&p.twoSided, "two-sided", 0, "checkers a side of the exact bearoff database; 0 the default size, -1 none")
	f.IntVar(&p.cacheMB, "cache", 256, "size of the position cache in MiB, 0 for none")
	f.BoolVar(&p.prune, "prune", false, "let pruning nets, where the player has them, preselect plays inside a look-ahead")
}

// openNet reads a net file or an embedded net.
func openNet(name string) (*netfile.File, error) {
	if f, ok, err := data.Net(name); ok || err != nil {
		return f, err
	}
	f, err := netfile.Read(name)
	if err != nil {
		return nil, fmt.Errorf("read net %s: %w", name, err)
	}
	return f, nil
}

// open builds the player that the flags describe.
func (p *playerFlags) open(ctx context.Context, e *env) (*player.Player, error) {
	f, err := openNet(p.net)
	if err != nil {
		return nil, err
	}
	db, err := bearoff.Open(ctx, bearoff.Options{TwoSidedCheckers: p.twoSided})
	if err != nil {
		return nil, err
	}
	return player.New(f, db, player.Options{CacheMB: p.cacheMB, Prune: p.prune})
}
