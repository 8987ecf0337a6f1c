// Package player evaluates positions and chooses plays with a set of nets and
// the bearoff databases, at 0-ply or by look-ahead.
package player

import (
	"fmt"

	"bgtrain/features"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
)

// Options are how a Player evaluates.
type Options struct {
	// CacheMB is the size of the position cache in MiB, shared by all evaluators
	// of the player; 0 is none.
	CacheMB int

	// Prune lets the pruning nets preselect the plays that the nodes of a look-ahead
	// evaluate, where the player has all three; without them it changes nothing.
	// GNU Backgammon does so by default; look-ahead values change by some
	// thousandths.
	Prune bool

	// Filters narrow the plays from ply to ply; the zero value is NormalFilters.
	Filters Filters

	// FilterNet, if set, takes the place of the player's own nets where the first
	// filter of a choice of plays, that after 0-ply, ranks the plays: a small one
	// makes this cheaper. Plays that are dropped have its values.
	FilterNet *nets.Set
}

// Player is a set of nets and bearoff databases that together evaluate
// positions. It is immutable but for its cache and may be shared by any number
// of goroutines, each with its own Evaluator.
type Player struct {
	nets    [bg.NumClasses]*evalNet // by class; nil for Over and Bearoff
	pruning [bg.NumClasses]*evalNet // likewise; nil without pruning
	bearoff *bearoff.DB             // may be nil
	cache   *cache                  // may be nil
	filters Filters
	coarse  *Player   // for the first filter; nil for the player itself
	others  []*Player // a net's value is the mean of the player's and theirs; see nets.Mean
}

// evalNet is one compiled net with its inputs.
type evalNet struct {
	net  *nn.Compiled
	set  *features.Set
	near *nn.Near // ranks plays; nil if the net cannot
}

// New builds a player from a net file. db may be nil: then races are left to the
// race net to the end.
func New(f *nets.Set, db *bearoff.DB, o Options) (*Player, error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	p := &Player{bearoff: db, filters: o.Filters}
	if p.filters == nil {
		p.filters = NormalFilters
	}
	if err := p.filters.Check(); err != nil {
		return nil, err
	}
	if o.CacheMB > 0 {
		p.cache = newCache(o.CacheMB)
	}
	prune := o.Prune && f.CanPrune()
	var err error
	for _, r := range nets.Main {
		if p.nets[r.Class()], err = compile(f, r); err != nil {
			return nil, err
		}
		if !prune {
			continue
		}
		if p.pruning[r.Class()], err = compile(f, r.Pruning()); err != nil {
			return nil, err
		}
	}
	for _, set := range f.Others {
		other, err := New(set, db, Options{})
		if err != nil {
			return nil, err
		}
		p.others = append(p.others, other)
	}
	if o.FilterNet != nil {
		if p.coarse, err = New(o.FilterNet, db, Options{}); err != nil {
			return nil, fmt.Errorf("net of the filter: %w", err)
		}
	}
	return p, nil
}

// compile lays the net of a role out.
func compile(f *nets.Set, r nets.Role) (*evalNet, error) {
	e := f.Nets[r]
	set, err := features.Lookup(e.Inputs, e.InputsVersion)
	if err != nil {
		return nil, fmt.Errorf("%s net: %w", r, err)
	}
	if set.Size != e.Net.Inputs() || e.Net.Outputs() != bg.NumOutputs {
		return nil, fmt.Errorf("%s net is %d-…-%d, but inputs %s give %d and there are %d outputs",
			r, e.Net.Inputs(), e.Net.Outputs(), set.Name, set.Size, bg.NumOutputs)
	}
	c, err := nn.Compile(e.Net)
	if err != nil {
		return nil, fmt.Errorf("%s net: %w", r, err)
	}
	near, err := compileNear(e.Net, set)
	if err != nil {
		return nil, fmt.Errorf("%s net: %w", r, err)
	}
	return &evalNet{c, set, near}, nil
}

// Bearoff returns the databases in use, or nil.
func (p *Player) Bearoff() *bearoff.DB { return p.bearoff }

// Class returns the class of a position to this player: bg.Classify's, or
// bg.Bearoff for a race that its databases cover.
func (p *Player) Class(b *bg.Board) bg.Class {
	c := bg.Classify(b)
	if c == bg.Race && p.bearoff != nil && p.bearoff.Covers(b) {
		return bg.Bearoff
	}
	return c
}

// exact reports whether the 0-ply value of a position is exact: then looking ahead
// can only blur it. That of one-sided databases is not.
func (p *Player) exact(b *bg.Board) bool {
	switch p.Class(b) {
	case bg.Over:
		return true
	case bg.Bearoff:
		return p.bearoff.Exact(b)
	}
	return false
}
