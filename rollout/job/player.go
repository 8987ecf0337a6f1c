package job

import (
	"context"
	"fmt"
	"strconv"

	"bgtrain/internal/bearoff"
	"bgtrain/internal/cpu"
	"bgtrain/internal/identity"
	"bgtrain/internal/player"
)

// Player describes how the player evaluates.
type Player struct {
	Net      string `json:"net"`                 // fingerprint
	OneSided int    `json:"one_sided,omitempty"` // see bearoff.Options; 0 also for Points
	TwoSided int    `json:"two_sided,omitempty"` // checkers, see there
	Prune    bool   `json:"prune,omitempty"`     // see player.Options
	Filter   string `json:"filter,omitempty"`    // see player.ParseFilters; "" is normal

	FilterNet string `json:"filter_net,omitempty"` // fingerprint of the net that filters, "" for the player's own
}

func (p *Player) filter() string {
	if p.Filter == "" {
		return "normal"
	}
	return p.Filter
}

// Describe returns what the player's values and plays depend on besides its nets,
// the processor's rounding among it, as entries of a database's metadata: deepest
// is the deepest look-ahead that is asked for, plays that of the choice of plays,
// where filters count.
func (p Player) Describe(deepest, plays int) map[string]string {
	twoSided := p.TwoSided
	if twoSided == 0 {
		twoSided = bearoff.DefaultTwoSided
	}
	m := map[string]string{
		"bearoff":        "two-sided " + strconv.Itoa(max(twoSided, 0)),
		cpu.RoundingName: cpu.Rounding(),
	}
	switch p.OneSided {
	case bearoff.None:
		m["bearoff"] = "none"
	case 0:
	default:
		m["one-sided"] = strconv.Itoa(p.OneSided) // points
	}
	if p.Prune && deepest > 0 {
		m["prune"] = "true"
	}
	if p.filter() != "normal" && plays > 0 {
		m["filter"] = p.Filter
	}
	if p.FilterNet != "" && plays > 0 {
		m["filter-net"] = p.FilterNet
	}
	return m
}

// Identity begins a run's identity with the player: its net, and what Describe says.
func (p Player) Identity(deepest, plays int) identity.ID {
	id := identity.ID{"net": p.Net}
	id.AddAll("", p.Describe(deepest, plays))
	return id
}

// Open returns the player, with a position cache of so many MiB.
func (p Player) Open(ctx context.Context, have Nets, cacheMB int) (*player.Player, error) {
	db, err := bearoff.Open(ctx, bearoff.Options{OneSidedPoints: p.OneSided, TwoSidedCheckers: p.TwoSided})
	if err != nil {
		return nil, err
	}
	filters, err := player.ParseFilters(p.filter())
	if err != nil {
		return nil, err
	}
	own, ok := have.Get(p.Net)
	if !ok {
		return nil, fmt.Errorf("net %s is not there", p.Net)
	}
	o := player.Options{CacheMB: cacheMB, Prune: p.Prune, Filters: filters}
	if p.FilterNet != "" {
		if o.FilterNet, ok = have[p.FilterNet]; !ok {
			return nil, fmt.Errorf("net %s, of the filter, is not there", p.FilterNet)
		}
	}
	return player.New(own, db, o)
}
