package backprop

import (
	"bgtrain/internal/gemm"
	"bgtrain/internal/nn"
)

// rowBlock runs one block of rows forward and, when training, back to the errors of
// the hidden units.
func (e *Stepper) rowBlock(worker, block int) {
	lo := block * e.block
	n := min(e.block, e.n-lo)
	if e.training && e.half != nil {
		e.halfBlock(worker, lo, n)
		return
	}
	e.inputs.begin(lo, n)
	e.rows.Fetch(lo, n)
	for i := lo; i < lo+n; i++ {
		var x []float32
		x, e.weights[i] = e.rows.Row(i, e.scratch[worker].x, &e.targets[i])
		e.inputs.add(i, x)
	}
	if e.training {
		e.inputs.end(lo, n)
	}
	e.forward(lo, n)
	e.score(lo, n)
	if e.training {
		e.backward(lo, n)
	}
}

// part is rows lo to lo+n-1 of panel p of a batch's activations.
func (e *Stepper) part(a []float32, p, lo, n int) []float32 {
	at := (p*e.opt.Batch + lo) * gemm.Panel
	return a[at : at+n*gemm.Panel]
}

// whole is the rows of the batch in panel p of its activations.
func (e *Stepper) whole(a []float32, p int) []float32 { return e.part(a, p, 0, e.n) }

func (e *Stepper) forward(lo, n int) {
	apart := e.opt.Batch * gemm.Panel
	first := &e.lay.hidden[0]
	for p := 0; p < first.panels; p += panelsAtOnce {
		share := e.forwardBy[first.offset+p*first.size:]
		count := min(panelsAtOnce, first.panels-p)
		e.inputs.multiply(lo, n, count, share, share[first.in*gemm.Panel:], first.size,
			e.hidden[0].y[p*apart+lo*gemm.Panel:], apart)
		for q := range count {
			e.activate(0, p+q, lo, n)
		}
	}
	e.active[0].list(lo, n, first.out, e.hidden[0].y, apart, e.training)
	for i := 1; i < len(e.lay.hidden); i++ {
		h := &e.lay.hidden[i]
		for p := 0; p < h.panels; p += panelsAtOnce {
			share := e.forwardBy[h.offset+p*h.size:]
			count := min(panelsAtOnce, h.panels-p)
			e.active[i-1].multiply(lo, n, h.in, count, e.hidden[i-1].y, apart,
				share, share[h.in*gemm.Panel:], h.size, e.hidden[i].y[p*apart+lo*gemm.Panel:])
			for q := range count {
				e.activate(i, p+q, lo, n)
			}
		}
		e.active[i].list(lo, n, h.out, e.hidden[i].y, apart, e.training)
	}
}

// activate turns the sums of rows lo to lo+n-1 in panel p of hidden layer i into
// activations, those of units that pad the panel into zeros.
func (e *Stepper) activate(i, p, lo, n int) { e.activatePanel(i, p, e.part(e.hidden[i].y, p, lo, n)) }

func (e *Stepper) activatePanel(i, p int, y []float32) {
	h := &e.lay.hidden[i]
	activate(h.activation, y)
	if used := h.out - p*gemm.Panel; used < gemm.Panel {
		for r := range len(y) / gemm.Panel {
			clear(y[r*gemm.Panel+used : (r+1)*gemm.Panel])
		}
	}
}

// score computes outputs, losses and the derivatives of the losses.
func (e *Stepper) score(lo, n int) {
	last := len(e.lay.hidden) - 1
	h := &e.lay.hidden[last]
	probs := e.probs[lo*outputs:]
	y := e.hidden[last].y[lo*gemm.Panel:]
	out := h.outgoing(e.forwardBy[h.offset:])
	gemm.Dots5(n, h.panels, y, e.opt.Batch*gemm.Panel, out, h.size, e.forwardBy[e.lay.bias:], probs)
	// Blocks begin on multiples of 16 values, so that rounding up stays within
	// this block's or beyond the batch.
	nn.Sigmoid.Apply(probs[:(n*outputs+15)/16*16])
	scale := 1 / float32(e.n)
	for i := lo; i < lo+n; i++ {
		p := (*[outputs]float32)(e.probs[i*outputs:])
		d := (*[outputs]float32)(e.errors[i*outputs:])
		e.losses[i] = e.opt.Loss.gradient(p, d, &e.targets[i], e.weights[i], scale)
	}
	if rows, ok := e.rows.(Decisions); ok && e.opt.Loss.Within > 0 {
		e.within(rows, lo, n)
	}
}

// backward computes the derivative of the loss by the sums of all hidden units.
func (e *Stepper) backward(lo, n int) {
	last := len(e.lay.hidden) - 1
	for i := last; i >= 0; i-- {
		h := &e.lay.hidden[i]
		for p := range h.panels {
			d := e.part(e.hidden[i].d, p, lo, n)
			if i == last {
				gemm.MultiplyPanel(n, outputs, e.errors[lo*outputs:], outputs, 1,
					h.outgoing(e.lay.share(e.Weights, i, p)), gemm.Panel, e.zeros, 0, d, gemm.Panel)
			} else if p%panelsAtOnce == 0 {
				e.multiplyBack(i, p, min(panelsAtOnce, h.panels-p), lo, n)
			}
			deactivate(h.activation, d, e.part(e.hidden[i].y, p, lo, n))
		}
		e.wrong[i].list(lo, n, h.out, e.hidden[i].d, e.opt.Batch*gemm.Panel, false)
	}
}

// multiplyBack computes panels of D·Wᵀ from p on, for the errors D of layer i+1.
func (e *Stepper) multiplyBack(i, p, count, lo, n int) {
	next, apart := &e.lay.hidden[i+1], e.opt.Batch*gemm.Panel
	size := next.panels * gemm.SquareSize
	e.wrong[i+1].multiply(lo, n, next.panels*gemm.Panel, count, e.hidden[i+1].d, apart,
		e.transposed[i+1][p*size:], e.zeros, size, e.hidden[i].d[p*apart+lo*gemm.Panel:])
}

// activate applies the activation with which a net is trained: the sigmoid also
// for GNU Backgammon's approximation of it.
func activate(a nn.Activation, x []float32) {
	if a == nn.SigmoidGNUbg {
		a = nn.Sigmoid
	}
	a.Apply(x)
}

func deactivate(a nn.Activation, d, y []float32) {
	switch a {
	case nn.ReLU:
		gemm.ReLUGradient(d, y)
	case nn.SquaredReLU:
		gemm.SquaredReLUGradient(d, y)
	case nn.Tanh:
		gemm.TanhGradient(d, y)
	default:
		gemm.SigmoidGradient(d, y)
	}
}
