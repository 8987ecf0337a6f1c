package backprop

import "bgtrain/internal/gemm"

// panels computes the gradient of a group of panels of units over the batch and
// updates their weights. Tasks count the groups of all hidden layers; the task after
// the last is the output biases.
func (e *Engine) panels(worker, task int) {
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
			e.panel(i, first+q, g[q*h.size:][:h.size])
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
func (e *Engine) panel(i, p int, g []float32) {
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
	e.update(&e.coef, h.offset+p*h.size, g)
	if i > 0 {
		e.transpose(i, p)
	}
}

// hiddenGradient computes a panel of Yᵀ·D, for the activations Y of layer i-1.
func (e *Engine) hiddenGradient(i int, d, g []float32) {
	for p, in := 0, e.lay.hidden[i].in; in > 0; p, in = p+1, in-gemm.Panel {
		gemm.MultiplyPanel(min(in, gemm.Panel), e.n, e.whole(e.hidden[i-1].y, p), 1, gemm.Panel,
			d, gemm.Panel, e.zeros, 0, g[p*gemm.Panel*gemm.Panel:], gemm.Panel)
	}
}

// transpose brings the transposed weights of layer i up to date with panel p.
func (e *Engine) transpose(i, p int) {
	h := &e.lay.hidden[i]
	w := h.incoming(e.lay.share(e.Weights, i, p))
	const square = gemm.Panel * gemm.Panel
	whole := h.in / gemm.Panel
	for q := 0; q < whole; q++ {
		gemm.TransposeSquare(e.transposed[i][(q*h.panels+p)*square:], w[q*square:])
	}
	for k := whole * gemm.Panel; k < h.in; k++ {
		// Element (32·p + j, k) of the transposed matrix.
		to := e.transposed[i][(whole*h.panels+p)*square+k%gemm.Panel:]
		for j := 0; j < gemm.Panel; j++ {
			to[j*gemm.Panel] = w[k*gemm.Panel+j]
		}
	}
}
