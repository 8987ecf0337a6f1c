package opponents

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"bgtrain/internal/player"
	"bgtrain/internal/setting"
)

// Name is the name of a player, taken apart.
type Name struct {
	Base string // pubeval, pipcount, random, gnubg, or a net
	Ply  int    // look-ahead, in GNU Backgammon's counting
}

// mostPlies is how far the programs that are no nets look ahead at most.
var mostPlies = map[string]int{"pubeval": 0, "pipcount": 1, "random": 0, "gnubg": player.MaxPly}

// ParseName reads a name such as td, td:2 or gnubg:1; ply is the look-ahead of one
// without its own. The programs look ahead as they do whatever ply is; pipcount:0 does
// without its ply of look-ahead.
func ParseName(text string, ply int) (Name, error) {
	n := Name{text, ply}
	own := false
	if i := strings.LastIndexByte(text, ':'); i >= 0 {
		if p, err := strconv.Atoi(text[i+1:]); err == nil {
			n, own = Name{text[:i], p}, true
		}
	}
	if n.Ply < 0 || n.Ply > player.MaxPly {
		return Name{}, fmt.Errorf("%d plies: 0 to %d expected", n.Ply, player.MaxPly)
	}
	most, program := mostPlies[n.Base]
	if program && own && n.Ply > most {
		return Name{}, fmt.Errorf("player %s: %s looks ahead %d plies at most", text, n.Base, most)
	}
	if program && !own && n.Base != "gnubg" {
		n.Ply = most
	}
	return n, nil
}

// String returns the name as ParseName reads it, with the ply where there is a choice.
func (n Name) String() string {
	if most, program := mostPlies[n.Base]; program && n.Base != "gnubg" && n.Ply == most {
		return n.Base
	}
	return fmt.Sprintf("%s:%d", n.Base, n.Ply)
}

// IsNet reports whether the name is that of a net.
func (n Name) IsNet() bool {
	_, program := mostPlies[n.Base]
	return !program
}

// Opener opens players by their names. Players with the same net share it and its
// cache.
type Opener struct {
	Ply   int   // of a name without its own
	GNUbg GNUbg // how GNU Backgammon is run, but for its ply

	// OpenNet opens a player of a net, which is called once for each name.
	OpenNet func(ctx context.Context, name string) (*player.Player, error)

	nets map[string]*player.Player
}

// List returns each setting: its flag, what it may be, what it does.
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
	p, err := o.OpenNet(ctx, name)
	if err != nil {
		return nil, err
	}
	if o.nets == nil {
		o.nets = map[string]*player.Player{}
	}
	o.nets[name] = p
	return p, nil
}

// NetOf returns the nets of a player, nil for one without.
func NetOf(p Player) *player.Player {
	if n, ok := p.(*NetPlayer); ok {
		return n.Net
	}
	return nil
}
