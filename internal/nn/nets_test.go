package nn

import (
	"math"
	"math/rand/v2"
)

// randomNet returns a net whose sums are mostly between -4 and 4.
func randomNet(rng *rand.Rand, act Activation, sizes ...int) *Net {
	n := &Net{}
	for k := range sizes[1:] {
		l := Layer{
			In: sizes[k], Out: sizes[k+1],
			Weights: make([]float32, sizes[k]*sizes[k+1]), Bias: make([]float32, sizes[k+1]),
			Activation: act, Beta: 1,
		}
		scale := 3 / math.Sqrt(float64(l.In))
		if k == 0 {
			scale = 3 / math.Sqrt(0.3*float64(l.In))
		}
		if act == SquaredReLU { // squares magnify the rounding of a layer more
			scale /= 3
		}
		for i := range l.Weights {
			l.Weights[i] = float32(scale * rng.NormFloat64())
		}
		for i := range l.Bias {
			l.Bias[i] = float32(rng.NormFloat64())
		}
		n.Layers = append(n.Layers, l)
	}
	return n
}
