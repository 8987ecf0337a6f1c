package backprop

import "bgtrain/internal/gemm"

// panels computes the gradient of a group of panels of units over the batch and
// updates their weights. Tasks count the groups of all hidden layers; the task after
// the last is the output biases.
func (e *Stepper) panels(worker, task int) {
	g := e.scratch[worker].gradient
	for i := range e.lay.hidden {
		if groups := e.groups(i); task >= groups {
			task -= groups
			continue
		}
		h, first := &e.lay.hidden[i], task*e.group(i)
		count := min(e.group(i), h.panels-first)
		if e.half != nil {
			e.halfPanels(worker, i, first, count)
			return
		}
		if i == 0 {
			apart := e.opt.Batch * gemm.Panel
			e.inputs.gradient(e.n, count, e.hidden[0].d[first*apart:], apart, g, h.size, e.zeros)
		}
		for q := range count {
			e.panel(worker, i, first+q, g[q*h.size:][:h.size])
		}
		return
	}
	g = g[:biasRoom]
	clear(g)
	for i := 0; i < e.n; i++ {
		for o, d := range (*[outputs]float32)(e.errors[i*outputs:]) {
			g[o] += d
		}
	}
	e.update(&e.coef, e.lay.bias, g)
}

// panel computes the gradient g of panel p of layer i, of the first layer what is
// missing, and updates the weights.
func (e *Stepper) panel(worker, i, p int, g []float32) {
	h := &e.lay.hidden[i]
	d := e.whole(e.hidden[i].d, p)
	if i > 0 {
		e.hiddenGradient(i, d, g)
	}
	gemm.ColumnSums(e.n, d, h.biases(g))
	if i == len(e.lay.hidden)-1 {
		gemm.MultiplyPanel(outputs, e.n, e.errors, 1, outputs,
			e.whole(e.hidden[i].y, p), gemm.Panel, e.zeros, 0, h.outgoing(g), gemm.Panel)
	}
	at := h.offset + p*h.size
	if e.muon != nil {
		for q := range gemm.Panels(h.in) {
			e.muon.take(worker, i, p, q, h.square(g, q))
		}
		rest := len(h.incoming(g))
		e.update(&e.coef, at+rest, g[rest:])
		return
	}
	e.update(&e.coef, at, g)
	for q := range gemm.Panels(h.in) {
		e.stepped(worker, i, p, q)
	}
}

// stepped brings up to date what is kept of square q of the weights of panel p of layer i
// in other forms.
func (e *Stepper) stepped(worker, i, p, q int) {
	w := e.lay.hidden[i].square(e.lay.share(e.Weights, i, p), q)
	switch {
	case e.half != nil:
		e.half.pack(&e.half.work[worker], &e.lay.hidden[i], &e.half.layers[i], p, q, w)
	case i > 0:
		e.transpose(i, p, q, w)
	}
}

// hiddenGradient computes a panel of Yᵀ·D, for the activations Y of layer i-1.
func (e *Stepper) hiddenGradient(i int, d, g []float32) {
	for p, in := 0, e.lay.hidden[i].in; in > 0; p, in = p+1, in-gemm.Panel {
		gemm.MultiplyPanel(min(in, gemm.Panel), e.n, e.whole(e.hidden[i-1].y, p), 1, gemm.Panel,
			d, gemm.Panel, e.zeros, 0, g[p*gemm.Panel*gemm.Panel:], gemm.Panel)
	}
}

// transpose writes square q of the weights w of panel p of layer i transposed.
func (e *Stepper) transpose(i, p, q int, w []float32) {
	to := e.transposed[i][(q*e.lay.hidden[i].panels+p)*gemm.SquareSize:]
	if len(w) == gemm.SquareSize {
		gemm.TransposeSquare(to, w)
		return
	}
	for at, x := range w {
		to[at%gemm.Panel*gemm.Panel+at/gemm.Panel] = x
	}
}
