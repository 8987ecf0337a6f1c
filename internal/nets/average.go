package nets

import (
	"fmt"
	"slices"

	"bgtrain/internal/nn"
)

// Average returns a with its nets of some roles moved towards those of b, weight
// by weight: (1-share)·a + share·b. If b was trained from a on noisy labels, a
// net on the way keeps most of what b learned and loses most of the noise, and of
// what b forgot (Wortsman and others 2022, "Robust fine-tuning of zero-shot models").
// The nets must be of one shape and on the same inputs.
func Average(a, b *Set, share float64, roles ...Role) (*Set, error) {
	out := a.clone()
	for _, r := range roles {
		x, y := a.Nets[r], b.Nets[r]
		if x == nil || y == nil {
			return nil, fmt.Errorf("average: no %s net in one of the players", r)
		}
		if x.Inputs != y.Inputs || x.InputsVersion != y.InputsVersion ||
			!slices.EqualFunc(x.Net.Layers, y.Net.Layers, sameShape) {
			return nil, fmt.Errorf("average: the %s nets differ in inputs, layers or activations", r)
		}
		e := *x
		e.Net = &nn.Net{Layers: slices.Clone(x.Net.Layers)}
		for k := range e.Net.Layers {
			l, other := &e.Net.Layers[k], &y.Net.Layers[k]
			l.Weights, l.Bias = between(l.Weights, other.Weights, share), between(l.Bias, other.Bias, share)
		}
		out.Nets[r] = &e
	}
	return out, nil
}

func sameShape(a, b nn.Layer) bool {
	return a.In == b.In && a.Out == b.Out && a.Activation == b.Activation && a.Beta == b.Beta
}

func between(a, b []float32, share float64) []float32 {
	out := make([]float32, len(a))
	for i := range out {
		out[i] = float32((1-share)*float64(a[i]) + share*float64(b[i]))
	}
	return out
}
