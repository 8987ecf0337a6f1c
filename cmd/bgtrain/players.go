package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"bgtrain/data"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/nets"
	"bgtrain/internal/player"
	"bgtrain/rollout/job"

	"github.com/spf13/pflag"
)

// playerFlags are the flags that say how a player evaluates, shared by every
// command that has one. Those that choose plays have addFilters besides.
type playerFlags struct {
	net      string
	oneSided int
	twoSided int
	cacheMB  int
	prune    bool
	filter   string

	filterNet string
}

func (p *playerFlags) add(f *pflag.FlagSet) {
	f.StringVar(&p.net, "net", "default",
		"net file, or the name of an embedded one: td, fast, default, gnubg-size, gnubg-wide")
	p.addEvaluation(f)
	section(f, "The player", "net", "one-sided", "two-sided", "cache", "prune")
}

// addEvaluation adds the flags that say how nets evaluate.
func (p *playerFlags) addEvaluation(f *pflag.FlagSet) {
	f.IntVar(&p.oneSided, "one-sided", 0, oneSidedHelp)
	f.IntVar(&p.twoSided, "two-sided", 0, twoSidedHelp)
	f.IntVar(&p.cacheMB, "cache", 256, "size of the position cache in MiB, 0 for none")
	f.BoolVar(&p.prune, "prune", true, pruneHelp)
}

const pruneHelp = "let pruning nets, where a player has them, preselect plays inside a look-ahead, as GNU " +
	"Backgammon does by default"

// addFilters adds the flags that say which plays go on to look-ahead.
func (p *playerFlags) addFilters(f *pflag.FlagSet) {
	f.StringVar(&p.filter, "filter", "normal",
		"which plays go on from 0-ply to look-ahead: normal (GNU Backgammon's), none (all of them), or "+
			"COUNT/POINTS such as 8/0.2")
	f.StringVar(&p.filterNet, "filter-net", "",
		"net whose pruning nets, or else whose nets, evaluate the plays for that at 0-ply, instead of the player's "+
			"own: small ones are faster")
	section(f, "The player", "filter", "filter-net")
}

// read returns the nets of the player, all that a job needs, and how it evaluates.
func (p *playerFlags) read() (*nets.Set, job.Nets, job.Player, error) {
	options, err := p.options()
	if err != nil {
		return nil, nil, job.Player{}, err
	}
	set, err := openNet(p.net)
	if err != nil {
		return nil, nil, job.Player{}, err
	}
	have := job.Nets{}
	have.Add(set)
	have.Add(options.FilterNet)
	return set, have, p.job(set, options), nil
}

// job returns how a player with these nets evaluates.
func (p *playerFlags) job(set *nets.Set, o player.Options) job.Player {
	one := p.oneSided
	if one == bearoff.Points {
		one = 0 // the same
	}
	how := job.Player{Net: set.Fingerprint(), OneSided: one, TwoSided: p.twoSided, Prune: p.prune, Filter: p.filter}
	if o.FilterNet != nil {
		how.FilterNet = o.FilterNet.Fingerprint()
	}
	return how
}

// options returns how the flags let a player evaluate.
func (p *playerFlags) options() (player.Options, error) {
	filter := p.filter
	if filter == "" { // a command without the flag
		filter = "normal"
	}
	filters, err := player.ParseFilters(filter)
	if err != nil {
		return player.Options{}, usageError{err}
	}
	o := player.Options{CacheMB: p.cacheMB, Prune: p.prune, Filters: filters}
	if p.filterNet == "" {
		return o, nil
	}
	if filter == "none" {
		return o, usagef("--filter-net %s: nothing to do with --filter none", p.filterNet)
	}
	if o.FilterNet, err = openNet(p.filterNet); err != nil {
		return o, fmt.Errorf("--filter-net: %w", err)
	}
	if o.FilterNet.CanPrune() {
		o.FilterNet = o.FilterNet.PruningPlayer()
	}
	return o, nil
}

// openNet reads a net file or an embedded net.
func openNet(name string) (*nets.Set, error) {
	if f, ok, err := data.Net(name); ok || err != nil {
		return f, err
	}
	f, err := nets.Read(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w, and no embedded net has that name (%s)", err, strings.Join(data.NetNames(), ", "))
	case err != nil:
		return nil, fmt.Errorf("read net: %w", err)
	}
	return f, nil
}

// open builds the player that the flags describe.
func (p *playerFlags) open(ctx context.Context, e *env) (*player.Player, error) {
	options, err := p.options()
	if err != nil {
		return nil, err
	}
	f, err := openNet(p.net)
	if err != nil {
		return nil, err
	}
	db, err := openBearoff(ctx, e, p.oneSided, p.twoSided)
	if err != nil {
		return nil, err
	}
	return player.New(f, db, options)
}
