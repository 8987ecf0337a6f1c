package backprop

import "bgtrain/internal/gemm"

// halfPanel is panel for BFloat16: it computes the gradient of panel p of layer i and
// updates the weights, some squares at a time, so that they are in the first-level cache.
func (e *Engine) halfPanel(worker, i, p int) {
	h, w := e.half, &e.half.work[worker]
	l, hl := &e.lay.hidden[i], &h.layers[i]
	x := h.inputs
	if i > 0 {
		x = h.layers[i-1].y
	}
	blocks := gemm.Panels(e.n)
	at := l.offset + p*l.size
	for q := 0; q < hl.in; q += groupSquares {
		count := min(groupSquares, hl.in-q)
		h.Multiply(count, blocks, h.squaresAt(x, q, 0), gemm.SquareSize, h.blocks*gemm.SquareSize,
			h.squaresAt(hl.d, p, 0), e.zeros, w.g)
		for s := range count {
			lo := (q + s) * gemm.SquareSize
			n := min(gemm.SquareSize, l.in*gemm.Panel-lo)
			e.update(&e.coef, at+lo, w.g[s*gemm.SquareSize:][:n])
			h.pack(w, l, hl, p, q+s, e.Weights[at+lo:][:n])
		}
	}
	g := w.g[:l.size-l.in*gemm.Panel]
	gemm.ColumnSums(blocks, hl.sums[p*h.blocks*gemm.Panel:], g)
	if i == len(h.layers)-1 {
		gemm.MultiplyPanel(outputs, e.n, e.errors, 1, outputs,
			e.whole(e.hidden[i].y, p), gemm.Panel, e.zeros, 0, g[gemm.Panel:], gemm.Panel)
	}
	e.update(&e.coef, at+l.in*gemm.Panel, g)
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

// packAll rounds all weights.
func (e *Engine) packAll() {
	h := e.half
	for i := range h.layers {
		l, hl := &e.lay.hidden[i], &h.layers[i]
		for p := range l.panels {
			weights := l.incoming(e.lay.share(e.Weights, i, p))
			for q := range hl.in {
				lo := q * gemm.SquareSize
				h.pack(&h.work[0], l, hl, p, q, weights[lo:min(lo+gemm.SquareSize, len(weights))])
			}
		}
	}
}
