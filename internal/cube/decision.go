package cube

import "bgtrain/internal/bg"

// Model values a position with the cube in play.
type Model interface {
	// Equity returns the equity of the player on roll before the cube decision and
	// without it: the cube stays where it is until after the roll. It is normalized
	// to the cube as it lies.
	Equity(p *Position, s *State) float64
	// String is the model as ParseModel reads it.
	String() string
}

// Action is a cube decision of both players.
type Action string

// The actions.
const (
	NoDoubleTake Action = "no-double/take"
	NoDoublePass Action = "no-double/pass"
	DoubleTake   Action = "double/take"
	DoublePass   Action = "double/pass"
	TooGoodTake  Action = "too-good/take"
	TooGoodPass  Action = "too-good/pass"
)

// Doubles reports whether the player on roll doubles.
func (a Action) Doubles() bool { return a == DoubleTake || a == DoublePass }

// Takes reports whether the opponent, if doubled, takes.
func (a Action) Takes() bool { return a == NoDoubleTake || a == DoubleTake || a == TooGoodTake }

// Decision is a cube decision judged: equities of the player on roll, normalized
// to the cube before it.
type Decision struct {
	NoDouble, DoubleTake, DoublePass float64
	// Available reports whether the player on roll may double. If not, DoubleTake and
	// DoublePass are those of a cube that is turned nevertheless.
	Available bool
	Action    Action
}

// Decide judges the cube decision of a position.
func Decide(m Model, p *Position, s *State) Decision {
	d := Decision{NoDouble: m.Equity(p, s), DoublePass: 1, Available: s.MayDouble()}
	doubled := s.Doubled()
	if s.Cube >= MaxCube {
		doubled.Cube = s.Cube
		d.DoubleTake = 2 * m.Equity(p, &doubled)
	} else {
		d.DoubleTake = s.Normalized(doubled.Value(m.Equity(p, &doubled)))
	}
	d.choose(p.Outputs[bg.WinGammon] > 0)
	return d
}

// Judge is the decision of a state whose equities are known, from another program
// for instance; gammons reports whether the player on roll can win one.
func Judge(noDouble, doubleTake, doublePass float64, s *State, gammons bool) Decision {
	d := Decision{NoDouble: noDouble, DoubleTake: doubleTake, DoublePass: doublePass, Available: s.MayDouble()}
	d.choose(gammons)
	return d
}

// choose sets the action. The player on roll doubles when that is no worse than
// to wait, whichever the answer; the opponent passes when that is no worse than
// to take. Nobody plays on for a gammon that cannot be won.
func (d *Decision) choose(gammons bool) {
	nd, dt, dp := d.NoDouble, d.DoubleTake, d.DoublePass
	switch {
	case !d.Available:
		d.Action = NoDoubleTake
	case dt >= nd && dp >= nd && dp > dt:
		d.Action = DoubleTake
	case dt >= nd && dp >= nd:
		d.Action = DoublePass
	case nd > dp && dt > dp:
		d.Action = TooGoodPass
		if !gammons {
			d.Action = DoublePass
		}
	case nd > dp:
		d.Action = TooGoodTake
		if !gammons {
			d.Action = NoDoubleTake
		}
	case dt > dp:
		d.Action = NoDoublePass
	default:
		d.Action = NoDoubleTake
	}
}

// Best is the equity when both sides decide as Action says.
func (d *Decision) Best() float64 {
	switch d.Action {
	case DoubleTake:
		return d.DoubleTake
	case DoublePass:
		return d.DoublePass
	}
	return d.NoDouble
}

// DoubleError is what the player on roll loses by the other of double and no
// double, the opponent answering rightly; 0 when there is no choice.
func (d *Decision) DoubleError() float64 {
	if !d.Available {
		return 0
	}
	return max(min(d.DoubleTake, d.DoublePass)-d.NoDouble, d.NoDouble-min(d.DoubleTake, d.DoublePass))
}

// AnswerError is what the opponent loses by the other of take and pass.
func (d *Decision) AnswerError() float64 {
	if !d.Available {
		return 0
	}
	return max(d.DoubleTake-d.DoublePass, d.DoublePass-d.DoubleTake)
}
