package cube

import (
	"math"
	"math/rand/v2"
	"testing"

	"bgtrain/internal/bg"
)

// Games of the process, played out with the cube as the dynamic program says, win
// what it says, within four standard errors.
func TestJumpProcessPlayed(t *testing.T) {
	const games = 15000
	for i, c := range []struct{ w, l, v, from float64 }{
		{1, 1, 0.08, 0.5}, {1.3, 1.2, 0.08, 0.35}, {1.2, 1.4, 0.12, 0.7}, {1.25, 1.25, 0.05, 0.6},
	} {
		a := solveProcess(t, jumpProcess{c.w, c.l, c.v, 400})
		mean, se := a.play(c.from, games, uint64(i+1))
		if want := a.at(a.centered, c.from); math.Abs(mean-want) > 4*se {
			t.Errorf("%+v: %v ± %v, by dynamic programming %v", c, mean, se, want)
		}
	}
}

// The closed form is the solution of the process.
func TestClosedFormAgainstSolution(t *testing.T) {
	for _, c := range []struct{ w, l, v float64 }{
		{1, 1, 0.04}, {1, 1, 0.08}, {1.3, 1.2, 0.08}, {1.5, 1.1, 0.08}, {1.1, 1.4, 0.05}, {1.2, 1.25, 0.12},
	} {
		a := solveProcess(t, jumpProcess{c.w, c.l, c.v, 500})
		if off := farthest(a); off > 2e-4 {
			t.Errorf("%+v: off by %v", c, off)
		}
	}
}

// farthest is the largest difference of the closed form from the solution, over all
// holders and chances to win.
func farthest(a *processSolution) (off float64) {
	m := Jump{Volatility: a.s.Volatility}
	for h, values := range map[Holder][]float64{Centered: a.centered, Owned: a.owned,
		OpponentOwned: a.opponentOwned} {
		s := State{Cube: 2, Owner: h}
		if h == Centered {
			s.Cube = 1
		}
		for i := 1; i < 100; i++ {
			p := float64(i) / 100
			o := bg.Outputs{float32(p), float32(p * (a.s.W - 1)), 0, float32((1 - p) * (a.s.L - 1)), 0}
			off = max(off, math.Abs(m.Equity(&Position{Outputs: o}, &s)-a.at(values, p)))
		}
	}
	return off
}

// With small jumps the process is the live cube's diffusion.
func TestSmallJumpsAreALiveCube(t *testing.T) {
	a := solveProcess(t, jumpProcess{1.2, 1.3, 0.01, 500})
	for _, p := range []float64{0.1, 0.3, 0.5, 0.7, 0.9} {
		o := bg.Outputs{float32(p), float32(p * 0.2), 0, float32((1 - p) * 0.3), 0}
		if want, got := (Live{}).Equity(&Position{Outputs: o}, &Money), a.at(a.centered,
			p); math.Abs(got-want) > 0.05 {
			t.Errorf("p %v: %v, live %v", p, got, want)
		}
	}
}

// jumpProcess is the process that the jump model is about, solved here without the approximations of its closed
// forms: by dynamic programming on a grid, and by playing games of it with the strategy found.
//
// The chance to win follows a Brownian path that ends at 0 or 1. The cube can be turned at the times of the rolls
// only, and the time from one to the next is exponentially distributed, so that away from the ends a roll moves the
// chance by a two-sided exponential jump. Either side may double after a jump; a won game counts W points, a lost
// one L.
type jumpProcess struct {
	W, L       float64 // points of a won and of a lost game, 1 to 3
	Volatility float64 // mean absolute jump away from the ends
	Steps      int     // of the grid from 0 to 1
}

// processSolution holds the equities before a jump, per cube, over the grid of the
// chance to win.
type processSolution struct {
	s                                           jumpProcess
	centered, owned, opponentOwned              []float64
	jumpedCentered, jumpedOwned, jumpedOpponent []float64
}

// solveProcess computes the equities with both sides handling the cube best: it repeats
// choosing the best actions after a jump, and the values before it, until nothing
// changes. For values g after a jump those before it solve v²·V” = V - g, with
// V(0) = -L and V(1) = W.
func solveProcess(t testing.TB, s jumpProcess) *processSolution {
	t.Helper()
	n := s.Steps + 1
	a := &processSolution{s: s}
	for _, v := range []*[]float64{&a.centered, &a.owned, &a.opponentOwned, &a.jumpedCentered, &a.jumpedOwned,
		&a.jumpedOpponent} {
		*v = make([]float64, n)
		for i := range *v {
			p := float64(i) / float64(s.Steps)
			(*v)[i] = p*(s.W+s.L) - s.L
		}
	}
	grid := newTridiagonal(s)
	for range 100000 {
		a.act()
		change := grid.solve(a.jumpedCentered, a.centered)
		change = max(change, grid.solve(a.jumpedOwned, a.owned))
		change = max(change, grid.solve(a.jumpedOpponent, a.opponentOwned))
		if change < 1e-8 {
			return a
		}
	}
	t.Fatalf("%+v: no convergence", s)
	return nil
}

// act sets the values after a jump from those before the next.
func (a *processSolution) act() {
	last := len(a.centered) - 1
	for i := range a.centered {
		if i == 0 || i == last {
			continue // the game is over
		}
		mine := min(2*a.opponentOwned[i], 1) // I double
		theirs := max(2*a.owned[i], -1)      // the opponent does
		a.jumpedOwned[i] = max(a.owned[i], mine)
		a.jumpedOpponent[i] = min(a.opponentOwned[i], theirs)
		switch v := a.centered[i]; {
		case mine > v && (2*i >= last || theirs >= v):
			a.jumpedCentered[i] = mine
		case theirs < v:
			a.jumpedCentered[i] = theirs
		default:
			a.jumpedCentered[i] = v
		}
	}
}

// at returns the equity at a chance to win, between the points of the grid.
func (a *processSolution) at(values []float64, p float64) float64 {
	x := p * float64(a.s.Steps)
	i := min(max(int(x), 0), a.s.Steps-1)
	f := x - float64(i)
	return values[i]*(1-f) + values[i+1]*f
}

// tridiagonal solves V - k·(V[i-1] - 2V[i] + V[i+1]) = g with fixed ends.
type tridiagonal struct {
	k          float64
	upper, rhs []float64
}

func newTridiagonal(s jumpProcess) *tridiagonal {
	h := 1 / float64(s.Steps)
	// The grid's walk has a kernel of decay q with q + 1/q = 2 + 1/k; this k makes
	// its decay that of exp(-|x|/v).
	k := 1 / (2*math.Cosh(h/s.Volatility) - 2)
	return &tridiagonal{k: k, upper: make([]float64, s.Steps+1), rhs: make([]float64, s.Steps+1)}
}

// solve overwrites v, whose ends are kept, and returns the largest change.
func (t *tridiagonal) solve(g, v []float64) (change float64) {
	last := len(v) - 1
	t.upper[0], t.rhs[0] = 0, v[0]
	for i := 1; i < last; i++ {
		d := 1 + 2*t.k + -t.k*t.upper[i-1]
		t.upper[i] = t.k / d
		t.rhs[i] = (g[i] + t.k*t.rhs[i-1]) / d
	}
	for i := last - 1; i > 0; i-- {
		x := t.rhs[i] + t.upper[i]*v[i+1]
		change = max(change, math.Abs(x-v[i]))
		v[i] = x
	}
	return change
}

// play plays games of the process from a chance to win with a centered cube, both sides handling it as the
// solution says, and returns the mean and its standard error of what the side whose chance it is wins.
func (a *processSolution) play(from float64, games int, seed uint64) (mean, se float64) {
	rng := rand.New(rand.NewPCG(seed, 0x6a756d70))
	var sum, squares float64
	for range games {
		points := a.game(rng, from)
		sum += points
		squares += points * points
	}
	n := float64(games)
	mean = sum / n
	return mean, math.Sqrt((squares/n - mean*mean) / n)
}

func (a *processSolution) game(rng *rand.Rand, p float64) (points float64) {
	cube := 1.0
	owner := 0 // 1 the side whose chance p is, -1 the other, 0 both
	for {
		p = a.jump(rng, p)
		if p <= 0 {
			return -a.s.L * cube
		}
		if p >= 1 {
			return a.s.W * cube
		}
		wait := a.at(a.values(owner), p)
		mine, theirs := 2*a.at(a.opponentOwned, p), 2*a.at(a.owned, p)
		switch {
		case owner >= 0 && min(mine, 1) > wait && (owner > 0 || p >= 0.5 || max(theirs, -1) >= wait):
			if mine >= 1 {
				return cube
			}
			cube, owner = 2*cube, -1
		case owner <= 0 && max(theirs, -1) < wait:
			if theirs <= -1 {
				return -cube
			}
			cube, owner = 2*cube, 1
		}
	}
}

func (a *processSolution) values(owner int) []float64 {
	switch owner {
	case 1:
		return a.owned
	case -1:
		return a.opponentOwned
	}
	return a.centered
}

// jump draws where a jump from p ends, 0 and 1 included, by the inverse of its
// distribution function, which below p is sinh((1-p)/v) cosh(y/v) / sinh(1/v),
// and above it the mirror image of that.
func (a *processSolution) jump(rng *rand.Rand, p float64) float64 {
	v := a.s.Volatility
	u := rng.Float64()
	below := math.Sinh((1-p)/v) / math.Sinh(1/v)
	if u <= below*math.Cosh(p/v) {
		return v * math.Acosh(max(u/below, 1))
	}
	above := math.Sinh(p/v) / math.Sinh(1/v)
	return 1 - v*math.Acosh(max((1-u)/above, 1))
}
