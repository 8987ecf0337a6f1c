package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
)

// hidden is the number of hidden units, that of features.
const hidden = 32

// net adds to the base of sides with checkers outside. A hidden unit is the
// square of a sum, 0 where that is negative: one weight for each point and number
// of checkers there.
type net struct {
	homes      *homes
	weights    []float32 // [24][16][hidden]
	thresholds []float32 // [hidden]
	outputs    []float32 // [numMoments][hidden]
	bias       []float32 // [numMoments]
}

func newNet(rng *rand.Rand, db *bearoff.DB) *net {
	n := &net{
		homes:      readHomes(db),
		weights:    make([]float32, 24*16*hidden),
		thresholds: make([]float32, hidden),
		outputs:    make([]float32, numMoments*hidden),
		bias:       make([]float32, numMoments),
	}
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

// sums sets h to the sums of the hidden units.
func (n *net) sums(s *bg.Side, h *[hidden]float32) {
	copy(h[:], n.thresholds)
	for i, c := range s[:24] {
		if c == 0 {
			continue
		}
		w := (*[hidden]float32)(n.weights[(i*16+int(c))*hidden:])
		for k := range h {
			h[k] += w[k]
		}
	}
}

// output returns output o for the sums h.
func (n *net) output(o int, h *[hidden]float32) float32 {
	y := n.bias[o]
	w := (*[hidden]float32)(n.outputs[o*hidden:])
	for k, x := range h {
		x = max(x, 0)
		y += x * x * w[k]
	}
	return y
}

// moments returns what is known of a side.
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

// means returns the means only, that plays are chosen by.
func (n *net) means(s *bg.Side) (all, first float64) {
	m := n.homes.base(s)
	if s.Back() < bearoff.Points {
		return m[mean], m[firstMean]
	}
	var h [hidden]float32
	n.sums(s, &h)
	return m[mean] + float64(n.output(mean, &h)), m[firstMean] + float64(n.output(firstMean, &h))
}

// errors tells how far the net is off the values of sides, root mean square.
func (n *net) errors(sides []side) string {
	var sum, count moments
	for i := range sides {
		m := n.moments(&sides[i].board)
		for o := range m {
			if o >= firstMean && !sides[i].all {
				continue
			}
			d := m[o] - sides[i].value[o]
			sum[o] += d * d
			count[o]++
		}
	}
	var b strings.Builder
	for o, name := range [...]string{"mean", "variance", "skew", "first mean", "first variance"} {
		fmt.Fprintf(&b, " %s %.4f", name, math.Sqrt(sum[o]/max(count[o], 1)))
	}
	return b.String()[1:]
}
