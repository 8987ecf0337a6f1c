package nets

import (
	"fmt"
	"math"
	"math/rand/v2"

	"bgtrain/internal/nn"
)

// Random returns a net of random weights: sizes are its inputs, the units of each
// hidden layer, and its outputs, which are sigmoids; hidden is the activation of
// the layers between. The weights of a layer are uniform within ±limit(layer,
// inputs of the layer), drawn layer by layer in the order of nn.Layer.Weights; the
// thresholds are zero.
func Random(rng *rand.Rand, limit func(layer, inputs int) float64, hidden nn.Activation, sizes ...int) *nn.Net {
	n := &nn.Net{}
	for i, in := range sizes[:len(sizes)-1] {
		out := sizes[i+1]
		l := nn.Layer{In: in, Out: out, Activation: hidden, Beta: 1,
			Weights: make([]float32, in*out), Bias: make([]float32, out)}
		if i == len(sizes)-2 {
			l.Activation = nn.Sigmoid
		}
		fill(rng, l.Weights, limit(i, in))
		n.Layers = append(n.Layers, l)
	}
	return n
}

// ByInputs is a limit for Random: 1/√inputs, with which the sums of sigmoid units
// start within their slope.
func ByInputs(_, inputs int) float64 { return 1 / math.Sqrt(float64(inputs)) }

// fill sets weights to random ones within ±limit; with a limit of 0 they stay zero.
func fill(rng *rand.Rand, w []float32, limit float64) {
	if limit == 0 {
		return
	}
	for i := range w {
		w[i] = float32((2*rng.Float64() - 1) * limit)
	}
}

// Widen returns a net with the function of n and hidden units in its hidden layer
// number layer, at least as many as n has. The new units get random incoming
// weights, within ByInputs (√6 times that where they are rectified), and outgoing
// weights of zero: what the net computes does not change, and training can use them
// from the first step.
func Widen(rng *rand.Rand, n *nn.Net, layer, hidden int) (*nn.Net, error) {
	if err := n.Check(); err != nil {
		return nil, fmt.Errorf("widen: %w", err)
	}
	if layer < 0 || layer >= len(n.Layers)-1 {
		return nil, fmt.Errorf("widen: no hidden layer %d", layer)
	}
	old := &n.Layers[layer]
	if hidden < old.Out {
		return nil, fmt.Errorf("widen: the net has %d hidden units already, %d asked for", old.Out, hidden)
	}
	wide := *old
	wide.Out = hidden
	wide.Weights = make([]float32, old.In*hidden)
	wide.Bias = make([]float32, hidden)
	beta := float64(1)
	if old.Activation.IsSigmoid() {
		beta = float64(old.Beta)
	}
	limit := ByInputs(layer, old.In) / beta
	if old.Activation == nn.ReLU {
		limit *= math.Sqrt(6) // He and others, 2015
	}
	fill(rng, wide.Weights, limit)
	for i := 0; i < old.In; i++ {
		copy(wide.Weights[i*hidden:], old.Weights[i*old.Out:(i+1)*old.Out])
	}
	copy(wide.Bias, old.Bias)

	next := n.Layers[layer+1]
	next.In = hidden
	next.Weights = make([]float32, hidden*next.Out)
	copy(next.Weights, n.Layers[layer+1].Weights)

	out := &nn.Net{Layers: append([]nn.Layer(nil), n.Layers...)}
	out.Layers[layer], out.Layers[layer+1] = wide, next
	return out, nil
}
