package td

import (
	"fmt"

	"bgtrain/features"
	"bgtrain/internal/bg"
	"bgtrain/internal/nn"

	"gonum.org/v1/gonum/blas/blas32"
)

// Symmetric weights are those of the Computational Backgammon blog's first player (2011),
// of one hidden layer and one output, the win. The weights of the opponent's inputs are
// those of the player's with the other sign, those into the win sum to zero, and there are
// no thresholds: M hidden units on n inputs a side have M·n + M−1 free weights. Seen from
// the other side every sum has the other sign, so a unit's y becomes 1−y, and the two
// chances to win sum to 1.

// symmetrizable returns why a net cannot have symmetric weights, nil if it can.
func symmetrizable(set *features.Set, n *nn.Net) error {
	if !set.TwoHalves() {
		return fmt.Errorf("symmetric weights: the inputs %s are not the same for both sides, as those of tesauro, "+
			"blog-… and hilton-… are", set.Name)
	}
	if len(n.Layers) != 2 || n.Layers[0].Activation != nn.Sigmoid || n.Layers[1].Activation != nn.Sigmoid {
		return fmt.Errorf("symmetric weights: one hidden layer of sigmoid units expected")
	}
	return nil
}

// symmetrize makes weights symmetric from those that are free: of the inputs the first half,
// of those into the win all but the last.
func symmetrize(n *nn.Net) {
	first, last := &n.Layers[0], &n.Layers[1]
	half := first.In / 2 * first.Out
	for i := range half {
		first.Weights[half+i] = -first.Weights[i]
	}
	clear(first.Bias)
	last.Bias[bg.Win] = 0
	balance(column(last, bg.Win))
}

// project makes weights symmetric by moving them as little as can be: for a step that did not
// know that they are.
func project(n *nn.Net) {
	first := &n.Layers[0]
	half := first.In / 2 * first.Out
	for i := range half {
		first.Weights[i] = (first.Weights[i] - first.Weights[half+i]) / 2
	}
	w := column(&n.Layers[1], bg.Win)
	mean := sum(w) / float32(w.N)
	for i := range w.N {
		w.Data[i*w.Inc] -= mean
	}
	symmetrize(n)
}

// column returns the weights into unit o of a layer.
func column(l *nn.Layer, o int) blas32.Vector {
	return blas32.Vector{N: l.In, Inc: l.Out, Data: l.Weights[o:]}
}

func sum(w blas32.Vector) (total float32) {
	for i := range w.N {
		total += w.Data[i*w.Inc]
	}
	return total
}

// balance makes the last weight that with which all sum to zero.
func balance(w blas32.Vector) {
	last := (w.N - 1) * w.Inc
	w.Data[last] = 0
	w.Data[last] = -sum(w)
}

// symmetricLast is last for symmetric weights. The win's last weight follows from the others,
// which move along the gradient with that in it.
func (l *learner) symmetricLast(target *bg.Outputs, alpha float32) (out bg.Outputs) {
	hid, grad := vector(l.acts[0]), vector(l.grads[0])
	clear(l.grads[0])
	w := column(&l.net.Layers[1], bg.Win)
	out[bg.Win] = sigmoid(blas32.Dot(hid, w))
	delta := slopeOf(target[bg.Win], out[bg.Win])
	blas32.Axpy(delta, w, grad)
	blas32.Axpy(alpha*delta, hid, w)
	least := alpha * delta * hid.Data[hid.N-1]
	for i := range w.N - 1 {
		w.Data[i*w.Inc] -= least
	}
	balance(w)
	return out
}

// slopeOf is the downhill slope of the squared error at an output's sum.
func slopeOf(target, y float32) float32 { return (target - y) * y * (1 - y) }
