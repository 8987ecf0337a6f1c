package nn

import (
	"fmt"
	"math"
	"slices"
)

// Activation is the function applied to a layer's sums.
type Activation uint8

// The activations that net files may name.
const (
	Sigmoid      Activation = iota // 1 / (1 + e^(-beta·x))
	SigmoidGNUbg                   // what GNU Backgammon 1.07 computes for Sigmoid, see hiddenSigmoidGNUbg
	ReLU                           // max(0, x)
	Tanh                           // tanh(x)
	SquaredReLU                    // max(0, x)²; So and others, Primer, 2021
	numActivations
)

var activationNames = [numActivations]string{"sigmoid", "sigmoid-gnubg", "relu", "tanh", "squared-relu"}

// TrainedActivations are the names of those that training knows: GNU Backgammon's sigmoid is for evaluation only.
var TrainedActivations = slices.DeleteFunc(slices.Clone(activationNames[:]),
	func(name string) bool { return name == SigmoidGNUbg.String() })

// String returns the name of the activation, as net files have it.
func (a Activation) String() string {
	if a < numActivations {
		return activationNames[a]
	}
	return fmt.Sprintf("activation(%d)", uint8(a))
}

// ParseActivation is the inverse of Activation.String.
func ParseActivation(s string) (Activation, error) {
	if i := slices.Index(activationNames[:], s); i >= 0 {
		return Activation(i), nil
	}
	return 0, fmt.Errorf("unknown activation %q (known: %v)", s, activationNames)
}

// IsSigmoid reports whether a is the sigmoid or GNU Backgammon's approximation of it.
func (a Activation) IsSigmoid() bool { return a == Sigmoid || a == SigmoidGNUbg }

// IsRectified reports whether a is 0 below 0: a unit may then be idle, 0 in every position.
func (a Activation) IsRectified() bool { return a == ReLU || a == SquaredReLU }

// Layer is a dense layer: out[o] = act(Bias[o] + sum over i of in[i]·Weights[i*Out+o]).
type Layer struct {
	In, Out    int
	Weights    []float32 // In×Out, all outputs of the first input first
	Bias       []float32 // Out
	Activation Activation
	Beta       float32 // steepness of the sigmoids; the others ignore it
}

// steepness is Beta, or 1 where that is ignored.
func (l *Layer) steepness() float32 {
	if l.Activation.IsSigmoid() {
		return l.Beta
	}
	return 1
}

// Net is a chain of dense layers.
type Net struct {
	Layers []Layer
}

// Inputs returns the width of the input vector.
func (n *Net) Inputs() int { return n.Layers[0].In }

// Outputs returns the width of the output vector.
func (n *Net) Outputs() int { return n.Layers[len(n.Layers)-1].Out }

// Check reports the first inconsistency of sizes, or a weight that is not finite.
func (n *Net) Check() error {
	if len(n.Layers) == 0 {
		return fmt.Errorf("net has no layers")
	}
	for i := range n.Layers {
		l := &n.Layers[i]
		switch {
		case l.In <= 0 || l.Out <= 0:
			return fmt.Errorf("layer %d: size %d×%d", i, l.In, l.Out)
		case len(l.Weights) != l.In*l.Out:
			return fmt.Errorf("layer %d: %d weights, %d×%d expected", i, len(l.Weights), l.In, l.Out)
		case len(l.Bias) != l.Out:
			return fmt.Errorf("layer %d: %d thresholds, %d expected", i, len(l.Bias), l.Out)
		case i > 0 && n.Layers[i-1].Out != l.In:
			return fmt.Errorf("layer %d: %d inputs after a layer of %d outputs", i, l.In, n.Layers[i-1].Out)
		case l.Activation >= numActivations:
			return fmt.Errorf("layer %d: %v", i, l.Activation)
		}
		for _, vs := range [][]float32{l.Weights, l.Bias, {l.Beta}} {
			for j, v := range vs {
				if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
					return fmt.Errorf("layer %d: value %d is %v", i, j, v)
				}
			}
		}
	}
	return nil
}
