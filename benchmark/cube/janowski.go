package cube

import "bgtrain/internal/bg"

// Holder says who may double next.
type Holder uint8

// The holders of the cube.
const (
	Centred       Holder = iota // either player
	Owned                       // the player on roll
	OpponentOwned               // the opponent
)

// Janowski is Rick Janowski's model of the doubling cube for money, without
// Jacoby rule and beavers: an equity between that of a dead cube, never turned
// again, and of a live one, turned exactly when the opponent is indifferent
// between take and pass ("Take-points in money games", 1993).
type Janowski struct {
	// Life is the cube life index: 0 dead, 1 live.
	Life float64
}

// ContactLife is the usual cube life index of contact positions.
const ContactLife = 0.68

// Equity returns the cubeful equity of the player on roll in points per cube
// value, from its cubeless outputs.
func (j Janowski) Equity(o *bg.Outputs, h Holder) float64 {
	p := float64(o[bg.Win])
	w, l := meanPoints(o)
	dead := p*(w+l) - l
	// In a live cube, the chance at which the opponent's double is just a take
	// and that at which one's own is just a pass.
	take, cash := (l-0.5)/(w+l+0.5), (l+1)/(w+l+0.5)
	var live float64
	switch {
	case h == Owned && p <= cash:
		live = -l + (1+l)*p/cash
	case h == OpponentOwned && p > take:
		live = -1 + (w+1)*(p-take)/(1-take)
	case h != OpponentOwned && p > cash:
		live = 1 + (w-1)*(p-cash)/(1-cash)
	case p <= take: // centred or the opponent's
		live = -l + (l-1)*p/take
	default: // centred, between the two points
		live = -1 + 2*(p-take)/(cash-take)
	}
	return j.Life*live + (1-j.Life)*dead
}

// meanPoints returns what a won and what a lost game is worth on average.
func meanPoints(o *bg.Outputs) (w, l float64) {
	w, l = 1, 1
	if o[bg.Win] > 0 {
		w += float64(o[bg.WinGammon]+o[bg.WinBackgammon]) / float64(o[bg.Win])
	}
	if o[bg.Win] < 1 {
		l += float64(o[bg.LoseGammon]+o[bg.LoseBackgammon]) / float64(1-o[bg.Win])
	}
	// Outputs that contradict each other by rounding must not leave the range.
	return min(w, 3), min(l, 3)
}

// Equities are what each cube action is worth to the player on roll, in
// points per value of the cube before it.
type Equities struct {
	NoDouble, DoubleTake, DoublePass float64
}

// Equities values the cube actions of a player on roll who may double: h is
// Centred or Owned.
func (j Janowski) Equities(o *bg.Outputs, h Holder) Equities {
	return Equities{j.Equity(o, h), 2 * j.Equity(o, OpponentOwned), 1}
}

// Double says whether to double: no worse than to wait, whichever the answer.
// (Equal is a double, since with a live cube and no gammons to win, waiting past
// the cash point is worth exactly the point that a double cashes.)
func (e *Equities) Double() bool { return min(e.DoubleTake, e.DoublePass) >= e.NoDouble }

// Take says whether the opponent does right to take.
func (e *Equities) Take() bool { return e.DoubleTake <= e.DoublePass }
