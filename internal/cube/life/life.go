// Package life has small nets for the life of the cube: from a position and its cubeless
// outputs they tell how much of a live cube's worth it has for each side, as the indices of
// Janowski's model.
package life

import (
	"math"

	"bgtrain/internal/bg"
)

// Index numbers what a net tells, each from 0, a dead cube, to 1, a live one.
type Index int

// The indices: of a cube that the player on roll owns, of one that the opponent owns, and
// of a centered one for the player on roll and for the opponent.
const (
	Own Index = iota
	Theirs
	Mine
	Opponents
	Indices
)

// Kind is a kind of position with a net of its own.
type Kind int

// The kinds.
const (
	Contact Kind = iota // crashed ones too
	Race
	Bearoff // races with all checkers in the home boards
	Kinds
)

// KindNames are the names of the kinds.
var KindNames = [Kinds]string{"contact", "race", "bearoff"}

// KindOf returns the kind of a class that cube.PositionOf gives.
func KindOf(c bg.Class) Kind {
	switch c {
	case bg.Race:
		return Race
	case bg.Bearoff:
		return Bearoff
	}
	return Contact
}

// The inputs: for each place of the player on roll and then of the opponent whether there
// is one checker, whether there are more, and how many more than two; then the rest.
const (
	perPlace   = 3
	perSide    = bg.Bar + 1
	offInputs  = 2 * perSide * perPlace // checkers borne off, of both
	oddsInputs = offInputs + 2          // the chance to win, its distance from even
	window     = oddsInputs + 2         // the numbers of Odds
	uses       = window + 4             // the flags of Odds
	spread     = uses + 4               // the spread over the next roll, and whether it was measured
	Inputs     = spread + 2
)

// Odds are what the cube is played for: for money what gammons make of it, in a match also
// what the score does.
type Odds struct {
	Win        float64 // chance of the player on roll
	Take, Cash float64 // the chances at which a live cube is just taken from, and cashed by, the player on roll
	Won, Lost  float64 // what a won and a lost game are worth, undoubled: 1 and -1 without gammons

	// Dead reports whether more points are of no use to the player on roll, to the opponent; and
	// whether they are not once the cube has been turned.
	Dead [4]bool

	Volatility float64 // mean absolute change of the chance to win by the next roll, 0 where it was not measured
}

// maxActive is how many inputs can be other than 0: fifteen places a side, two each.
const maxActive = 2*2*bg.Checkers + 2 + Inputs - oddsInputs

// Active are the inputs that are not 0.
type Active struct {
	n     int
	index [maxActive]uint8
	value [maxActive]float32
}

func (a *Active) add(index int, value float32) {
	if value != 0 {
		a.index[a.n], a.value[a.n] = uint8(index), value
		a.n++
	}
}

// Set sets the inputs to those of a position.
func (a *Active) Set(b *bg.Board, o *Odds) {
	a.n = 0
	for k, s := range [2]*bg.Side{&b.Me, &b.Opp} {
		on := 0
		for i, c := range s {
			if c == 0 {
				continue
			}
			on += int(c)
			at := (k*perSide + i) * perPlace
			if c == 1 {
				a.add(at, 1)
				continue
			}
			a.add(at+1, 1)
			a.add(at+2, 0.5*float32(c-2))
		}
		a.add(offInputs+k, float32(bg.Checkers-on)/bg.Checkers)
	}
	p := float32(2*o.Win - 1)
	a.add(oddsInputs, p)
	a.add(oddsInputs+1, p*p)
	a.add(window, 4*float32(o.Take-0.2))
	a.add(window+1, 4*float32(o.Cash-0.8))
	a.add(window+2, clipped(o.Won-1))
	a.add(window+3, clipped(-1-o.Lost))
	for i, dead := range o.Dead {
		if dead {
			a.add(uses+i, 1)
		}
	}
	if o.Volatility > 0 {
		a.add(spread, 10*float32(o.Volatility))
		a.add(spread+1, 1)
	}
}

// clipped keeps what may be without bounds at odd scores within them.
func clipped(x float64) float32 { return float32(min(max(x, -2), 2)) }

// Net is one net: the inputs, rectified hidden units, and a sigmoid for each index.
type Net struct {
	Hidden  int
	Weights []float32 // Inputs rows of Hidden, then the hidden biases, then Indices rows, their biases
}

// Size is the number of weights of a net of so many hidden units.
func Size(hidden int) int { return (Inputs+1)*hidden + int(Indices)*(hidden+1) }

// MaxHidden is the largest number of hidden units.
const MaxHidden = 256

func (n *Net) row(i int) []float32 { return n.Weights[i*n.Hidden:][:n.Hidden] }

func (n *Net) biases() []float32 { return n.row(Inputs) }

func (n *Net) outgoing(k int) []float32 { return n.row(Inputs + 1 + k) }

func (n *Net) bias(k int) *float32 { return &n.Weights[(Inputs+1+int(Indices))*n.Hidden+k] }

// Of returns the indices. units is room for the hidden units, which it leaves there.
func (n *Net) Of(a *Active, units []float32) (x [Indices]float64) {
	h := units[:n.Hidden]
	copy(h, n.biases())
	for k := range a.n {
		v := a.value[k]
		row := n.row(int(a.index[k]))[:len(h)]
		if v == 1 {
			for i, w := range row {
				h[i] += w
			}
			continue
		}
		for i, w := range row {
			h[i] += v * w
		}
	}
	var sums [Indices]float32
	for k := range sums {
		sums[k] = *n.bias(k)
		out := n.outgoing(k)[:len(h)]
		for i, y := range h {
			if y > 0 {
				sums[k] += y * out[i]
			}
		}
	}
	for k, s := range sums {
		x[k] = 1 / (1 + math.Exp(-float64(s)))
	}
	return x
}

// Backward adds to the gradient, laid out as Weights, what follows from derivatives d of a
// loss by the sums before the sigmoids, after Of left the hidden units in units.
func (n *Net) Backward(a *Active, units []float32, d *[Indices]float32, gradient []float32) {
	g := &Net{n.Hidden, gradient}
	h := units[:n.Hidden]
	var back [MaxHidden]float32
	for k, dk := range d {
		*g.bias(k) += dk
		out, to := n.outgoing(k), g.outgoing(k)
		for i, y := range h {
			if y > 0 {
				to[i] += dk * y
				back[i] += dk * out[i]
			}
		}
	}
	bias := g.biases()
	for i, v := range back[:n.Hidden] {
		bias[i] += v
	}
	for k := range a.n {
		v := a.value[k]
		row := g.row(int(a.index[k]))
		for i, b := range back[:n.Hidden] {
			row[i] += v * b
		}
	}
}
