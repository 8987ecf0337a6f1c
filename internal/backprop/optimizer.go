package backprop

import (
	"math"

	"bgtrain/internal/gemm"
)

// OptimizerKind is a rule of weight updates.
type OptimizerKind uint8

// The rules.
const (
	Adam     OptimizerKind = iota // Adam; with Decay > 0, AdamW (decay apart from the gradient)
	Momentum                      // stochastic gradient descent with momentum

	// Muon steps the matrices of hidden layers by what is nearest to their moments among
	// the matrices whose singular values are all alike, and all else as Adam does: Keller
	// Jordan et al., Muon: An optimizer for hidden layers in neural networks (2024). Its
	// rate is comparable to Adam's: Liu et al., Muon is scalable for LLM training (2025).
	Muon
)

// Optimizer is the weight update: its rule and constants.
type Optimizer struct {
	Kind         OptimizerKind
	Beta1, Beta2 float64 // Adam: decay of the moments, usually 0.9 and 0.999
	Epsilon      float64 // Adam: added to the root of the second moment, usually 1e-8
	Momentum     float64 // Momentum, Muon: decay of the velocity; 0: plain gradient descent
	Decay        float64 // every step multiplies the weights by 1 - rate·Decay; 0: off
	Average      float64 // decay of the moving average of the weights, as 0.999; 0: no average
}

// coefficients are those of one step, ready for the kernels.
type coefficients struct {
	kind     OptimizerKind
	adam     gemm.AdamStep
	momentum gemm.MomentumStep
	muon     muonStep
	average  float32 // 0: no average
}

// at sets the coefficients of a step, the first being 1.
func (c *coefficients) at(o *Optimizer, step int64, rate float64) {
	c.kind = o.Kind
	t := float64(step)
	keep := float32(1 - rate*o.Decay)
	if o.Kind == Momentum {
		c.momentum = gemm.MomentumStep{Momentum: float32(o.Momentum), MinusRate: float32(-rate), Keep: keep}
	} else {
		// The moments start at zero; these make up for it.
		c1, c2 := 1-math.Pow(o.Beta1, t), math.Sqrt(1-math.Pow(o.Beta2, t))
		c.adam = gemm.AdamStep{
			Beta1: float32(o.Beta1), Gain1: float32(1 - o.Beta1),
			Beta2: float32(o.Beta2), Gain2: float32(1 - o.Beta2),
			MinusRate: float32(-rate * c2 / c1), Epsilon: float32(o.Epsilon * c2), Keep: keep,
		}
	}
	c.muon = muonStep{rate: rate, keep: float64(keep), gain: float32(1 - o.Momentum), momentum: float32(o.Momentum)}
	c.average = 0
	if o.Average > 0 {
		// At first the average runs over all the steps so far.
		c.average = float32(1 - min(o.Average, (1+t)/(10+t)))
	}
}

// State is everything that steps change. All slices have the Stepper's own layout,
// and the same length where not nil.
type State struct {
	Step    int64     // steps done
	Weights []float32 // as they are
	First   []float32 // Adam's first moment, or the velocity
	Second  []float32 // Adam's second moment; nil for Momentum
	Average []float32 // moving average of the weights; nil without
}

func newState(n int, o *Optimizer) State {
	s := State{Weights: gemm.Alloc(n), First: gemm.Alloc(n)}
	if o.Kind != Momentum {
		s.Second = gemm.Alloc(n)
	}
	if o.Average > 0 {
		s.Average = gemm.Alloc(n)
	}
	return s
}

// update steps the weights lo to lo+len(g) by their gradient g.
func (s *State) update(c *coefficients, lo int, g []float32) {
	hi := lo + len(g)
	if c.kind == Momentum {
		gemm.Momentum(s.Weights[lo:hi], s.First[lo:hi], g, &c.momentum)
	} else {
		gemm.Adam(s.Weights[lo:hi], s.First[lo:hi], s.Second[lo:hi], g, &c.adam)
	}
	if c.average > 0 {
		gemm.Average(s.Average[lo:hi], s.Weights[lo:hi], &c.average)
	}
}
