package opponents

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"bgtrain/data"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/identity"
	"bgtrain/internal/near"
	"bgtrain/internal/player"
	"bgtrain/internal/setting"
	"bgtrain/rollout/job"
)

// Opener opens players by their names. Players with the same net share it and its
// cache, all of them the bearoff databases.
type Opener struct {
	job.PlayerSettings       // how nets evaluate; the net itself is not looked at
	Ply                int   // of a name without its own
	GNUbg              GNUbg // how GNU Backgammon is run, but for its ply

	// Bearoff is the databases of players of nets. OpenBearoff, which may be nil for
	// bearoff.Open, opens them where there are none yet.
	Bearoff     *bearoff.DB
	OpenBearoff func(ctx context.Context, o bearoff.Options) (*bearoff.DB, error)

	nets map[string]*player.Player
	how  map[*player.Player]job.Player
}

// List returns each setting but those of nets: its flag, what it may be, what it does.
func (o *Opener) List() setting.List {
	return setting.List{
		player.PlySetting("ply", &o.Ply, "look-ahead of players without their own"),
		{Name: "gnubg", To: &o.GNUbg.Binary, Help: "GNU Backgammon's program; without it the one in PATH"},
		{Name: "gnubg-data", To: &o.GNUbg.DataDir,
			Help: "directory where GNU Backgammon finds its weights, instead of its own"},
		{Name: "gnubg-timeout", To: &o.GNUbg.Timeout,
			Help: "how long GNU Backgammon may take for an answer; 0 a minute, an hour at 3-ply"},
	}
}

// Open returns the player of a name; the objective is that of a net.
func (o *Opener) Open(ctx context.Context, n Name, objective Objective) (Player, error) {
	switch n.Base {
	case "pubeval":
		return PubEval{}, nil
	case "pipcount":
		return PipCount{Static: n.Ply == 0}, nil
	case "random":
		return Random{}, nil
	case "gnubg":
		g := o.GNUbg
		g.Ply = n.Ply
		return &g, nil
	}
	p, err := o.Net(ctx, n.Base)
	if err != nil {
		return nil, err
	}
	label := n.String()
	if objective == Wins {
		label += " (wins only)"
	}
	return &NetPlayer{Net: p, Ply: n.Ply, Objective: objective, Label: label}, nil
}

// Net returns the player of a net, the same one for the same name.
func (o *Opener) Net(ctx context.Context, name string) (*player.Player, error) {
	if p := o.nets[name]; p != nil {
		return p, nil
	}
	options, err := o.PlayerOptions()
	if err != nil {
		return nil, err
	}
	set, err := data.OpenMean(name)
	if errors.Is(err, fs.ErrNotExist) {
		text, _, _ := strings.Cut(err.Error(), ": did you mean ") // asked once, of all that plays
		return nil, fmt.Errorf("player %s is not pubeval, pipcount, random or gnubg, nor a net: %s%s", name, text,
			near.Ask(name, "", append(data.NetNames(), Programs...)))
	}
	if err != nil {
		return nil, err
	}
	if o.OpenBearoff == nil {
		o.OpenBearoff = bearoff.Open
	}
	if o.Bearoff == nil {
		o.Bearoff, err = o.OpenBearoff(ctx, bearoff.Options{OneSidedPoints: o.OneSided, TwoSidedCheckers: o.TwoSided})
		if err != nil {
			return nil, err
		}
	}
	p, err := player.New(set, o.Bearoff, options)
	if err != nil {
		return nil, fmt.Errorf("net %s: %w", name, err)
	}
	if o.nets == nil {
		o.nets, o.how = map[string]*player.Player{}, map[*player.Player]job.Player{}
	}
	o.nets[name], o.how[p] = p, o.With(set, options.FilterNet)
	return p, nil
}

// How is how a player that Net returned evaluates.
func (o *Opener) How(p *player.Player) job.Player { return o.how[p] }

// Identity returns what the plays of a player that Open returned depend on.
func (o *Opener) Identity(p Player) (identity.ID, error) {
	switch p := p.(type) {
	case *NetPlayer:
		id := o.How(p.Net).Identity(p.Ply, p.Ply)
		id.Add("ply", p.Ply)
		id.Add("wins-only", p.Objective == Wins)
		return id, nil
	case *GNUbg:
		id := identity.ID{"gnubg": strconv.Itoa(p.Ply)}
		if p.DataDir == "" {
			return id, nil
		}
		for _, name := range []string{"gnubg.wd", "gnubg.weights"} {
			digest, err := identity.OfFile(filepath.Join(p.DataDir, name))
			if err != nil {
				return nil, err
			}
			id[name] = digest
		}
		return id, nil
	}
	return identity.ID{"player": p.Name()}, nil
}

// NetOf returns the nets of a player, nil for one without.
func NetOf(p Player) *player.Player {
	if n, ok := p.(*NetPlayer); ok {
		return n.Net
	}
	return nil
}
