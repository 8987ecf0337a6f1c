package td

import (
	"fmt"
	"slices"

	"bgtrain/features"
	"bgtrain/internal/bg"
	"bgtrain/internal/nn"

	"gonum.org/v1/gonum/blas/blas32"
)

// Symmetric weights are those of the Computational Backgammon blog's first player (2011).
// The weights of the opponent's inputs are those of the player's with the other sign, the
// weights into a unit or the win sum to zero, and there are no thresholds: M hidden units on
// n inputs a side have M·n + M−1 free weights. Seen from the other side every sum has the
// other sign, so a unit's y becomes 1−y, and the two chances to win sum to 1. Gammons, which
// that player had not, follow: the weights of one lost are those of one won with the other
// sign, and their thresholds make it the other side's gammon won.

// pairs are the outputs that the sides exchange.
var pairs = [2][2]int{{bg.WinGammon, bg.LoseGammon}, {bg.WinBackgammon, bg.LoseBackgammon}}

// symmetrizable returns why a net cannot have symmetric weights, nil if it can.
func symmetrizable(set *features.Set, n *nn.Net) error {
	if !set.TwoHalves() {
		return fmt.Errorf("symmetric weights: the inputs %s are not the same for both sides, as those of tesauro, "+
			"blog-… and hilton-… are", set.Name)
	}
	for i := range n.Layers {
		if n.Layers[i].Activation != nn.Sigmoid {
			return fmt.Errorf("symmetric weights: layer %d is %v, sigmoid expected", i, n.Layers[i].Activation)
		}
	}
	return nil
}

// symmetrize makes weights symmetric from those that are free: of the inputs the first half,
// of those into a unit or the win all but the last, and those of gammons won.
func (s *Settings) symmetrize(n *nn.Net) {
	first := &n.Layers[0]
	half := first.In / 2 * first.Out
	for i := range half {
		first.Weights[half+i] = -first.Weights[i]
	}
	last := len(n.Layers) - 1
	for k := range n.Layers[:last] {
		clear(n.Layers[k].Bias)
		for o := range n.Layers[k].Out {
			if k > 0 {
				balance(column(&n.Layers[k], o))
			}
		}
	}
	l := &n.Layers[last]
	l.Bias[bg.Win] = 0
	balance(column(l, bg.Win))
	s.pairOutputs(l)
}

// project makes weights symmetric by moving them as little as can be: for a step that did not
// know that they are. The threshold of a gammon won comes out as near as its weights leave it.
func (s *Settings) project(n *nn.Net) {
	first := &n.Layers[0]
	half := first.In / 2 * first.Out
	for i := range half {
		first.Weights[i] = (first.Weights[i] - first.Weights[half+i]) / 2
	}
	last := len(n.Layers) - 1
	for k := 1; k < last; k++ {
		for o := range n.Layers[k].Out {
			center(column(&n.Layers[k], o))
		}
	}
	l := &n.Layers[last]
	center(column(l, bg.Win))
	for _, p := range pairs {
		if !slices.Contains(s.outputs(), p[0]) {
			continue
		}
		won, lost := column(l, p[0]), column(l, p[1])
		blas32.Axpy(-1, lost, won)
		blas32.Scal(0.5, won)
		l.Bias[p[0]] = (l.Bias[p[0]] + l.Bias[p[1]] - sum(won)) / 2
	}
	s.symmetrize(n)
}

// pairOutputs makes gammons lost the other side's gammons won, where they learn.
func (s *Settings) pairOutputs(l *nn.Layer) {
	for _, p := range pairs {
		if slices.Contains(s.outputs(), p[0]) {
			won, lost := column(l, p[0]), column(l, p[1])
			blas32.Copy(won, lost)
			blas32.Scal(-1, lost)
			l.Bias[p[1]] = l.Bias[p[0]] + sum(won)
		}
	}
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

// center takes the mean from all weights.
func center(w blas32.Vector) {
	mean := sum(w) / float32(w.N)
	for i := range w.N {
		w.Data[i*w.Inc] -= mean
	}
}

// balancedStep moves weights that sum to zero along the gradient step·x of all but the last,
// which follows.
func balancedStep(w, x blas32.Vector, step float32) {
	blas32.Axpy(step, x, w)
	least := step * x.Data[(x.N-1)*x.Inc]
	for i := range w.N - 1 {
		w.Data[i*w.Inc] -= least
	}
	balance(w)
}

// symmetricLast is last for symmetric weights.
func (l *learner) symmetricLast(target *bg.Outputs, alpha float32) (out bg.Outputs) {
	layer, k := &l.net.Layers[len(l.net.Layers)-1], len(l.acts)-1
	hid, grad := vector(l.acts[k]), vector(l.grads[k])
	clear(l.grads[k])
	w := column(layer, bg.Win)
	out[bg.Win] = sigmoid(blas32.Dot(hid, w))
	delta := slopeOf(target[bg.Win], out[bg.Win])
	blas32.Axpy(delta, w, grad)
	balancedStep(w, hid, alpha*delta)
	for _, p := range pairs {
		if !slices.Contains(l.outputs, p[0]) {
			continue
		}
		won := column(layer, p[0])
		x := blas32.Dot(hid, won)
		out[p[0]], out[p[1]] = sigmoid(layer.Bias[p[0]]+x), sigmoid(layer.Bias[p[1]]-x)
		dWon, dLost := slopeOf(target[p[0]], out[p[0]]), slopeOf(target[p[1]], out[p[1]])
		blas32.Axpy(dWon-dLost, won, grad)
		blas32.Axpy(alpha*(dWon-dLost), hid, won)
		for i := range won.N {
			won.Data[i*won.Inc] += alpha * dLost // of 1−y, the other side's activation
		}
		layer.Bias[p[0]] += alpha * (dWon + dLost)
	}
	l.settings.pairOutputs(layer)
	return out
}

// slopeOf is the downhill slope of the squared error at an output's sum.
func slopeOf(target, y float32) float32 { return (target - y) * y * (1 - y) }
