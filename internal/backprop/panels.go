package backprop

import "bgtrain/internal/gemm"

// panel computes the gradient of one panel of units over the batch and updates
// its weights. Tasks count the panels of all hidden layers; the task after the
// last panel is the output biases.
func (e *Engine) panel(worker, task int) {
	g := e.scratch[worker].gradient
	for i := range e.lay.hidden {
		h := &e.lay.hidden[i]
		if task >= h.panels {
			task -= h.panels
			continue
		}
		p, g := task, g[:h.size]
		d := e.whole(e.hidden[i].d, p)
		if i == 0 {
			e.inputs.gradient(e.n, d, h.incoming(g), e.zeros)
		} else {
			e.hiddenGradient(i, d, g)
		}
		gemm.ColumnSums(e.n, d, h.biases(g))
		last := i == len(e.lay.hidden)-1
		if last {
			gemm.MultiplyPanel(outputs, e.n, e.errors, 1, outputs,
				e.whole(e.hidden[i].y, p), gemm.Panel, e.zeros, 0, h.outgoing(g), gemm.Panel)
		}
		e.update(&e.coef, h.offset+p*h.size, g)
		if i > 0 {
			e.transpose(i, p)
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
