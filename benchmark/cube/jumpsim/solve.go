package jumpsim

import (
	"fmt"
	"math"
)

// Settings say what game is played.
type Settings struct {
	W, L       float64 // points of a won and of a lost game, 1 to 3
	Volatility float64 // mean absolute jump away from the ends
	Steps      int     // of the grid from 0 to 1
}

// Solution holds the equities before a jump, per cube, over the grid of the
// chance to win.
type Solution struct {
	s                                           Settings
	Centered, Owned, OpponentOwned              []float64
	jumpedCentered, jumpedOwned, jumpedOpponent []float64
}

// Solve computes the equities with both sides handling the cube best: it repeats
// choosing the best actions after a jump, and the values before it, until nothing
// changes. For values g after a jump those before it solve v²·V” = V - g, with
// V(0) = -L and V(1) = W.
func Solve(s Settings) (*Solution, error) {
	if !(s.W >= 1 && s.W <= 3 && s.L >= 1 && s.L <= 3) || !(s.Volatility > 0 && s.Volatility <= 0.5) || s.Steps < 10 {
		return nil, fmt.Errorf("jump process of W %v, L %v, volatility %v on %d steps: W and L from 1 to 3, "+
			"volatility up to 0.5, at least 10 steps expected",
			s.W, s.L, s.Volatility, s.Steps)
	}
	n := s.Steps + 1
	a := &Solution{s: s}
	for _, v := range []*[]float64{&a.Centered, &a.Owned, &a.OpponentOwned, &a.jumpedCentered, &a.jumpedOwned,
		&a.jumpedOpponent} {
		*v = make([]float64, n)
		for i := range *v {
			p := float64(i) / float64(s.Steps)
			(*v)[i] = p*(s.W+s.L) - s.L
		}
	}
	t := newTridiagonal(s)
	for range 100000 {
		a.act()
		change := t.solve(a.jumpedCentered, a.Centered)
		change = max(change, t.solve(a.jumpedOwned, a.Owned))
		change = max(change, t.solve(a.jumpedOpponent, a.OpponentOwned))
		if change < 1e-8 {
			return a, nil
		}
	}
	return nil, fmt.Errorf("jump process of W %v, L %v, volatility %v: no convergence", s.W, s.L, s.Volatility)
}

// act sets the values after a jump from those before the next.
func (a *Solution) act() {
	last := len(a.Centered) - 1
	for i := range a.Centered {
		if i == 0 || i == last {
			continue // the game is over
		}
		mine := min(2*a.OpponentOwned[i], 1) // I double
		theirs := max(2*a.Owned[i], -1)      // the opponent does
		a.jumpedOwned[i] = max(a.Owned[i], mine)
		a.jumpedOpponent[i] = min(a.OpponentOwned[i], theirs)
		switch v := a.Centered[i]; {
		case mine > v && 2*i >= last:
			a.jumpedCentered[i] = mine
		case theirs < v && 2*i <= last:
			a.jumpedCentered[i] = theirs
		case mine > v:
			a.jumpedCentered[i] = mine
		case theirs < v:
			a.jumpedCentered[i] = theirs
		default:
			a.jumpedCentered[i] = v
		}
	}
}

// At returns the equity at a chance to win, between the points of the grid.
func (a *Solution) At(values []float64, p float64) float64 {
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

func newTridiagonal(s Settings) *tridiagonal {
	h := 1 / float64(s.Steps)
	// The grid's walk has a kernel of decay q with q + 1/q = 2 + 1/k; this k makes
	// its decay that of exp(-|x|/v).
	k := 1 / (2*math.Cosh(h/s.Volatility) - 2)
	t := &tridiagonal{k: k, upper: make([]float64, s.Steps+1), rhs: make([]float64, s.Steps+1)}
	return t
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
