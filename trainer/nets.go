package trainer

import (
	"fmt"
	"math"
	"math/rand/v2"

	"bgtrain/internal/bg"
	"bgtrain/internal/nn"
)

// Streams keep the uses of one seed apart.
const (
	streamWeights = 0x77656967687473
	streamWiden   = 0x776964656e
)

// RandomNet returns a net of random weights with sigmoid units: uniform within
// ±1/√inputs of a unit for the weights, zero for the thresholds.
func RandomNet(seed uint64, inputs int, hidden ...int) *nn.Net {
	rng := rand.New(rand.NewPCG(seed, streamWeights))
	n := &nn.Net{}
	for i := 0; i <= len(hidden); i++ {
		out := bg.NumOutputs
		if i < len(hidden) {
			out = hidden[i]
		}
		l := nn.Layer{In: inputs, Out: out, Activation: nn.Sigmoid, Beta: 1,
			Weights: make([]float32, inputs*out), Bias: make([]float32, out)}
		fill(rng, l.Weights, 1/math.Sqrt(float64(inputs)))
		n.Layers = append(n.Layers, l)
		inputs = out
	}
	return n
}

func fill(rng *rand.Rand, w []float32, limit float64) {
	for i := range w {
		w[i] = float32((2*rng.Float64() - 1) * limit)
	}
}

// Widen returns a net with the function of n and hidden units in its hidden layer
// number layer, at least as many as n has. The new units get random incoming
// weights, like those of RandomNet, and outgoing weights of zero: what the net
// computes does not change, and training can use them from the first step.
func Widen(n *nn.Net, layer, hidden int, seed uint64) (*nn.Net, error) {
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
	rng := rand.New(rand.NewPCG(seed, streamWiden))
	wide := *old
	wide.Out = hidden
	wide.Weights = make([]float32, old.In*hidden)
	wide.Bias = make([]float32, hidden)
	beta := float64(1)
	if old.Activation == nn.Sigmoid || old.Activation == nn.SigmoidGNUbg {
		beta = float64(old.Beta)
	}
	fill(rng, wide.Weights, 1/math.Sqrt(float64(old.In))/beta)
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
