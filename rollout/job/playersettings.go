package job

import (
	"cmp"
	"fmt"

	"bgtrain/data"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/nets"
	"bgtrain/internal/player"
	"bgtrain/internal/setting"
)

// PlayerSettings describe how a player evaluates, its nets by their names.
type PlayerSettings struct {
	Net      string // file or embedded net
	OneSided int    // points, see bearoff.Options
	TwoSided int    // checkers, see there
	CacheMB  int    // of the position cache
	Prune    bool   // see player.Options

	Filter    string // see player.ParseFilters
	FilterNet string // "": the player's own
}

// DefaultPlayer is the player of a command.
func DefaultPlayer() PlayerSettings {
	return PlayerSettings{Net: "default", CacheMB: 256, Prune: true, Filter: "normal"}
}

// NetSetting is the setting of the net.
func (p *PlayerSettings) NetSetting() setting.Setting {
	return setting.Setting{Name: "net", To: &p.Net,
		Help: "net file, or the name of an embedded one: " + data.NetList() +
			"; with + between several, the mean of what they say"}
}

// Evaluation lists each setting of how nets evaluate.
func (p *PlayerSettings) Evaluation() setting.List {
	return append(bearoff.Settings(&p.OneSided, &p.TwoSided),
		player.CacheSetting(&p.CacheMB, "size of the position cache in MiB, 0 for none"),
		setting.Setting{Name: "prune", To: &p.Prune, Help: "let pruning nets, where a player has them, preselect " +
			"plays inside a look-ahead, as GNU Backgammon does by default"})
}

// Filters lists each setting of which plays go on to look-ahead.
func (p *PlayerSettings) Filters() setting.List {
	parse := func(text string) (string, error) {
		_, err := player.ParseFilters(text)
		return text, err
	}
	return setting.List{
		{Name: "filter", To: setting.Parsed(&p.Filter, parse, func(text string) string { return text }),
			Help: "which plays go on from 0-ply to look-ahead: normal (GNU Backgammon's), none (all of them), or " +
				"COUNT/POINTS such as 8/0.2"},
		{Name: "filter-net", To: &p.FilterNet,
			Help: "net whose pruning nets, or else whose nets, evaluate the plays for that at 0-ply, instead of the " +
				"player's own: small ones are faster"},
	}
}

// Check reports settings that make no sense together.
func (p *PlayerSettings) Check() error {
	if p.FilterNet != "" && p.Filter == "none" {
		return fmt.Errorf("--filter-net %s: nothing to do with --filter none", p.FilterNet)
	}
	return nil
}

// Read returns the nets of the player, all that a job needs, and how it evaluates.
func (p *PlayerSettings) Read() (*nets.Set, Nets, Player, error) {
	o, err := p.PlayerOptions()
	if err != nil {
		return nil, nil, Player{}, err
	}
	set, err := data.OpenMean(p.Net)
	if err != nil {
		return nil, nil, Player{}, err
	}
	have := Nets{}
	have.Add(set)
	have.Add(o.FilterNet)
	return set, have, p.With(set, o.FilterNet), nil
}

// With returns how a player with these nets evaluates; the one of the filter may be nil.
func (p *PlayerSettings) With(set, filter *nets.Set) Player {
	one := p.OneSided
	if one == bearoff.Points {
		one = 0 // the same
	}
	how := Player{Net: set.Fingerprint(), OneSided: one, TwoSided: p.TwoSided, Prune: p.Prune, Filter: p.Filter}
	if filter != nil {
		how.FilterNet = filter.Fingerprint()
	}
	return how
}

// PlayerOptions returns how the player evaluates, and reads the net of its filter.
func (p *PlayerSettings) PlayerOptions() (player.Options, error) {
	filters, err := player.ParseFilters(cmp.Or(p.Filter, "normal"))
	o := player.Options{CacheMB: p.CacheMB, Prune: p.Prune, Filters: filters}
	if err != nil || p.FilterNet == "" {
		return o, err
	}
	if o.FilterNet, err = data.OpenNet(p.FilterNet); err != nil {
		return o, fmt.Errorf("--filter-net: %w", err)
	}
	if o.FilterNet.CanPrune() {
		o.FilterNet = o.FilterNet.PruningPlayer()
	}
	return o, nil
}
