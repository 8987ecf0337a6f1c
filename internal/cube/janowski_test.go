package cube

import (
	"math"
	"testing"

	"bgtrain/internal/bg"
)

// held is the state for money with such a holder.
func held(h Holder) *State {
	s := State{Cube: 2, Owner: h}
	if h == Centered {
		s.Cube = 1
	}
	return &s
}

func moneyEquity(life float64, o *bg.Outputs, h Holder) float64 {
	return Janowski{life, life}.Equity(&Position{Outputs: *o}, held(h))
}

func moneyDecision(life float64, o *bg.Outputs, h Holder) Decision {
	return Decide(Janowski{life, life}, &Position{Outputs: *o}, held(h))
}

// Without gammons the formulas are those of every textbook: dead cube take point
// 25 %, live cube 20 % and 80 %.
func TestJanowskiWithoutGammons(t *testing.T) {
	for _, c := range []struct {
		life float64
		win  float32
		h    Holder
		want float64
	}{
		{0, 0.6, Centered, 0.2}, // dead: 2p - 1, whoever holds it
		{0, 0.6, Owned, 0.2},
		{0, 0.6, OpponentOwned, 0.2},
		{1, 0.5, Centered, 0},
		{1, 0.8, Centered, 1},
		{1, 0.2, Centered, -1},
		{1, 0.65, Centered, 0.5}, // halfway from 0.5 to 0.8
		{1, 0.9, Centered, 1},    // cash
		{1, 0.4, Owned, 0},       // from -1 at 0 to 1 at 0.8
		{1, 0, Owned, -1},
		{1, 0.8, Owned, 1},
		{1, 0.6, OpponentOwned, 0}, // from -1 at 0.2 to 1 at 1
		{1, 0.1, OpponentOwned, -1},
		{0.7, 0.65, Centered, 0.7*0.5 + 0.3*0.3},
		{0.7, 0.4, Owned, 0.3 * -0.2},
	} {
		o := bg.Outputs{bg.Win: c.win}
		if got := moneyEquity(c.life, &o, c.h); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("life %v, win %v, holder %d: %v, %v expected", c.life, c.win, c.h, got, c.want)
		}
	}
}

// With gammons: W = 1.5 and L = 1.25. Live take point (1.25-0.5)/3.25, live cash
// point 2.25/3.25.
func TestJanowskiWithGammons(t *testing.T) {
	at := func(p float64) bg.Outputs {
		return bg.Outputs{float32(p), float32(p * 0.5), 0, float32((1 - p) * 0.25), 0}
	}
	const take, cash = 0.75 / 3.25, 2.25 / 3.25
	for _, c := range []struct {
		p    float64
		h    Holder
		want float64
	}{
		{0, Centered, -1.25}, {take, Centered, -1}, {cash, Centered, 1}, {1, Centered, 1.5},
		{(1 + cash) / 2, Centered, 1.25}, {(take + cash) / 2, Centered, 0}, {take / 2, Centered, -1.125},
		{0, Owned, -1.25}, {cash, Owned, 1}, {cash / 2, Owned, -0.125}, {1, Owned, 1.5},
		{take, OpponentOwned, -1}, {1, OpponentOwned, 1.5}, {(1 + take) / 2, OpponentOwned, 0.25},
	} {
		o := at(c.p)
		if got := moneyEquity(1, &o, c.h); math.Abs(got-c.want) > 1e-5 {
			t.Errorf("p %v, holder %d: %v, %v expected", c.p, c.h, got, c.want)
		}
		dead := c.p*2.75 - 1.25
		if got, want := moneyEquity(0.68, &o, c.h), 0.68*c.want+0.32*dead; math.Abs(got-want) > 1e-5 {
			t.Errorf("life 0.68, p %v, holder %d: %v, %v expected", c.p, c.h, got, want)
		}
	}
}

func TestCubeActions(t *testing.T) {
	for _, c := range []struct {
		life         float64
		win          float32
		h            Holder
		double, take bool
	}{
		// A dead cube is turned as soon as one is ahead, and taken down to 25 %.
		{0, 0.49, Centered, false, true},
		{0, 0.51, Centered, true, true},
		{0, 0.749, Centered, true, true},
		{0, 0.76, Centered, true, false},
		// A live one at 80 %.
		{1, 0.79, Centered, false, true},
		{1, 0.81, Centered, true, false},
		{1, 0.90, Owned, true, false},
		{0.68, 0.60, Centered, false, true},
		{0.68, 0.77, Centered, true, true},
		{0.68, 0.80, Centered, true, false},
		// One's own cube is given away later: 0.6918 and 0.7179 by hand.
		{0.68, 0.690, Centered, false, true},
		{0.68, 0.693, Centered, true, true},
		{0.68, 0.717, Owned, false, true},
		{0.68, 0.719, Owned, true, true},
	} {
		o := bg.Outputs{bg.Win: c.win}
		e := moneyDecision(c.life, &o, c.h)
		if e.Action.Doubles() != c.double || e.Action.Takes() != c.take {
			t.Errorf("life %v, win %v, holder %d: double %v take %v (%+v)", c.life, c.win, c.h, e.Action.Doubles(),
				e.Action.Takes(), e)
		}
	}
	// Too good: half of the wins are gammons.
	o := bg.Outputs{0.95, 0.8, 0.1, 0, 0}
	if e := moneyDecision(0.68, &o, Centered); e.Action.Doubles() || e.Action.Takes() {
		t.Errorf("too good to double: %+v", e)
	}
	// The take point of Janowski's general formula, (L-0.5)/(W+L+0.5x).
	for _, life := range []float64{0, 0.3, 0.68, 1} {
		p := float32(0.5 / (2 + 0.5*life))
		for _, d := range []float32{-1e-3, 1e-3} {
			o := bg.Outputs{bg.Win: 1 - p - d}
			if e := moneyDecision(life, &o, Centered); e.Action.Takes() != (d > 0) {
				t.Errorf("life %v: take %v with %v to win", life, e.Action.Takes(), p+d)
			}
		}
	}
}

func TestJanowskiStaysInRange(t *testing.T) {
	for _, o := range []bg.Outputs{{}, {1}, {1, 1, 1, 0, 0}, {0, 0, 0, 1, 1}, {1e-7, 1e-7, 1e-7, 0.5, 0},
		{0.9999999, 0, 0, 1e-7, 1e-7}, {0, 1e-6}} {
		for _, h := range []Holder{Centered, Owned, OpponentOwned} {
			for _, life := range []float64{0, 0.5, 1} {
				if e := moneyEquity(life, &o, h); !(e >= -3 && e <= 3) {
					t.Errorf("%v holder %d life %v: %v", o, h, life, e)
				}
			}
		}
	}
}
