package backprop

import (
	"errors"
	"math"

	"bgtrain/internal/gemm"
)

// The polynomial of an iteration lets small singular values grow fastest.
const (
	polyA, polyB, polyC = 3.4445, -4.7750, 2.0315
	iterations          = 5
)

// ErrMuon says what Muon takes.
var ErrMuon = errors.New("muon takes precision bf16")

// moments is what Muon keeps of a hidden layer: a matrix Z, at first the layer's moments
// or their transpose, whichever has fewer rows, then nearer and nearer to a matrix whose
// singular values are all about 1. Z is s squares high, l squares wide.
type moments struct {
	layer  int
	across bool // Z is a transpose
	s, l   int
	rows   []uint16 // Z by rows, in panels
	pairs  []uint16 // Z by pairs, in panels
	turned []uint16 // Zᵀ by pairs, in panels

	gram  []float32 // G = Z·Zᵀ, in panels
	scale float32   // of G: 1, or at first what makes the sum of Z's squares 1
	left  []uint16  // bI + cG by rows, in panels
	right []uint16  // G by pairs, in panels
	poly  []uint16  // aI + bG + cG² by rows, in panels
	last  bool      // iteration

	step gemm.MomentumStep
	work []muonWork
}

// muonStep holds the coefficients of one step.
type muonStep struct {
	rate, keep     float64
	gain, momentum float32 // of a mean of gradients
}

// muonWork is a worker's.
type muonWork struct {
	panel, other []float32
	squares      []uint16
}

func newMoments(l *layer, i, workers int) moments {
	in := gemm.Panels(l.in)
	m := moments{layer: i, s: in, l: l.panels, across: in > l.panels}
	if m.across {
		m.s, m.l = m.l, m.s
	}
	for _, z := range []*[]uint16{&m.rows, &m.pairs, &m.turned} {
		*z = gemm.AllocSquares(m.s * m.l)
	}
	for _, g := range []*[]uint16{&m.left, &m.right, &m.poly} {
		*g = gemm.AllocSquares(m.s * m.s)
	}
	m.gram = gemm.Alloc(m.s * m.size())
	for range workers {
		m.work = append(m.work, muonWork{panel: gemm.Alloc(m.size()), other: gemm.Alloc(m.size()),
			squares: gemm.AllocSquares(m.s)})
	}
	return m
}

// size is that of a panel of Z or of G.
func (m *moments) size() int { return m.s * gemm.SquareSize }

// load takes square q of inputs of panel p of the layer's moments, by rows.
func (m *moments) load(k *gemm.Squares, p, q int, square []uint16) {
	row, column := q, p
	if m.across {
		row, column = p, q
	}
	at, turned := column*m.size()+row*gemm.SquareSize, m.turned[(row*m.l+column)*gemm.SquareSize:]
	if m.across {
		k.Pair(1, square, turned)
		k.Turn(1, turned, m.rows[at:], 0)
		k.Turn(1, square, m.pairs[at:], 0)
		return
	}
	copy(m.rows[at:][:gemm.SquareSize], square)
	k.Pair(1, square, m.pairs[at:])
	k.Turn(1, square, turned, 0)
}

// take moves the mean of gradients by the gradient g of n weights from lo on, of square q
// of inputs of panel p, and loads what both make (Nesterov's momentum).
func (m *moments) take(e *Engine, w *halfWork, lo, p, q int, g []float32, n int) {
	c := &e.coef.muon
	first := e.First[lo:][:n]
	gemm.Average(first, g[:n], &c.gain)
	gemm.Average(g[:n], first, &c.momentum)
	e.half.Round(gemm.Square, g, w.a, gemm.Square)
	m.load(e.half.Squares, p, q, w.a)
}

// orthogonalize computes the update of every hidden layer's weights from its moments.
func (e *Engine) orthogonalize() {
	for i := range e.muon {
		l := &e.lay.hidden[i]
		// As large as Adam's updates usually are.
		rate := e.coef.muon.rate * 0.2 * math.Sqrt(float64(max(l.in, l.out)))
		e.muon[i].step = gemm.MomentumStep{MinusRate: float32(-rate), Keep: float32(e.coef.muon.keep)}
	}
	for i := range iterations {
		e.eachPanel((*moments).gramPanel, (*moments).high)
		for k := range e.muon {
			m := &e.muon[k]
			m.last, m.scale = i == iterations-1, 1
			if i == 0 {
				m.scale = m.normal()
			}
		}
		e.eachPanel((*moments).factors, (*moments).high)
		e.eachPanel((*moments).polynomial, (*moments).high)
		e.eachPanel((*moments).next, (*moments).wide)
	}
}

// high and wide are the numbers of panels of G and of Z.
func (m *moments) high() int { return m.s }
func (m *moments) wide() int { return m.l }

// eachPanel does something for the panels, as many as count says, of all layers.
func (e *Engine) eachPanel(do func(m *moments, e *Engine, worker, panel int), count func(m *moments) int) {
	tasks := 0
	for i := range e.muon {
		tasks += count(&e.muon[i])
	}
	e.muonDo, e.muonCount = do, count
	e.crew.run(tasks, e.doMuon)
}

// muonPanel does what eachPanel was asked for.
func (e *Engine) muonPanel(worker, task int) {
	for i := range e.muon {
		if n := e.muonCount(&e.muon[i]); task >= n {
			task -= n
			continue
		}
		e.muonDo(&e.muon[i], e, worker, task)
		return
	}
}

// gramPanel computes a panel of G.
func (m *moments) gramPanel(e *Engine, _, panel int) {
	e.half.Multiply(m.s, m.l, m.rows, m.size(), gemm.SquareSize, m.turned[panel*m.l*gemm.SquareSize:], e.zeros,
		m.gram[panel*m.size():])
}

// normal is what G must be multiplied by for the sum of Z's squares to be 1; 0 if Z is 0.
func (m *moments) normal() float32 {
	trace := float32(0)
	for p := range m.s {
		for i := range gemm.Square {
			trace += m.gram[p*m.size()+p*gemm.SquareSize+i*(gemm.Panel+1)]
		}
	}
	if !(trace > 1e-30) {
		return 0
	}
	return 1 / trace
}

// addDiagonal adds to the diagonal of G, in its panel p.
func addDiagonal(panel []float32, p int, x float32) {
	for i := range gemm.Square {
		panel[p*gemm.SquareSize+i*(gemm.Panel+1)] += x
	}
}

// factors makes a panel of both factors of (bI + cG)·G.
func (m *moments) factors(e *Engine, worker, panel int) {
	w, at := &m.work[worker], panel*m.size()
	for i, g := range m.gram[at:][:m.size()] {
		g *= m.scale
		w.panel[i], w.other[i] = polyC*g, g
	}
	addDiagonal(w.panel, panel, polyB)
	e.half.Round(m.s*gemm.Square, w.panel, m.left[at:], gemm.Square)
	e.half.Round(m.s*gemm.Square, w.other, w.squares, gemm.Square)
	e.half.Pair(m.s, w.squares, m.right[at:])
}

// polynomial computes a panel of aI + bG + cG², at first as if Z were normal.
func (m *moments) polynomial(e *Engine, worker, panel int) {
	w, at := &m.work[worker], panel*m.size()
	e.half.Multiply(m.s, m.s, m.left, m.size(), gemm.SquareSize, m.right[at:], e.zeros, w.panel)
	addDiagonal(w.panel, panel, polyA)
	if m.scale != 1 {
		root := float32(math.Sqrt(float64(m.scale)))
		for i := range w.panel {
			w.panel[i] *= root
		}
	}
	e.half.Round(m.s*gemm.Square, w.panel, m.poly[at:], gemm.Square)
}

// next computes a panel of the next Z; at last, it updates the weights.
func (m *moments) next(e *Engine, worker, panel int) {
	w, at := &m.work[worker], panel*m.size()
	k := e.half
	k.Multiply(m.s, m.s, m.poly, m.size(), gemm.SquareSize, m.pairs[at:], e.zeros, w.panel)
	if m.last {
		m.update(e, worker, panel)
		return
	}
	rows := m.rows[at:][:m.size()]
	k.Round(m.s*gemm.Square, w.panel, rows, gemm.Square)
	k.Pair(m.s, rows, m.pairs[at:])
	k.Turn(m.s, rows, m.turned[panel*gemm.SquareSize:], m.l*gemm.SquareSize)
}

// update updates the weights by the worker's panel of Z.
func (m *moments) update(e *Engine, worker, panel int) {
	w, l := &m.work[worker], &e.lay.hidden[m.layer]
	for s := range m.s {
		z, scratch := w.panel[s*gemm.SquareSize:][:gemm.SquareSize], w.other[:gemm.SquareSize]
		p, q := panel, s
		if m.across {
			gemm.TransposeSquare(scratch, z)
			z, scratch = scratch, z
			p, q = s, panel
		}
		lo := q * gemm.SquareSize
		n := min(gemm.SquareSize, l.in*gemm.Panel-lo)
		at := l.offset + p*l.size + lo
		weights := e.Weights[at:][:n]
		gemm.Momentum(weights, scratch[:n], z[:n], &m.step)
		if e.coef.average > 0 {
			gemm.Average(e.Average[at:][:n], weights, &e.coef.average)
		}
		e.half.pack(&e.half.work[worker], l, &e.half.layers[m.layer], p, q, weights)
	}
}
