package backprop

import (
	"math"

	"bgtrain/internal/gemm"
)

// MuonVersion changes with the bits of a step by Muon.
const MuonVersion = 3

// quintic is the polynomial a·x + b·x³ + c·x⁵ of a matrix's singular values.
type quintic struct{ a, b, c float32 }

// iterations are the nearest to 1, one after the other, on what the ones before make of 0.003 to 1 (Remez; Amsel et
// al., The Polar Express, 2025): in the end 0.8 to 1.2, and smaller values 296 times as large.
var iterations = [...]quintic{
	{8.383674, -24.765906, 18.357082},
	{4.043420, -3.011405, 0.569512},
	{3.505571, -2.626654, 0.525719},
	{2.490116, -1.834275, 0.436835},
}

// cushioned is q for values that rounding may have made greater than it is made for by this factor.
func (q quintic) cushioned(by float32) quintic {
	return quintic{q.a / by, q.b / (by * by * by), q.c / (by * by * by * by * by)}
}

// muon steps the weights of hidden layers by Muon, in either precision.
type muon interface {
	// take moves the mean of gradients by g, the gradient of square q of inputs of panel p
	// of layer i, and loads what both make (Nesterov's momentum). It changes g.
	take(worker, i, p, q int, g []float32)

	// orthogonalize steps the weights by what take loaded.
	orthogonalize()
}

// muonOf is Muon with products of matrices of T.
type muonOf[T word] struct {
	e      *Stepper
	k      products[T]
	layers []moments[T]
	work   []muonWork[T] // a worker's
	phase  muonPhase     // of the iteration in progress
	at     quintic       // of the iteration in progress
	last   bool          // iteration
	do     func(worker, task int)
}

// muonPhase is a part of an iteration, whose tasks are panels of a matrix of every layer.
type muonPhase uint8

const (
	gramPhase muonPhase = iota
	factorPhase
	polynomialPhase
	nextPhase
)

// moments is what Muon keeps of a hidden layer: a matrix Z, at first the layer's moments
// or their transpose, whichever has fewer rows, then nearer and nearer to a matrix whose
// singular values are all about 1. Z is s squares high, l squares wide.
type moments[T word] struct {
	layer  int
	across bool // Z is a transpose
	s, l   int
	rows   []T // Z by rows, in panels
	pairs  []T // Z by pairs, in panels
	turned []T // Zᵀ by pairs, in panels

	gram  []float32 // G = Z·Zᵀ, in panels, down to the diagonal's squares
	scale float32   // of G: 1, or at first what makes the sum of Z's squares 1
	left  []T       // bI + cG by rows, in panels
	right []T       // G by pairs, in panels
	poly  []T       // aI + bG + cG² by rows, in panels

	step gemm.MomentumStep
}

// muonStep holds the coefficients of one step.
type muonStep struct {
	rate, keep     float64
	gain, momentum float32 // of a mean of gradients
}

// muonWork is a worker's: a panel of the largest layer and more.
type muonWork[T word] struct {
	panel, other []float32
	squares      []T
}

func newMuon[T word](e *Stepper, k products[T]) muon {
	o := &muonOf[T]{e: e, k: k}
	o.do = o.task
	largest := 0
	for i := range e.lay.hidden {
		l := &e.lay.hidden[i]
		in := gemm.Panels(l.in)
		m := moments[T]{layer: i, s: min(in, l.panels), l: max(in, l.panels), across: in > l.panels}
		for _, z := range []*[]T{&m.rows, &m.pairs, &m.turned} {
			*z = k.alloc(m.s * m.l)
		}
		for _, g := range []*[]T{&m.left, &m.right, &m.poly} {
			*g = k.alloc(m.s * m.s)
		}
		m.gram = gemm.Alloc(m.s * m.size())
		o.layers = append(o.layers, m)
		largest = max(largest, m.s)
	}
	for range e.opt.Workers {
		n := largest * gemm.SquareSize
		o.work = append(o.work, muonWork[T]{panel: gemm.Alloc(n), other: gemm.Alloc(n), squares: k.alloc(largest)})
	}
	return o
}

// size is that of a panel of Z or of G.
func (m *moments[T]) size() int { return m.s * gemm.SquareSize }

func (o *muonOf[T]) take(worker, i, p, q int, g []float32) {
	e, l := o.e, &o.e.lay.hidden[i]
	c := &e.coef.muon
	first := l.square(e.lay.share(e.First, i, p), q)
	gemm.Average(first, g, &c.gain)
	gemm.Average(g, first, &c.momentum)
	square := o.work[worker].squares[:gemm.SquareSize]
	o.k.round(g, square)
	clear(square[len(g):]) // a last square may have fewer rows
	o.layers[i].load(o.k, p, q, square)
}

// load takes square q of inputs of panel p of the layer's moments, by rows.
func (m *moments[T]) load(k products[T], p, q int, square []T) {
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

func (o *muonOf[T]) orthogonalize() {
	c := &o.e.coef.muon
	for i := range o.layers {
		l := &o.e.lay.hidden[i]
		// As large as Adam's updates usually are.
		rate := c.rate * 0.2 * math.Sqrt(float64(max(l.in, l.out)))
		o.layers[i].step = gemm.MomentumStep{MinusRate: float32(-rate), Keep: float32(c.keep)}
	}
	for i, q := range iterations {
		o.at, o.last = q.cushioned(o.k.cushion()), i == len(iterations)-1
		o.run(gramPhase)
		for k := range o.layers {
			m := &o.layers[k]
			m.scale = 1
			if i == 0 {
				m.scale = m.normal()
			}
		}
		o.run(factorPhase)
		o.run(polynomialPhase)
		o.run(nextPhase)
	}
}

// panels is the number of panels that a phase has to do with, of G or of Z.
func (m *moments[T]) panels(phase muonPhase) int {
	if phase == nextPhase {
		return m.l
	}
	return m.s
}

// run does a phase of an iteration for all layers.
func (o *muonOf[T]) run(phase muonPhase) {
	tasks := 0
	for i := range o.layers {
		tasks += o.layers[i].panels(phase)
	}
	o.phase = phase
	o.e.crew.run(tasks, o.do)
}

// task does the phase for one panel.
func (o *muonOf[T]) task(worker, task int) {
	w := &o.work[worker]
	for i := range o.layers {
		m := &o.layers[i]
		if n := m.panels(o.phase); task >= n {
			task -= n
			continue
		}
		switch o.phase {
		case gramPhase:
			m.gramPanel(o.k, m.s-1-task) // those with most to do first
		case factorPhase:
			m.factors(o.k, w, task, &o.at)
		case polynomialPhase:
			m.polynomial(o.k, w, m.s-1-task, &o.at)
		case nextPhase:
			o.k.multiply(m.s, m.s, m.poly, m.size(), m.pairs[task*m.size():], w.panel)
			if o.last {
				o.update(m, worker, task)
			} else {
				m.next(o.k, w, task)
			}
		}
		return
	}
}

// gramPanel computes a panel of G down to the diagonal. What is below is the transpose of what
// is above, to the bit: factors are exchanged in products, and sums in the same order.
func (m *moments[T]) gramPanel(k products[T], panel int) {
	k.multiply(panel+1, m.l, m.rows, m.size(), m.turned[panel*m.l*gemm.SquareSize:], m.gram[panel*m.size():])
}

// normal is what G must be multiplied by for the sum of its squares, which is that of the fourth powers of Z's
// singular values, to be 1: so none is above. It is 0 if Z is 0.
func (m *moments[T]) normal() float32 {
	sum := 0.0
	for p := range m.s {
		panel := m.gram[p*m.size():][:(p+1)*gemm.SquareSize]
		for i, x := range panel {
			square := float64(x) * float64(x)
			if i < p*gemm.SquareSize { // it stands on the other side of the diagonal too
				square *= 2
			}
			sum += square
		}
	}
	if !(sum > 1e-60) {
		return 0
	}
	return float32(1 / math.Sqrt(sum))
}

// addDiagonal adds to the diagonal of G, in its panel p.
func addDiagonal(panel []float32, p int, x float32) {
	for i := range gemm.Square {
		panel[p*gemm.SquareSize+i*(gemm.Panel+1)] += x
	}
}

// factors makes a panel of both factors of (bI + cG)·G.
func (m *moments[T]) factors(k products[T], w *muonWork[T], panel int, by *quintic) {
	size, at := m.size(), panel*m.size()
	left, g := w.panel[:size], w.other[:size]
	copy(g, m.gram[at:][:(panel+1)*gemm.SquareSize])
	for q := panel + 1; q < m.s; q++ {
		gemm.TransposeSquare(g[q*gemm.SquareSize:], m.gram[q*size+panel*gemm.SquareSize:])
	}
	for i, x := range g {
		x *= m.scale
		left[i], g[i] = by.c*x, x
	}
	addDiagonal(left, panel, by.b)
	k.round(left, m.left[at:])
	k.round(g, w.squares)
	k.Pair(m.s, w.squares, m.right[at:])
}

// polynomial computes a panel of aI + bG + cG² down to the diagonal, at first as if Z were normal, and writes it and
// its transpose.
func (m *moments[T]) polynomial(k products[T], w *muonWork[T], panel int, by *quintic) {
	values := w.panel[:(panel+1)*gemm.SquareSize]
	k.multiply(panel+1, m.s, m.left, m.size(), m.right[panel*m.size():], values)
	addDiagonal(values, panel, by.a)
	if m.scale != 1 {
		root := float32(math.Sqrt(float64(m.scale)))
		for i := range values {
			values[i] *= root
		}
	}
	k.round(values, m.poly[panel*m.size():])
	for q := range panel {
		across := w.other[:gemm.SquareSize]
		gemm.TransposeSquare(across, values[q*gemm.SquareSize:])
		k.round(across, m.poly[q*m.size()+panel*gemm.SquareSize:])
	}
}

// next keeps the worker's panel of the next Z.
func (m *moments[T]) next(k products[T], w *muonWork[T], panel int) {
	at := panel * m.size()
	rows := m.rows[at:][:m.size()]
	k.round(w.panel[:m.size()], rows)
	k.Pair(m.s, rows, m.pairs[at:])
	k.Turn(m.s, rows, m.turned[panel*gemm.SquareSize:], m.l*gemm.SquareSize)
}

// update updates the weights by the worker's panel of Z.
func (o *muonOf[T]) update(m *moments[T], worker, panel int) {
	e, w, l := o.e, &o.work[worker], &o.e.lay.hidden[m.layer]
	for s := range m.s {
		z, scratch := w.panel[s*gemm.SquareSize:][:gemm.SquareSize], w.other[:gemm.SquareSize]
		p, q := panel, s
		if m.across {
			gemm.TransposeSquare(scratch, z)
			z, scratch = scratch, z
			p, q = s, panel
		}
		weights := l.square(e.lay.share(e.Weights, m.layer, p), q)
		gemm.Momentum(weights, scratch[:len(weights)], z[:len(weights)], &m.step)
		if e.coef.average > 0 {
			gemm.Average(l.square(e.lay.share(e.Average, m.layer, p), q), weights, &e.coef.average)
		}
		e.stepped(worker, m.layer, p, q)
	}
}
