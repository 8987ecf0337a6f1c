package cube

import "bgtrain/internal/bg"

// GNUbg is GNU Backgammon's 0-ply use of Janowski's model: a cube life index by
// the class of the position, and exact equities where the two-sided bearoff
// database has them.
type GNUbg struct{}

// The cube life indices of GNU Backgammon 1.07.
const (
	bearoffLife  = 0.6
	raceLife     = 0.55    // at no pips, plus
	raceLifePips = 0.00125 // for every pip of the player on roll,
	raceLifeMin  = 0.6     // within
	raceLifeMax  = 0.7     // these
)

// gnubgLife returns GNU Backgammon's cube life index.
func gnubgLife(p *Position) float64 {
	switch p.Class {
	case bg.Contact, bg.Crashed:
		return ContactLife
	case bg.Race:
		return min(max(raceLife+raceLifePips*float64(p.Pips), raceLifeMin), raceLifeMax)
	case bg.Bearoff:
		return bearoffLife
	}
	return 0
}

// Equity implements Model.
func (GNUbg) Equity(p *Position, s *State) float64 {
	x := gnubgLife(p)
	if p.Exact != nil && p.Class == bg.Bearoff {
		if s.Table == nil {
			return p.Exact.of(s.Owner)
		}
		x = exactLife(p, s)
	}
	return Janowski{x, x}.Equity(p, s)
}

// String implements Model.
func (GNUbg) String() string { return "gnubg" }

// exactLife is the index at which Janowski's model gives the exact equity for
// money, from 0 to the usual one.
func exactLife(p *Position, s *State) float64 {
	money := State{Cube: 1, Owner: s.Owner}
	if s.Owner != Centered {
		money.Cube = 2
	}
	dead, live := Dead{}.Equity(p, &money), Live{}.Equity(p, &money)
	if d := live - dead; d > 1e-4 || d < -1e-4 {
		return min(max((p.Exact.of(s.Owner)-dead)/d, 0), bearoffLife)
	}
	return bearoffLife
}
