package cube

import "fmt"

// ContactLife is the usual cube life index of contact positions.
const ContactLife = 0.68

// Janowski is Rick Janowski's model, with an equity between that of a dead cube,
// never turned again, and of a live one, turned exactly when the opponent is
// indifferent between take and pass ("Take-points in money games", 1993). The
// cube life index, 0 dead to 1 live, may differ for the sides: each moves the
// equity at the point where that side doubles, and straight lines lead from
// there to the dead cube's values at the ends.
type Janowski struct {
	Life     float64 // of the player on roll
	Opponent float64
}

// Dead and Live are the ends of Janowski's model.
type (
	Dead struct{}
	Live struct{}
)

// Equity implements Model.
func (Dead) Equity(p *Position, s *State) float64 { return Cubeless(&p.Outputs, s) }

// String implements Model.
func (Dead) String() string { return "dead" }

// Equity implements Model.
func (Live) Equity(p *Position, s *State) float64 { return Janowski{1, 1}.Equity(p, s) }

// String implements Model.
func (Live) String() string { return "live" }

// Equity implements Model.
func (j Janowski) Equity(p *Position, s *State) float64 {
	r := ratesOf(&p.Outputs)
	dead := s.Normalized(deadValue(&r, s))
	if s.dead() {
		return dead
	}
	return dead + j.cubeValue(&r, s)
}

// String implements Model.
func (j Janowski) String() string {
	if j.Life == j.Opponent {
		return fmt.Sprintf("janowski=%v", j.Life)
	}
	return fmt.Sprintf("janowski=%v:%v", j.Life, j.Opponent)
}

// cubeValue is what the cube adds to the equity of a dead one.
func (j Janowski) cubeValue(r *rates, s *State) float64 {
	w := windowOf(r, s)
	return j.within(&w, r.win, s.Owner)
}

// span is the window of a live cube and the ends of the game, as equities.
type span struct{ take, cash, won, lost float64 }

func windowOf(r *rates, s *State) (w span) {
	w.take, w.cash = livePoints(r, s)
	won, lost := endWorths(r, s)
	w.won, w.lost = s.Normalized(won), s.Normalized(lost)
	return w
}

// within is cubeValue for a chance to win.
func (j Janowski) within(w *span, win float64, owner Holder) float64 {
	take, cash := w.take, w.cash
	// With the Jacoby rule the ends of a centered cube are ±1, but a player beyond
	// the cash point of the game with gammons still cashes 1.
	at := func(p float64) float64 { return p*w.won + (1-p)*w.lost }
	mine, theirs := j.Life*(1-at(cash)), j.Opponent*(-1-at(take))
	switch owner {
	case Owned:
		return tent(win, 0, cash, 1, mine)
	case OpponentOwned:
		return tent(win, 0, take, 1, theirs)
	}
	return tent(win, take, cash, 1, mine) + tent(win, 0, take, cash, theirs)
}

// tent is 0 outside x0 to x1, height at peak, and straight between.
func tent(x, x0, peak, x1, height float64) float64 {
	switch {
	case x < x0 || x > x1:
		return 0
	case x < peak:
		return height * (x - x0) / (peak - x0)
	case x > peak:
		return height * (x1 - x) / (x1 - peak)
	}
	return height
}
