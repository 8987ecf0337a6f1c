package main

import (
	"context"

	"bgtrain/data"
	"bgtrain/internal/player"
	"bgtrain/internal/setting"
	"bgtrain/rollout/job"

	"github.com/spf13/pflag"
)

// playerFlags are the flags that describe how a player evaluates, shared by every
// command that has one. Those that choose plays have addFilters besides.
type playerFlags struct{ job.PlayerSettings }

func (p *playerFlags) add(f *pflag.FlagSet) {
	p.PlayerSettings = job.DefaultPlayer()
	setting.List{p.NetSetting()}.AddFlags(f)
	p.Evaluation().AddFlags(f)
	section(f, "The player", "net", "one-sided", "two-sided", "cache", "prune")
}

// addEvaluation adds the flags that describe how nets evaluate.
func (p *playerFlags) addEvaluation(f *pflag.FlagSet) {
	p.PlayerSettings = job.DefaultPlayer()
	p.Evaluation().AddFlags(f)
}

// addFilters adds the flags that state which plays go on to look-ahead.
func (p *playerFlags) addFilters(f *pflag.FlagSet) {
	p.Filters().AddFlags(f)
	section(f, "The player", "filter", "filter-net")
}

// options returns how the flags let a player evaluate.
func (p *playerFlags) options() (player.Options, error) {
	if err := p.Check(); err != nil {
		return player.Options{}, usageError{err}
	}
	return p.PlayerOptions()
}

// open builds the player that the flags describe.
func (p *playerFlags) open(ctx context.Context, e *env) (*player.Player, error) {
	options, err := p.options()
	if err != nil {
		return nil, err
	}
	f, err := data.OpenMean(p.Net)
	if err != nil {
		return nil, err
	}
	db, err := openBearoff(ctx, e, p.OneSided, p.TwoSided)
	if err != nil {
		return nil, err
	}
	return player.New(f, db, options)
}

// openSmall returns the pruning nets of the player that the flags describe as a player of
// their own, nil where there are none.
func (p *playerFlags) openSmall(own *player.Player) (*player.Player, error) {
	f, err := data.OpenMean(p.Net)
	if err != nil {
		return nil, err
	}
	small := f.PruningPlayer()
	if small == nil {
		return nil, nil
	}
	return player.New(small, own.Bearoff(), player.Options{})
}
