package td

import (
	"fmt"
	"math"

	"bgtrain/features"
	"bgtrain/internal/bg"
	"bgtrain/internal/nn"

	"gonum.org/v1/gonum/blas/blas32"
)

// learner trains one net position by position, by gradient descent on the
// squared error of the five outputs.
type learner struct {
	set    *features.Set
	net    *nn.Net // two layers of sigmoids
	hidden int

	inputs []float32 // scratch: one position
	used   []int     // indices of its inputs that are not zero
	act    []float32 // hidden activations
	grad   []float32 // gradient at the hidden sums
}

// newLearner wraps a net of one hidden layer; the net is changed in place.
func newLearner(set *features.Set, net *nn.Net) *learner {
	h := net.Layers[0].Out
	return &learner{
		set: set, net: net, hidden: h,
		inputs: make([]float32, set.Size), used: make([]int, 0, set.Size),
		act: make([]float32, h), grad: make([]float32, h),
	}
}

// learn moves the net's outputs for a position towards target, and returns the
// squared error of the equity before the step. alphaIn and alphaOut are the
// learning rates of the two layers.
func (l *learner) learn(b *bg.Board, target *bg.Outputs, alphaIn, alphaOut float32) float64 {
	first, second := &l.net.Layers[0], &l.net.Layers[1]
	l.forward(b)
	clear(l.grad)
	hid := blas32.Vector{N: l.hidden, Inc: 1, Data: l.act}
	gradHid := blas32.Vector{N: l.hidden, Inc: 1, Data: l.grad}
	var out bg.Outputs
	for o := range out {
		// The second layer is input-major: the weights into one output lie
		// NumOutputs apart.
		w := blas32.Vector{N: l.hidden, Inc: bg.NumOutputs, Data: second.Weights[o:]}
		y := sigmoid(second.Bias[o] + blas32.Dot(hid, w))
		out[o] = y
		delta := (target[o] - y) * y * (1 - y)
		blas32.Axpy(delta, w, gradHid)
		blas32.Axpy(alphaOut*delta, hid, w)
		second.Bias[o] += alphaOut * delta
	}
	for h, y := range l.act {
		l.grad[h] *= y * (1 - y)
	}
	for _, i := range l.used {
		row := blas32.Vector{N: l.hidden, Inc: 1, Data: first.Weights[i*l.hidden:]}
		blas32.Axpy(alphaIn*l.inputs[i], gradHid, row)
	}
	blas32.Axpy(alphaIn, gradHid, blas32.Vector{N: l.hidden, Inc: 1, Data: first.Bias})
	e := float64(target.Equity() - out.Equity())
	return e * e
}

// forward encodes a position and computes the hidden activations.
func (l *learner) forward(b *bg.Board) {
	l.set.Encode(b, l.inputs)
	l.used = l.used[:0]
	first := &l.net.Layers[0]
	copy(l.act, first.Bias)
	sum := blas32.Vector{N: l.hidden, Inc: 1, Data: l.act}
	for i, x := range l.inputs {
		if x != 0 {
			l.used = append(l.used, i)
			blas32.Axpy(x, blas32.Vector{N: l.hidden, Inc: 1, Data: first.Weights[i*l.hidden:]}, sum)
		}
	}
	for h, x := range l.act {
		l.act[h] = sigmoid(x)
	}
}

func sigmoid(x float32) float32 { return float32(1 / (1 + math.Exp(-float64(x)))) }

// trainable says why a net is not of the kind that a learner trains.
func trainable(n *nn.Net) error {
	if err := n.Check(); err != nil {
		return err
	}
	if len(n.Layers) != 2 || n.Outputs() != bg.NumOutputs {
		return fmt.Errorf("TD trains nets of one hidden layer and %d outputs", bg.NumOutputs)
	}
	for i := range n.Layers {
		if l := &n.Layers[i]; l.Activation != nn.Sigmoid || l.Beta != 1 {
			return fmt.Errorf("layer %d is %v with beta %g; TD trains sigmoids with beta 1", i, l.Activation, l.Beta)
		}
	}
	return nil
}
