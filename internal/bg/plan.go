package bg

// Plan is what a side is up to in a position, for breaking scores down by kind of position. The plans are those
// that players' books distinguish; the rules are simple ones of our own, tried in the order of the constants.
type Plan uint8

// The plans of the player on roll.
const (
	// Racing: no contact, or so little that the race decides: each side has at
	// most one checker still to pass one of the other's.
	Racing Plan = iota
	// BearingOffAgainst: own checkers have been borne off, or all are home, and
	// the opponent still has a checker to hit them from.
	BearingOffAgainst
	// Containing: of the opponent's checkers at least twelve are home or borne off, and the one to three left in
	// one's own home board or on the bar are to be stopped.
	Containing
	// BackGame: two or more points held in the opponent's home board, and at
	// least 60 pips behind, or three or more such points.
	BackGame
	// Blitzing: an opposing checker is on the bar or alone in one's home board, which holds no anchor of the
	// opponent, with ten checkers in the zone (the 1-point to the 11-point) to attack it.
	Blitzing
	// Priming: five of six successive points made, or four in a row, with an opposing checker behind them.
	Priming
	// Anchoring: a point held in the opponent's home board (holding and ace-point games too).
	Anchoring
	// Escaping: one or more own checkers back in the opponent's home board or on the bar, without a point there.
	Escaping
	// OutsideContact: contact, with no own checker back: coming home past the opponent's.
	OutsideContact
	NumPlans
)

var planNames = [NumPlans]string{
	"racing", "bearing off against contact", "containing", "back game", "blitzing",
	"priming", "anchoring", "escaping", "outside contact",
}

// String returns the name of the plan.
func (p Plan) String() string { return nameOf(p, planNames[:]) }

// ParsePlan returns the plan of a name that String gives.
func ParsePlan(name string) (Plan, error) { return parseName[Plan]("game plan", name, planNames[:]) }

// PlanOf classifies a position by the plan of the player on roll.
func PlanOf(b *Board) Plan {
	me, opp := &b.Me, &b.Opp
	if !contactMatters(b) {
		return Racing
	}
	anchors, back := homeHolds(me)
	theirAnchors, theirBack := homeHolds(opp)
	switch {
	case me.Back() <= 5 || me.Off() > 0 && me.Back() <= 11:
		return BearingOffAgainst
	case theirBack > 0 && theirBack <= 3 && opp.Off()+checkersIn(opp, 0, 6) >= 12:
		return Containing
	case anchors >= 3 || anchors == 2 && me.Pips() >= opp.Pips()+60:
		return BackGame
	case theirBack > 0 && theirAnchors == 0 && checkersIn(me, 0, 11) >= 10:
		return Blitzing
	case primes(me, opp):
		return Priming
	case anchors > 0:
		return Anchoring
	case back > 0:
		return Escaping
	}
	return OutsideContact
}

// contactMatters reports whether some side has more than one checker to bring past the other's rearmost, or any
// with a checker on the bar.
func contactMatters(b *Board) bool {
	if Classify(b) <= Race {
		return false
	}
	if b.Me[Bar]+b.Opp[Bar] > 0 {
		return true
	}
	toPass := func(s, other *Side) int {
		// The other's rearmost checker stands on this index of s.
		return checkersIn(s, max(0, 24-other.Back()), 24)
	}
	return toPass(&b.Me, &b.Opp) > 1 || toPass(&b.Opp, &b.Me) > 1
}

// homeHolds counts a side's points and checkers in the other's home board, those on the bar as checkers.
func homeHolds(s *Side) (points, checkers int) {
	for i := 18; i < 24; i++ {
		if s[i] >= 2 {
			points++
		}
		checkers += int(s[i])
	}
	return points, checkers + int(s[Bar])
}

// checkersIn counts a side's checkers on indices from up to, not including, to.
func checkersIn(s *Side, from, to int) int {
	n := 0
	for i := from; i < to; i++ {
		n += int(s[i])
	}
	return n
}

// primes reports whether s has made five of six successive points, or four in a row, in front of a checker of the
// other side.
func primes(s, other *Side) bool {
	for low := 0; low+6 <= 18; low++ {
		// A checker of the other side behind the points stands on a lower index
		// of s, so on a higher one of its own: above 23-low.
		behind := int(other[Bar]) + checkersIn(other, 24-low, 24)
		if behind == 0 {
			continue
		}
		made, row, longest := 0, 0, 0
		for i := low; i < low+6; i++ {
			if s[i] >= 2 {
				made++
				row++
			} else {
				row = 0
			}
			longest = max(longest, row)
		}
		if made >= 5 || longest >= 4 {
			return true
		}
	}
	return false
}
