package opponents

import (
	"fmt"
	"strconv"
	"strings"

	"bgtrain/internal/player"
)

// Name is the name of a player, taken apart.
type Name struct {
	Base string // pubeval, pipcount, random, gnubg, or a net
	Ply  int    // look-ahead, in GNU Backgammon's counting
}

// Programs are the players that are no nets.
var Programs = []string{"pubeval", "pipcount", "random", "gnubg"}

// mostPlies is how far Programs look ahead at most.
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
