package cube

import "math"

// newWindow computes the market window of a state for a jump volatility v.
func newWindow(r *rates, s *State, v float64) window {
	opp, swapped := s.Swapped(), r.swapped()
	w := window{me: newSide(r, s, v), opp: newSide(&swapped, &opp, v)}
	if s.Table == nil {
		w.moneyDoubled(r, s, v)
	}
	_, w.lost = endWorths(r, s)
	w.setWait(s, v)
	return w
}

// setWait sets the waiting line. Below its own cash point, and above the
// opponent's, it passes what the two would cash by a drop; where a side cannot
// double, the end of the game takes the place of its point.
func (w *window) setWait(s *State, v float64) {
	cash, take := w.me.cash, 1-w.opp.cash
	low, high := s.complement(w.opp.pass), w.me.pass
	openLow, openHigh := w.opp.mayDouble && take > 0, w.me.mayDouble && cash < 1
	if !openLow {
		take, low = 0, w.lost
	}
	if !openHigh {
		cash, high = 1, w.me.won
	}
	w.wait = through(take, low, cash, high)
	for range rounds {
		l, h := low, high
		if openHigh {
			h -= w.me.bend(w.wait.slope, v)
		}
		if openLow {
			l += w.opp.bend(w.wait.slope, v)
		}
		before := w.wait.slope
		w.wait = through(take, l, cash, h)
		if math.Abs(w.wait.slope-before) < settled {
			return
		}
	}
}

// Lines that depend on each other are computed anew until their slopes settle,
// mostly after some ten rounds.
const (
	rounds  = 60
	settled = 1e-9
)

// bend returns how far a waiting line of slope b passes below the cashed value at the cash point, and
// brings playOnSlope nearer to what belongs to it. Where the doubled line has slope S there, and the
// player beyond plays on for a gammon on a line of slope m, the values of the process before a jump
// join smoothly if the doubling point lies v·δ before the cash point, with
//
//	cosh δ = (S² + (S-b)² - m²) / (2 S (S-b))
//
// and the waiting line meets the doubled line there.
func (d *side) bend(b, v float64) float64 {
	steep := d.doubled.slope
	bend := steep - b
	d.tooGood = 1
	room := 1 - d.cash
	if d.playOnSlope == 0 {
		d.playOnSlope = max((d.won-d.pass)/room, 0)
	}
	delta, decay := 0.0, 1.0 // decay is exp(-delta)
	m := d.playOnSlope
	if bend <= 0 {
		bend, decay = 0, 0 // never worse to double: nobody waits
	} else if c := (steep*steep + bend*bend - m*m) / (2 * steep * bend); c > 1 {
		decay = 1 / (c + math.Sqrt(c*c-1))
		delta = -math.Log(decay)
	}
	d.playOnSlope = d.playOn(steep-bend*decay, m, room, v)
	if d.playOnSlope > 0 {
		d.tooGood = 1 - max(d.won-d.pass, 0)/d.playOnSlope
	}
	return bend * v * delta
}

// playOn returns the slope m of the line on which a player beyond the cash point
// plays on for a gammon: it begins at v·ln(k/m) past the cash point, where it is
// worth as much as to cash, and ends at a won game.
func (d *side) playOn(k, m, room, v float64) float64 {
	if k <= 0 {
		return m
	}
	gain := d.won - d.pass
	least := k * math.Exp(-room/v) // it begins at the end of the game
	m = max(m, least)
	for range 2 {
		at := room - v*math.Log(k/m)
		m = max(m-(m*at-gain)/(at+v), least)
	}
	return min(m, k)
}

// newSide computes one player's side; r and s are as that player sees them.
func newSide(r *rates, s *State, v float64) side {
	d := side{mayDouble: s.MayDouble(), pass: s.worth(s.Cube), cash: 1, live: 1}
	d.won, _ = endWorths(r, s)
	if !d.mayDouble {
		return d
	}
	_, d.live = livePoints(r, s)
	if s.Table != nil {
		d.setDoubled(matchDoubled(r, s, v))
	}
	return d
}

// setDoubled sets the doubled line and the cash point, where it reaches the cashed
// value.
func (d *side) setDoubled(l straight) {
	d.doubled = l
	if l.slope > 0 {
		d.cash = min(max(1-(l.y(1)-d.pass)/l.slope, 0), 1)
	}
}

// moneyDoubled sets the doubled lines of both sides for money: the value to the
// doubler of the cube one higher in the other's hands, where that one waits. It is
// twice the line of one's own cube with the sides exchanged, so that the two are
// found together.
func (w *window) moneyDoubled(r *rates, s *State, v float64) {
	won, lost := r.points()
	c := float64(2 * s.Cube)
	k := won + lost + 0.5
	mine, theirs := k, k // slopes of an owned cube's waiting line, per cube
	own, other := side{won: won, pass: 1}, side{won: lost, pass: 1}
	for range rounds {
		before := mine + theirs
		own.setDoubled(straight{1, 2 * won, 2 * theirs})
		mine = (1 - own.bend(mine, v) + lost) / own.cash
		other.setDoubled(straight{1, 2 * lost, 2 * mine})
		theirs = (1 - other.bend(theirs, v) + won) / other.cash
		if math.Abs(mine+theirs-before) < settled {
			break
		}
	}
	if w.me.mayDouble {
		w.me.setDoubled(straight{1, c * won, c * theirs})
	}
	if w.opp.mayDouble {
		w.opp.setDoubled(straight{1, c * lost, c * mine})
	}
}

// matchDoubled is the value to the doubler of the doubled cube in the other's
// hands in a match, from that of the cube one higher still, up to a dead one.
func matchDoubled(r *rates, s *State, v float64) straight {
	above := s.Doubled().Swapped()
	theirs := r.swapped()
	won, lost := theirs.worths(&above, above.Cube)
	dead := straight{1, s.complement(lost), won - lost}
	switch {
	case above.Away <= above.Cube:
		return dead // the other side has no use for it
	case above.Opponent <= above.Cube: // the other side turns it at once
		won, lost = theirs.worths(&above, 2*above.Cube)
		return straight{1, s.complement(lost), won - lost}
	}
	d := newSide(&theirs, &above, v)
	if d.cash <= 0 || d.cash >= 1 || d.live <= 0 || d.live >= 1 {
		return dead
	}
	b := (d.pass - lost) / d.cash
	for range rounds {
		before := b
		b = (d.pass - d.bend(b, v) - lost) / d.cash
		if math.Abs(b-before) < settled {
			break
		}
	}
	return straight{1, s.complement(lost), b}
}

// endWorths are what a won and a lost game is worth, undoubled.
func endWorths(r *rates, s *State) (won, lost float64) {
	if s.Jacoby && s.Owner == Centered {
		return s.worth(s.Cube), s.worth(-s.Cube)
	}
	return r.worths(s, s.Cube)
}

// complement turns a worth of one side into that of the other.
func (s *State) complement(worth float64) float64 {
	if s.Table == nil {
		return -worth
	}
	return 1 - worth
}
