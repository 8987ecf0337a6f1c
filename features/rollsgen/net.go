package main

import (
	"math"
	"math/rand/v2"

	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
)

// hidden is the number of hidden units, that of features.
const hidden = 32

// net adds to the base of sides with checkers outside. A hidden unit is the square of a sum, 0 where that is
// negative: one weight for each point and number of checkers there.
type net struct {
	homes  *homes
	params []float32 // all of the following

	weights    []float32 // [24][16][hidden]
	thresholds []float32 // [hidden]
	outputs    []float32 // [numMoments][hidden]
	bias       []float32 // [numMoments]
}

// zeroNet returns a net whose weights are 0.
func zeroNet(h *homes) *net {
	n := &net{homes: h, params: make([]float32, 24*16*hidden+hidden+numMoments*(hidden+1))}
	rest := n.params
	take := func(size int) (part []float32) {
		part, rest = rest[:size:size], rest[size:]
		return part
	}
	n.weights, n.thresholds = take(24*16*hidden), take(hidden)
	n.outputs, n.bias = take(numMoments*hidden), take(numMoments)
	return n
}

func newNet(rng *rand.Rand, db *bearoff.DB) *net {
	n := zeroNet(readHomes(db))
	// Each unit begins with a measure of pips.
	for k := range hidden {
		n.thresholds[k] = float32(0.5 * rng.NormFloat64())
		slope := 0.006 * rng.NormFloat64()
		for i := range 24 {
			for c := range 16 {
				n.weights[(i*16+c)*hidden+k] = float32(0.05*rng.NormFloat64() + slope*float64(c*i))
			}
		}
	}
	for k := range n.outputs {
		n.outputs[k] = float32(0.02 * rng.NormFloat64())
	}
	return n
}

// weightsOf returns the hidden units' weights of c checkers on point i.
func (n *net) weightsOf(i int, c uint8) *[hidden]float32 {
	return (*[hidden]float32)(n.weights[(i*16+int(c))*hidden:])
}

// outputsOf returns the weights of output o.
func (n *net) outputsOf(o int) *[hidden]float32 { return (*[hidden]float32)(n.outputs[o*hidden:]) }

// sums sets h to the sums of the hidden units.
func (n *net) sums(s *bg.Side, h *[hidden]float32) {
	copy(h[:], n.thresholds)
	for i, c := range s[:24] {
		if c == 0 {
			continue
		}
		for k, w := range n.weightsOf(i, c) {
			h[k] += w
		}
	}
}

// output returns output o for the sums h.
func (n *net) output(o int, h *[hidden]float32) float32 {
	y := n.bias[o]
	w := n.outputsOf(o)
	for k, x := range h {
		x = max(x, 0)
		y += x * x * w[k]
	}
	return y
}

// moments returns the moments of a side.
func (n *net) moments(s *bg.Side) moments {
	m := n.homes.base(s)
	if s.Back() < bearoff.Points {
		return m
	}
	var h [hidden]float32
	n.sums(s, &h)
	for o := range m {
		m[o] += float64(n.output(o, &h))
	}
	return m
}

// deviation returns how far the net's mean is off the values of sides, root mean square.
func (n *net) deviation(sides []side) float64 {
	sum := 0.0
	for i := range sides {
		d := n.moments(&sides[i].board)[mean] - sides[i].value[mean]
		sum += d * d
	}
	return math.Sqrt(sum / float64(len(sides)))
}
