package cube

import "math"

// nodes is a line of straight pieces over the chance to win from 0 to 1: what the
// position is worth after the next jump, when either side may double. The ends of
// the game itself, won and lost, may lie off it.
type nodes struct {
	n         int
	x, y      [8]float64
	lost, won float64
}

func (g *nodes) add(x, y float64) {
	if g.n > 0 {
		x = max(x, g.x[g.n-1])
	}
	g.x[g.n], g.y[g.n] = min(x, 1), y
	g.n++
}

// ramp is half the width of the step from the opponent's doubles to one's own,
// where no chance is left at which neither doubles.
const ramp = 0.01

// payoff returns the values after a jump: from the left, the opponent plays on
// for a gammon, cashes, has doubled and been taken; nobody doubles; the player on
// roll has doubled and been taken, cashes, plays on for a gammon.
func (w *window) payoff(s *State) nodes {
	g := nodes{lost: w.lost, won: w.me.won}
	low, high := 0.0, 1.0
	if w.opp.mayDouble {
		// As the player on roll sees the opponent's side.
		d := w.opp.doubled
		their := straight{1 - d.x0, s.complement(d.at), d.slope}
		low = crossing(w.wait, their, 1-w.opp.cash, 1)
		take, pass := 1-w.opp.cash, s.complement(w.opp.pass)
		if take > 0 {
			g.add(0, min(w.lost, pass))
			g.add(min(1-w.opp.tooGood, take), pass)
			g.add(take, pass)
		} else {
			g.add(0, their.y(0))
		}
		g.add(low, their.y(low))
	} else {
		g.add(0, w.wait.y(0))
	}
	if !w.me.mayDouble {
		g.add(1, w.wait.y(1))
		return g
	}
	mine := w.me.doubled
	high = crossing(w.wait, mine, w.me.cash, 0)
	if last := g.n - 1; w.opp.mayDouble && high < g.x[last]+ramp {
		// Both sides would double: whose roll is next is not part of the model. A short
		// ramp joins the two.
		middle := min(max((high+g.x[last])/2, ramp), 1-ramp)
		g.x[last] = max(middle-ramp, g.x[last-1])
		high = max(middle+ramp, g.x[last])
	}
	g.add(high, mine.y(high))
	if w.me.cash >= 1 {
		g.add(1, mine.y(1))
		return g
	}
	g.add(w.me.cash, w.me.pass)
	g.add(w.me.tooGood, w.me.pass)
	g.add(1, max(w.me.won, w.me.pass))
	return g
}

// crossing returns where the doubled line begins to be better for the doubler
// than to wait, seen from its cash point towards the far end of the game: at the
// cash point itself if it is never, at the far end if it always is.
func crossing(wait, doubled straight, cash, far float64) float64 {
	better := func(x float64) float64 { // for the player on roll; the opponent's cash point is below
		if cash < far {
			return wait.y(x) - doubled.y(x)
		}
		return doubled.y(x) - wait.y(x)
	}
	near, end := better(cash), better(far)
	switch {
	case end >= 0:
		return far
	case near <= 0:
		return cash
	}
	return cash + (far-cash)*near/(near-end)
}

// mean is the mean of the values after one jump of volatility v from p. The
// jump is the end of a Brownian path stopped after an exponential time, or at the
// ends of the game: away from them its distribution is the two-sided exponential
// one of mean size v. For a payoff g of straight pieces the mean is
//
//	g(p) + Σ κ v sinh(min(p, x)/v) sinh((1 - max(p, x))/v) / sinh(1/v)
//
// over its bends x, where the slope changes by κ, and the like for its ends.
func (g *nodes) mean(p, v float64) float64 {
	k := 1
	for k < g.n-1 && p > g.x[k] {
		k++
	}
	at := func(k int) float64 {
		if g.x[k] <= g.x[k-1] {
			return g.y[k]
		}
		return g.y[k-1] + (g.y[k]-g.y[k-1])*(p-g.x[k-1])/(g.x[k]-g.x[k-1])
	}
	sum := at(k)
	slope := math.NaN()
	for i := 1; i < g.n; i++ {
		if g.x[i]-g.x[i-1] < 1e-12 {
			continue
		}
		next := (g.y[i] - g.y[i-1]) / (g.x[i] - g.x[i-1])
		if !math.IsNaN(slope) {
			x := g.x[i-1]
			sum += (next - slope) * v * resolvent(min(p, x), 1-max(p, x), v)
		}
		slope = next
	}
	sum += (g.lost - g.y[0]) * sinhRatio(1-p, v)
	return sum + (g.won-g.y[g.n-1])*sinhRatio(p, v)
}

// resolvent is sinh(a/v) sinh(b/v) / sinh(1/v) for a + b <= 1.
func resolvent(a, b, v float64) float64 {
	return 0.5 * math.Exp((a+b-1)/v) * (1 - math.Exp(-2*a/v)) * (1 - math.Exp(-2*b/v)) / (1 - math.Exp(-2/v))
}

// sinhRatio is sinh(a/v) / sinh(1/v).
func sinhRatio(a, v float64) float64 {
	return math.Exp((a-1)/v) * (1 - math.Exp(-2*a/v)) / (1 - math.Exp(-2/v))
}
