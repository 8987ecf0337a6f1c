package backprop

import (
	"fmt"

	"bgtrain/internal/bg"
	"bgtrain/internal/gemm"
	"bgtrain/internal/nn"
)

// layer is where one hidden layer's weights are.
type layer struct {
	in, out    int
	panels     int // of out
	activation nn.Activation
	beta       float32
	offset     int // of panel 0 in the weights
	size       int // of a panel's share: in·32 weights, 32 biases, and outgoing weights
}

// layout describes how the weights of a net lie in one slice: layer by layer,
// panel by panel, each with all that belongs to its 32 units, so that a panel's
// update is one stretch of memory. A panel of the last hidden layer ends with its
// outgoing weights (outputs×32); the outputs' biases come last, padded to 16.
//
// Steepness (nn.Layer.Beta) is folded into the weights, so that the same settings
// mean the same for every net. Units that pad a panel have zero weights, and stay
// so: their activation is held at zero.
type layout struct {
	hidden     []layer
	outputBeta float32
	outputKind nn.Activation
	bias       int // offset of the outputs' biases
	total      int // length of the weights
}

const outputs = bg.NumOutputs

// biasRoom is the space of the output biases: vector kernels step by 16.
const biasRoom = 16

// newLayout checks that the net is one that can be trained here.
func newLayout(n *nn.Net) (*layout, error) {
	if err := n.Check(); err != nil {
		return nil, err
	}
	last := len(n.Layers) - 1
	o := &n.Layers[last]
	switch {
	case last == 0:
		return nil, fmt.Errorf("net has no hidden layer")
	case o.Out != outputs:
		return nil, fmt.Errorf("net has %d outputs, %d expected", o.Out, outputs)
	case !o.Activation.IsSigmoid() || o.Beta == 0:
		return nil, fmt.Errorf("output layer: activation %v, beta %v; a sigmoid expected", o.Activation, o.Beta)
	}
	l := &layout{outputBeta: o.Beta, outputKind: o.Activation}
	for i := range n.Layers[:last] {
		h := &n.Layers[i]
		beta := float32(1)
		if h.Activation.IsSigmoid() {
			beta = h.Beta
		}
		if beta == 0 {
			return nil, fmt.Errorf("layer %d: beta 0", i)
		}
		hl := layer{in: h.In, out: h.Out, panels: gemm.Panels(h.Out),
			activation: h.Activation, beta: beta, offset: l.total}
		hl.size = (h.In + 1) * gemm.Panel
		if i == last-1 {
			hl.size += outputs * gemm.Panel
		}
		l.hidden = append(l.hidden, hl)
		l.total += hl.panels * hl.size
	}
	l.bias = l.total
	l.total += biasRoom
	return l, nil
}

// share returns panel p's stretch of the weights (or of anything laid out like
// them) of hidden layer i.
func (l *layout) share(w []float32, i, p int) []float32 {
	h := &l.hidden[i]
	at := h.offset + p*h.size
	return w[at : at+h.size]
}

// incoming, biases and outgoing are the parts of a share.
func (h *layer) incoming(share []float32) []float32 { return share[:h.in*gemm.Panel] }
func (h *layer) biases(share []float32) []float32 {
	return share[h.in*gemm.Panel : (h.in+1)*gemm.Panel]
}
func (h *layer) outgoing(share []float32) []float32 { return share[(h.in+1)*gemm.Panel:] }

// square is square q of the incoming weights of a share; a last one may have fewer rows.
func (h *layer) square(share []float32, q int) []float32 {
	w := h.incoming(share)[q*gemm.SquareSize:]
	return w[:min(gemm.SquareSize, len(w))]
}

// load copies a net of this layout into weights.
func (l *layout) load(n *nn.Net, w []float32) {
	clear(w)
	for i := range l.hidden {
		h, src := &l.hidden[i], &n.Layers[i]
		for o := 0; o < h.out; o++ {
			share, col := l.share(w, i, o/gemm.Panel), o%gemm.Panel
			for k := 0; k < h.in; k++ {
				share[k*gemm.Panel+col] = src.Weights[k*h.out+o] * h.beta
			}
			h.biases(share)[col] = src.Bias[o] * h.beta
		}
	}
	i := len(l.hidden) - 1
	h, src := &l.hidden[i], &n.Layers[i+1]
	for k := 0; k < h.out; k++ {
		out := h.outgoing(l.share(w, i, k/gemm.Panel))
		for o := 0; o < outputs; o++ {
			out[o*gemm.Panel+k%gemm.Panel] = src.Weights[k*outputs+o] * l.outputBeta
		}
	}
	for o, b := range src.Bias {
		w[l.bias+o] = b * l.outputBeta
	}
}

// net is the inverse of load: a new net with these weights.
func (l *layout) net(w []float32) *nn.Net {
	n := &nn.Net{}
	for i := range l.hidden {
		h := &l.hidden[i]
		dst := nn.Layer{In: h.in, Out: h.out, Weights: make([]float32, h.in*h.out),
			Bias: make([]float32, h.out), Activation: h.activation, Beta: h.beta}
		for o := 0; o < h.out; o++ {
			share, col := l.share(w, i, o/gemm.Panel), o%gemm.Panel
			for k := 0; k < h.in; k++ {
				dst.Weights[k*h.out+o] = share[k*gemm.Panel+col] / h.beta
			}
			dst.Bias[o] = h.biases(share)[col] / h.beta
		}
		n.Layers = append(n.Layers, dst)
	}
	i := len(l.hidden) - 1
	h := &l.hidden[i]
	dst := nn.Layer{In: h.out, Out: outputs, Weights: make([]float32, h.out*outputs),
		Bias: make([]float32, outputs), Activation: l.outputKind, Beta: l.outputBeta}
	for k := 0; k < h.out; k++ {
		out := h.outgoing(l.share(w, i, k/gemm.Panel))
		for o := 0; o < outputs; o++ {
			dst.Weights[k*outputs+o] = out[o*gemm.Panel+k%gemm.Panel] / l.outputBeta
		}
	}
	for o := range dst.Bias {
		dst.Bias[o] = w[l.bias+o] / l.outputBeta
	}
	n.Layers = append(n.Layers, dst)
	return n
}
