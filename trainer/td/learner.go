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
// squared error of the outputs.
type learner struct {
	set      *features.Set
	net      *nn.Net // hidden layers of any kind, sigmoid outputs
	outputs  []int   // that learn
	settings *Settings

	inputs []float32   // scratch: one position
	used   []int       // indices of its inputs that are not zero
	acts   [][]float32 // activations of each hidden layer
	grads  [][]float32 // gradients at their sums
}

// newLearner wraps a net, which is changed in place.
func newLearner(set *features.Set, net *nn.Net, s *Settings) *learner {
	l := &learner{set: set, net: net, outputs: s.outputs(), settings: s,
		inputs: make([]float32, set.Size), used: make([]int, 0, set.Size)}
	for i := range net.Layers[:len(net.Layers)-1] {
		l.acts = append(l.acts, make([]float32, net.Layers[i].Out))
		l.grads = append(l.grads, make([]float32, net.Layers[i].Out))
	}
	return l
}

func vector(x []float32) blas32.Vector { return blas32.Vector{N: len(x), Inc: 1, Data: x} }

// row returns the weights out of input i of a layer.
func row(l *nn.Layer, i int) blas32.Vector { return vector(l.Weights[i*l.Out : (i+1)*l.Out]) }

// learn moves the net's outputs for a position towards target, and returns the
// squared error of the equity before the step. alphaIn and alphaOut are the
// learning rates of the hidden layers and of the output layer.
func (l *learner) learn(b *bg.Board, target *bg.Outputs, alphaIn, alphaOut float32) float64 {
	l.forward(b)
	out := l.last(target, alphaOut)
	for k := len(l.acts) - 1; k > 0; k-- {
		l.hidden(k, alphaIn)
	}
	l.first(alphaIn)
	e := float64(target.Equity() - out.Equity())
	return e * e
}

// last computes the outputs, moves the output layer, and leaves the gradient at
// the activations of the last hidden layer.
func (l *learner) last(target *bg.Outputs, alpha float32) (out bg.Outputs) {
	if l.settings.Symmetric {
		return l.symmetricLast(target, alpha)
	}
	layer, k := &l.net.Layers[len(l.net.Layers)-1], len(l.acts)-1
	hid, grad := vector(l.acts[k]), vector(l.grads[k])
	clear(l.grads[k])
	for _, o := range l.outputs {
		// The layer is input-major: the weights into one output lie NumOutputs
		// apart.
		w := column(layer, o)
		y := sigmoid(layer.Bias[o] + blas32.Dot(hid, w))
		out[o] = y
		delta := slopeOf(target[o], y)
		blas32.Axpy(delta, w, grad)
		blas32.Axpy(alpha*delta, hid, w)
		layer.Bias[o] += alpha * delta
	}
	return out
}

// hidden moves layer k, one after another hidden layer, and leaves the gradient at
// the activations before it.
func (l *learner) hidden(k int, alpha float32) {
	layer := &l.net.Layers[k]
	l.slope(k)
	grad := vector(l.grads[k])
	for i, x := range l.acts[k-1] {
		w := row(layer, i)
		l.grads[k-1][i] = blas32.Dot(grad, w)
		if x != 0 {
			blas32.Axpy(alpha*x, grad, w)
		}
	}
	blas32.Axpy(alpha, grad, vector(layer.Bias))
}

// first moves the layer of the inputs.
func (l *learner) first(alpha float32) {
	layer := &l.net.Layers[0]
	l.slope(0)
	grad := vector(l.grads[0])
	half := layer.In / 2
	for _, i := range l.used {
		blas32.Axpy(alpha*l.inputs[i], grad, row(layer, i))
		if l.settings.Symmetric {
			blas32.Axpy(-alpha*l.inputs[i], grad, row(layer, (i+half)%layer.In))
		}
	}
	if !l.settings.Symmetric {
		blas32.Axpy(alpha, grad, vector(layer.Bias))
	}
}

// slope turns the gradient at the activations of a hidden layer into that at its
// sums.
func (l *learner) slope(k int) {
	grad := l.grads[k]
	switch l.net.Layers[k].Activation {
	case nn.Sigmoid:
		for h, y := range l.acts[k] {
			grad[h] *= y * (1 - y)
		}
	case nn.Tanh:
		for h, y := range l.acts[k] {
			grad[h] *= 1 - y*y
		}
	case nn.ReLU:
		for h, y := range l.acts[k] {
			if y <= 0 {
				grad[h] = 0
			}
		}
	case nn.SquaredReLU:
		for h, y := range l.acts[k] {
			grad[h] *= 2 * float32(math.Sqrt(float64(y)))
		}
	}
}

// forward encodes a position and computes the hidden activations.
func (l *learner) forward(b *bg.Board) {
	l.set.Encode(b, l.inputs)
	l.used = l.used[:0]
	first := &l.net.Layers[0]
	copy(l.acts[0], first.Bias)
	sum := vector(l.acts[0])
	for i, x := range l.inputs {
		if x != 0 {
			l.used = append(l.used, i)
			blas32.Axpy(x, row(first, i), sum)
		}
	}
	activate(first.Activation, l.acts[0])
	for k := 1; k < len(l.acts); k++ {
		layer := &l.net.Layers[k]
		copy(l.acts[k], layer.Bias)
		sum := vector(l.acts[k])
		for i, x := range l.acts[k-1] {
			if x != 0 {
				blas32.Axpy(x, row(layer, i), sum)
			}
		}
		activate(layer.Activation, l.acts[k])
	}
}

// activate replaces sums by activations.
func activate(a nn.Activation, x []float32) {
	for h, s := range x {
		switch a {
		case nn.Sigmoid:
			x[h] = sigmoid(s)
		case nn.Tanh:
			x[h] = float32(math.Tanh(float64(s)))
		case nn.ReLU:
			x[h] = max(s, 0)
		case nn.SquaredReLU:
			s = max(s, 0)
			x[h] = s * s
		}
	}
}

func sigmoid(x float32) float32 { return float32(1 / (1 + math.Exp(-float64(x)))) }

// trainable returns why a net is not of the kind that a learner trains, nil if it is.
func trainable(n *nn.Net) error {
	if err := n.Check(); err != nil {
		return err
	}
	if len(n.Layers) < 2 || n.Outputs() != bg.NumOutputs {
		return fmt.Errorf("TD trains nets of a hidden layer or more and %d outputs", bg.NumOutputs)
	}
	for i := range n.Layers {
		l := &n.Layers[i]
		last := i == len(n.Layers)-1
		switch {
		case l.Activation == nn.Sigmoid && l.Beta != 1:
			return fmt.Errorf("layer %d is a sigmoid with beta %g; TD trains those with beta 1", i, l.Beta)
		case l.Activation == nn.SigmoidGNUbg, last && l.Activation != nn.Sigmoid:
			return fmt.Errorf("layer %d is %v; TD trains sigmoid, relu, tanh and squared-relu, and sigmoid outputs",
				i, l.Activation)
		}
	}
	return nil
}
