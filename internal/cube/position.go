package cube

import "bgtrain/internal/bg"

// Position is what a model takes of a position.
type Position struct {
	Outputs bg.Outputs // of the player on roll
	Class   bg.Class
	Pips    int // of the player on roll

	// Volatility is the mean absolute change of the chance to win by the next roll,
	// 0 where it was not measured. UsesVolatility has which models need it.
	Volatility float64

	// Exact holds the cubeful equities for money where a database has them.
	Exact *Exact

	// Board is the position itself, without checkers where it is not known.
	Board bg.Board

	told indices // of Learned
}

// Exact are equities for money without gammons, in points per cube: what the
// two-sided bearoff database has.
type Exact struct {
	Cubeless, Centered, Owned, OpponentOwned float64
}

// PositionOf is what a model takes of a board and its outputs, as far as that follows
// from the board: races with all checkers in the home boards count as bearoffs.
func PositionOf(b *bg.Board, o *bg.Outputs) Position {
	p := Position{Outputs: *o, Class: bg.Classify(b), Pips: b.Me.Pips(), Board: *b}
	if p.Class == bg.Race && b.Me.Back() < 6 && b.Opp.Back() < 6 {
		p.Class = bg.Bearoff
	}
	return p
}

// of returns the equity for a holder of the cube.
func (e *Exact) of(h Holder) float64 {
	switch h {
	case Centered:
		return e.Centered
	case Owned:
		return e.Owned
	}
	return e.OpponentOwned
}

// rates are how often a won, and a lost, game is a plain one, a gammon and a
// backgammon.
type rates struct {
	win       float64 // chance to win
	won, lost [3]float64
}

// ratesOf reads the outputs. Those that contradict each other by rounding are
// kept in range.
func ratesOf(o *bg.Outputs) rates {
	r := rates{win: min(max(float64(o[bg.Win]), 0), 1)}
	r.won = split(r.win, float64(o[bg.WinGammon]), float64(o[bg.WinBackgammon]))
	r.lost = split(1-r.win, float64(o[bg.LoseGammon]), float64(o[bg.LoseBackgammon]))
	return r
}

func split(all, gammon, backgammon float64) [3]float64 {
	if !(all > 0) {
		return [3]float64{1, 0, 0}
	}
	g := min(max(gammon/all, 0), 1)
	b := min(max(backgammon/all, 0), g)
	return [3]float64{1 - g, g - b, b}
}

// swapped are the rates as the other player sees them.
func (r rates) swapped() rates { return rates{1 - r.win, r.lost, r.won} }

// points are what a won and a lost game counts on average, in cubes.
func (r *rates) points() (w, l float64) {
	return r.won[0] + 2*r.won[1] + 3*r.won[2], r.lost[0] + 2*r.lost[1] + 3*r.lost[2]
}

// worths returns what a won and a lost game is worth on average with a cube of
// so many points: MWC in a match, points for money.
func (r *rates) worths(s *State, cube int) (won, lost float64) {
	for i := range r.won {
		won += r.won[i] * s.worth((i+1)*cube)
		lost += r.lost[i] * s.worth(-(i+1)*cube)
	}
	return won, lost
}

// Cubeless returns the equity of the position if the cube is never turned again,
// normalized to the cube as it lies.
func Cubeless(o *bg.Outputs, s *State) float64 {
	r := ratesOf(o)
	return s.Normalized(deadValue(&r, s))
}

// deadValue is the value with a cube that is never turned again.
func deadValue(r *rates, s *State) float64 {
	won, lost := endWorths(r, s)
	return r.win*won + (1-r.win)*lost
}
