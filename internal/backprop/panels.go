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
		apart := e.opt.Batch * gemm.Panel
		d := e.hidden[i].d[first*apart:]
		if i == 0 {
			e.inputs.gradient(e.n, count, d, apart, g, h.size, e.zeros)
		} else {
			e.active[i-1].gradient(e.n, h.in, count, e.hidden[i-1].y, d, apart, g, h.size, e.zeros)
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

// panel computes what is missing of the gradient g of panel p of layer i, and updates the weights.
func (e *Stepper) panel(worker, i, p int, g []float32) {
	h := &e.lay.hidden[i]
	d := e.whole(e.hidden[i].d, p)
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
