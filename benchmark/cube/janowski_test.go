package cube

import (
	"math"
	"testing"

	"bgtrain/internal/bg"
)

// Without gammons the formulas are those of every textbook: dead cube take point
// 25 %, live cube 20 % and 80 %.
func TestJanowskiWithoutGammons(t *testing.T) {
	for _, c := range []struct {
		life float64
		win  float32
		h    Holder
		want float64
	}{
		{0, 0.6, Centred, 0.2}, // dead: 2p - 1, whoever holds it
		{0, 0.6, Owned, 0.2},
		{0, 0.6, OpponentOwned, 0.2},
		{1, 0.5, Centred, 0},
		{1, 0.8, Centred, 1},
		{1, 0.2, Centred, -1},
		{1, 0.65, Centred, 0.5}, // halfway from 0.5 to 0.8
		{1, 0.9, Centred, 1},    // cash
		{1, 0.4, Owned, 0},      // from -1 at 0 to 1 at 0.8
		{1, 0, Owned, -1},
		{1, 0.8, Owned, 1},
		{1, 0.6, OpponentOwned, 0}, // from -1 at 0.2 to 1 at 1
		{1, 0.1, OpponentOwned, -1},
		{0.7, 0.65, Centred, 0.7*0.5 + 0.3*0.3},
		{0.7, 0.4, Owned, 0.3 * -0.2},
	} {
		o := bg.Outputs{bg.Win: c.win}
		if got := (Janowski{c.life}).Equity(&o, c.h); math.Abs(got-c.want) > 1e-6 {
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
		{0, Centred, -1.25}, {take, Centred, -1}, {cash, Centred, 1}, {1, Centred, 1.5},
		{(1 + cash) / 2, Centred, 1.25}, {(take + cash) / 2, Centred, 0}, {take / 2, Centred, -1.125},
		{0, Owned, -1.25}, {cash, Owned, 1}, {cash / 2, Owned, -0.125}, {1, Owned, 1.5},
		{take, OpponentOwned, -1}, {1, OpponentOwned, 1.5}, {(1 + take) / 2, OpponentOwned, 0.25},
	} {
		o := at(c.p)
		if got := (Janowski{1}).Equity(&o, c.h); math.Abs(got-c.want) > 1e-5 {
			t.Errorf("p %v, holder %d: %v, %v expected", c.p, c.h, got, c.want)
		}
		dead := c.p*2.75 - 1.25
		if got, want := (Janowski{0.68}).Equity(&o, c.h), 0.68*c.want+0.32*dead; math.Abs(got-want) > 1e-5 {
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
		{0, 0.49, Centred, false, true},
		{0, 0.51, Centred, true, true},
		{0, 0.749, Centred, true, true},
		{0, 0.76, Centred, true, false},
		// A live one at 80 %.
		{1, 0.79, Centred, false, true},
		{1, 0.81, Centred, true, false},
		{1, 0.90, Owned, true, false},
		{0.68, 0.60, Centred, false, true},
		{0.68, 0.77, Centred, true, true},
		{0.68, 0.80, Centred, true, false},
		// One's own cube is given away later: 0.6918 and 0.7179 by hand.
		{0.68, 0.690, Centred, false, true},
		{0.68, 0.693, Centred, true, true},
		{0.68, 0.717, Owned, false, true},
		{0.68, 0.719, Owned, true, true},
	} {
		o := bg.Outputs{bg.Win: c.win}
		e := (Janowski{c.life}).Equities(&o, c.h)
		if e.Double() != c.double || e.Take() != c.take {
			t.Errorf("life %v, win %v, holder %d: double %v take %v (%+v)", c.life, c.win, c.h, e.Double(), e.Take(), e)
		}
	}
	// Too good: half of the wins are gammons.
	o := bg.Outputs{0.95, 0.8, 0.1, 0, 0}
	if e := (Janowski{0.68}).Equities(&o, Centred); e.Double() || e.Take() {
		t.Errorf("too good to double: %+v", e)
	}
	// The take point of Janowski's general formula, (L-0.5)/(W+L+0.5x).
	for _, life := range []float64{0, 0.3, 0.68, 1} {
		p := float32(0.5 / (2 + 0.5*life))
		for _, d := range []float32{-1e-3, 1e-3} {
			o := bg.Outputs{bg.Win: 1 - p - d}
			if e := (Janowski{life}).Equities(&o, Centred); e.Take() != (d > 0) {
				t.Errorf("life %v: take %v with %v to win", life, e.Take(), p+d)
			}
		}
	}
}

func TestJanowskiStaysInRange(t *testing.T) {
	for _, o := range []bg.Outputs{{}, {1}, {1, 1, 1, 0, 0}, {0, 0, 0, 1, 1}, {1e-7, 1e-7, 1e-7, 0.5, 0}, {0.9999999, 0, 0, 1e-7, 1e-7}, {0, 1e-6}} {
		for _, h := range []Holder{Centred, Owned, OpponentOwned} {
			for _, life := range []float64{0, 0.5, 1} {
				if e := (Janowski{life}).Equity(&o, h); !(e >= -3 && e <= 3) {
					t.Errorf("%v holder %d life %v: %v", o, h, life, e)
				}
			}
		}
	}
}
