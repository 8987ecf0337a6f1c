package backprop

import "bgtrain/internal/gemm"

// halfBlock is rowBlock for BFloat16: n rows are run as whole squares, those beyond the
// last with inputs and errors of zero.
func (e *Stepper) halfBlock(worker, lo, n int) {
	w := &e.half.work[worker]
	squares := gemm.Panels(n)
	e.halfInputs(w, lo, n, squares)
	e.halfForward(w, lo, squares)
	e.score(lo, n)
	e.halfBackward(w, lo, n, squares)
}

// halfInputs encodes rows lo to lo+n-1 and rounds their inputs.
func (e *Stepper) halfInputs(w *halfWork, lo, n, squares int) {
	h := e.half
	width, block := e.lay.hidden[0].in, e.block*gemm.Square
	e.rows.Fetch(lo, n)
	for i := range squares * gemm.Square {
		if i < n {
			var x []float32
			x, e.weights[lo+i] = e.rows.Row(lo+i, w.row[:width], &e.targets[lo+i])
			copy(w.row, x)
		} else {
			clear(w.row)
		}
		h.Round(h.layers[0].in, w.row, w.x[i*gemm.Square:], block)
	}
	for p := range h.layers[0].in {
		h.keepTransposed(w, w.x[p*block:], h.squaresAt(h.inputs, p, lo), squares)
	}
}

// keepTransposed writes squares of rows transposed.
func (h *half) keepTransposed(w *halfWork, rows, to []uint16, squares int) {
	h.Pair(squares, rows, w.b)
	h.Turn(squares, w.b, to, gemm.SquareSize)
}

// halfForward computes the activations of squares of rows from lo on.
func (e *Stepper) halfForward(w *halfWork, lo, squares int) {
	h, block := e.half, e.block*gemm.Square
	rows := squares * gemm.Square
	x := w.x
	for i := range h.layers {
		l, hl := &e.lay.hidden[i], &h.layers[i]
		for p := range l.panels {
			y := e.values(w, i, p, lo)[:rows*gemm.Panel]
			h.Multiply(squares, hl.in, x, block, gemm.SquareSize, hl.w[p*hl.in*gemm.SquareSize:],
				l.biases(e.lay.share(e.Weights, i, p)), y)
			e.activatePanel(i, p, y)
			if hl.y != nil {
				h.Round(rows, y, w.y[i][p*block:], gemm.Square)
				h.keepTransposed(w, w.y[i][p*block:], h.squaresAt(hl.y, p, lo), squares)
			}
		}
		x = w.y[i]
	}
}

// values are the activations in float32 of a block that begins in row lo, in panel p of
// layer i: those of the last layer are kept for the batch, as score and the gradient
// of outgoing weights take them.
func (e *Stepper) values(w *halfWork, i, p, lo int) []float32 {
	if i == len(e.lay.hidden)-1 {
		return e.hidden[i].y[(p*e.opt.Batch+lo)*gemm.Panel:]
	}
	return w.values[i][p*e.block*gemm.Panel:]
}

// halfBackward computes the errors of the units of all layers, of which those in rows
// beyond the last of n are zero.
func (e *Stepper) halfBackward(w *halfWork, lo, n, squares int) {
	h, block := e.half, e.block*gemm.Square
	rows := squares * gemm.Square
	d := w.panel[:rows*gemm.Panel]
	last := len(h.layers) - 1
	for i := last; i >= 0; i-- {
		l, hl := &e.lay.hidden[i], &h.layers[i]
		for p := range l.panels {
			if i == last {
				gemm.MultiplyPanel(n, outputs, e.errors[lo*outputs:], outputs, 1,
					l.outgoing(e.lay.share(e.Weights, i, p)), gemm.Panel, e.zeros, 0, d, gemm.Panel)
				clear(d[n*gemm.Panel:])
			} else {
				next := e.lay.hidden[i+1].panels
				h.Multiply(squares, next, w.d[i+1], block, gemm.SquareSize,
					h.layers[i+1].across[p*next*gemm.SquareSize:], e.zeros, d)
			}
			deactivate(l.activation, d, e.values(w, i, p, lo)[:rows*gemm.Panel])
			for s := range squares {
				gemm.ColumnSums(gemm.Square, d[s*gemm.SquareSize:],
					hl.sums[(p*h.blocks+lo/gemm.Square+s)*gemm.Panel:])
			}
			rounded := w.d[i][p*block:]
			h.Round(rows, d, rounded, gemm.Square)
			h.Pair(squares, rounded, h.squaresAt(hl.d, p, lo))
		}
	}
}
