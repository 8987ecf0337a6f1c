package cube

import "fmt"

// Jump is the jump model: the chance to win does not diffuse, as with a live
// cube, but jumps from roll to roll, so that a player can lose the market before
// doubling (Mark Higgins, "Cube Handling in Backgammon Money Games Under a Jump
// Model", arXiv 1203.5692, second version, April 2012).
type Jump struct {
	// Volatility is the mean absolute jump of the chance to win by a roll.
	Volatility float64
	// Local takes the volatility of the position for the next roll, and Volatility
	// for what follows.
	Local bool
}

// The lines of the model.
//
// From roll to roll the chance to win jumps by a two-sided exponential amount with mean
// size v; after every jump either side may double. Let g(p) be the value after a jump,
// when the cube may be turned, and V(p) that before it. Such a jump is where a Brownian
// path stands after an exponential time, which may end the game on its way at 0 or 1:
//
//	v² V″ = V − g,   V(0) = −L,   V(1) = W.
//
// For a g of straight pieces whose slope changes by κᵢ at xᵢ,
//
//	V(p) = g(p) + Σ κᵢ v sinh(min(p, xᵢ)/v) sinh((1 − max(p, xᵢ))/v) / sinh(1/v).
//
// With one's own cube at 1: below a doubling point D one waits, on a line of slope b from
// −L at 0; from D to the cash point C one has doubled and been taken, on a line of slope S;
// up to T one cashes; beyond, one plays on, on a line of slope m to W. That V equals g below
// D and above T gives, with δ = (C − D)/v and τ = (T − C)/v,
//
//	cosh δ = (S² + (S − b)² − m²) / (2 S (S − b)),    e^(−τ) = (S − (S − b) e^δ) / m,
//
// and the waiting line passes below the cashed value at C by (S − b) v δ. With
// m = (W − 1)/(1 − T) and S twice the slope of the other side's line, the lines of both
// sides follow from each other in some ten rounds. A centered cube has both sides' bends; in
// a match the doubled line is that of the cube one higher.

// String implements Model.
func (j Jump) String() string {
	if j.Local {
		return "jump=local"
	}
	return fmt.Sprintf("jump=%v", j.Volatility)
}

// Equity implements Model.
func (j Jump) Equity(p *Position, s *State) float64 {
	r := ratesOf(&p.Outputs)
	if s.dead() {
		return s.Normalized(deadValue(&r, s))
	}
	w := newWindow(&r, s, j.Volatility)
	next := j.Volatility
	if j.Local && p.Volatility > 0 {
		next = p.Volatility
	}
	g := w.payoff(s)
	return s.Normalized(g.mean(r.win, next))
}

// UsesVolatility reports whether a model asks for Position.Volatility.
func UsesVolatility(m Model) bool {
	switch m := m.(type) {
	case Jump:
		return m.Local
	case *Learned:
		return m.nets.Spread
	}
	return false
}

// straight is a straight line y = at + slope·(x - x0).
type straight struct{ x0, at, slope float64 }

func (l straight) y(x float64) float64 { return l.at + l.slope*(x-l.x0) }

// through returns the line through two points.
func through(x0, y0, x1, y1 float64) straight {
	if x1 <= x0 {
		return straight{x0, y0, 0}
	}
	return straight{x0, y0, (y1 - y0) / (x1 - x0)}
}

// side is one player's use of the cube, over that player's own chance to win, in
// worths of that player.
type side struct {
	mayDouble bool
	won, pass float64  // a won game, undoubled; a cashed one
	cash      float64  // the chance at which its double is just passed
	doubled   straight // its value once it has doubled and been taken
	live      float64  // the live cash point

	// From where it plays on for a gammon, and the slope there.
	tooGood, playOnSlope float64
}

// window is the state of the cube as the jump model sees it, over the chance to
// win of the player on roll.
type window struct {
	me, opp side
	lost    float64  // what a lost game is worth, undoubled
	wait    straight // the value where neither side doubles after the next roll
}
