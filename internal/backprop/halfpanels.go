package backprop

import "bgtrain/internal/gemm"

// mostTogether is the most panels of a task: the more there are, the less often do the
// activations of the layer before go through the cache.
const mostTogether = 4

// halfPanels computes, for BFloat16, the gradients of count panels of layer i and updates
// their weights, some squares at a time, so that gradients stay in the nearest caches.
func (e *Stepper) halfPanels(worker, i, first, count int) {
	hl := &e.half.layers[i]
	for q := 0; q < hl.in; q += groupSquares {
		for p := first; p < first+count; p++ {
			e.halfSquares(worker, i, p, q, min(groupSquares, hl.in-q))
		}
	}
	for p := first; p < first+count; p++ {
		e.halfRest(&e.half.work[worker], i, p)
	}
}

// halfSquares computes the gradient of squares q to q+count-1 of panel p of layer i and
// updates their weights.
func (e *Stepper) halfSquares(worker, i, p, q, count int) {
	h, w := e.half, &e.half.work[worker]
	l, hl := &e.lay.hidden[i], &h.layers[i]
	x := h.inputs
	if i > 0 {
		x = h.layers[i-1].y
	}
	h.Multiply(count, gemm.Panels(e.n), h.squaresAt(x, q, 0), gemm.SquareSize, h.blocks*gemm.SquareSize,
		h.squaresAt(hl.d, p, 0), e.zeros, w.g)
	for s := range count {
		lo := (q + s) * gemm.SquareSize
		g := w.g[s*gemm.SquareSize:][:min(gemm.SquareSize, l.in*gemm.Panel-lo)]
		if e.muon != nil {
			e.muon.take(worker, i, p, q+s, g)
			continue
		}
		e.update(&e.coef, l.offset+p*l.size+lo, g)
		e.stepped(worker, i, p, q+s)
	}
}

// halfRest does the same for what else there is of panel p: biases and outgoing weights.
func (e *Stepper) halfRest(w *halfWork, i, p int) {
	l, h := &e.lay.hidden[i], e.half
	g := w.g[:l.size-l.in*gemm.Panel]
	gemm.ColumnSums(gemm.Panels(e.n), h.layers[i].sums[p*h.blocks*gemm.Panel:], g)
	if i == len(h.layers)-1 {
		gemm.MultiplyPanel(outputs, e.n, e.errors, 1, outputs,
			e.whole(e.hidden[i].y, p), gemm.Panel, e.zeros, 0, g[gemm.Panel:], gemm.Panel)
	}
	e.update(&e.coef, l.offset+p*l.size+l.in*gemm.Panel, g)
}

// pack rounds the weights of panel p that lead from the units of panel q.
func (h *half) pack(w *halfWork, l *layer, hl *halfLayer, p, q int, weights []float32) {
	h.Round(len(weights)/gemm.Panel, weights, w.a, gemm.Square)
	clear(w.a[len(weights):gemm.SquareSize]) // a last square may have fewer rows
	h.Pair(1, w.a, hl.w[(p*hl.in+q)*gemm.SquareSize:])
	if hl.across != nil {
		h.Turn(1, w.a, hl.across[(q*l.panels+p)*gemm.SquareSize:], 0)
	}
}
