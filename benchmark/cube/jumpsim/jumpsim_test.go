package jumpsim

import (
	"math"
	"testing"

	"bgtrain/benchmark/cube"
	"bgtrain/internal/bg"
)

func solve(t testing.TB, w, l, v float64, steps int) *Solution {
	t.Helper()
	a, err := Solve(Settings{W: w, L: l, Volatility: v, Steps: steps})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Games of the process, played out with the cube as the dynamic program says, win
// what it says, within four standard errors.
func TestPlayAgreesWithSolution(t *testing.T) {
	games := 15000
	for i, c := range []struct{ w, l, v, from float64 }{
		{1, 1, 0.08, 0.5}, {1.3, 1.2, 0.08, 0.35}, {1.2, 1.4, 0.12, 0.7}, {1.25, 1.25, 0.05, 0.6},
	} {
		a := solve(t, c.w, c.l, c.v, 400)
		r := a.Play(c.from, games, uint64(i+1))
		if want := a.At(a.Centered, c.from); math.Abs(r.Mean-want) > 4*r.SE {
			t.Errorf("%+v: %+v, by dynamic programming %v", c, r, want)
		}
	}
}

// The closed form is the solution of the process, the paper's forms come near it.
func TestClosedFormsAgainstSolution(t *testing.T) {
	for _, c := range []struct{ w, l, v float64 }{
		{1, 1, 0.04}, {1, 1, 0.08}, {1.3, 1.3, 0.08}, {1.5, 1.1, 0.08}, {1.1, 1.4, 0.05}, {1.2, 1.25, 0.12},
	} {
		a := solve(t, c.w, c.l, c.v, 500)
		for form, limit := range map[cube.JumpForm]float64{cube.JumpExact: 2e-4, cube.JumpHiggins: 0.03,
			cube.JumpLinear: 0.09} {
			if off := farthest(a, form); off > limit {
				t.Errorf("%+v, form %d: off by %v", c, form, off)
			}
		}
	}
}

// farthest is the largest difference of a form from the solution, over all
// holders and chances to win.
func farthest(a *Solution, form cube.JumpForm) (off float64) {
	m := cube.Jump{Volatility: a.s.Volatility, Form: form}
	for h, values := range map[cube.Holder][]float64{cube.Centered: a.Centered, cube.Owned: a.Owned,
		cube.OpponentOwned: a.OpponentOwned} {
		s := cube.State{Cube: 2, Owner: h}
		if h == cube.Centered {
			s.Cube = 1
		}
		for i := 1; i < 100; i++ {
			p := float64(i) / 100
			o := bg.Outputs{float32(p), float32(p * (a.s.W - 1)), 0, float32((1 - p) * (a.s.L - 1)), 0}
			off = max(off, math.Abs(m.Equity(&cube.Position{Outputs: o}, &s)-a.At(values, p)))
		}
	}
	return off
}

// With small jumps the process is the live cube's diffusion.
func TestSmallJumpsAreALiveCube(t *testing.T) {
	a := solve(t, 1.2, 1.3, 0.01, 500)
	for _, p := range []float64{0.1, 0.3, 0.5, 0.7, 0.9} {
		o := bg.Outputs{float32(p), float32(p * 0.2), 0, float32((1 - p) * 0.3), 0}
		if want, got := (cube.Live{}).Equity(&cube.Position{Outputs: o}, &cube.Money), a.At(a.Centered,
			p); math.Abs(got-want) > 0.05 {
			t.Errorf("p %v: %v, live %v", p, got, want)
		}
	}
}

func TestSettings(t *testing.T) {
	for _, s := range []Settings{{}, {1, 1, 0, 100}, {0.9, 1, 0.1, 100}, {1, 3.1, 0.1, 100}, {1, 1, math.NaN(), 100},
		{1, 1, 0.1, 2}} {
		if _, err := Solve(s); err == nil {
			t.Errorf("%+v was solved", s)
		}
	}
}
