package backprop

import (
	"bgtrain/internal/gemm"
)

// nonzeros lists what is not zero of a batch's activations of a rectified layer, or of its errors: one in
// five, once a net is trained. Rows are listed by slabs, each of them only if that saves time, which depends on
// nothing but its values.
type nonzeros struct {
	slabs  []*gemm.SparseRows
	listed []bool
}

// leastListed is the least number of units of a layer for which listing pays, fewActive the part of
// them, active, up to which it does; with manyActive in a slab's first rows no others are tried.
const (
	leastListed = 4 * gemm.Panel
	fewActive   = 0.33
	manyActive  = 0.42
	firstRows   = 8
)

// newNonzeros returns nil for a layer where listing never pays.
func newNonzeros(h *layer, batch int) *nonzeros {
	if !h.activation.IsRectified() || h.out < leastListed {
		return nil
	}
	z := &nonzeros{}
	for lo := 0; lo < batch; lo += slabRows {
		z.slabs = append(z.slabs, gemm.NewSparseRows(slabRows, h.panels*gemm.Panel))
	}
	z.listed = make([]bool, len(z.slabs))
	return z
}

// list lists rows lo to lo+n-1 of a, of width columns in panels apart values from each other; lo is a multiple of
// slabRows. With byColumn it does so by columns too, for gradient.
func (z *nonzeros) list(lo, n, width int, a []float32, apart int, byColumn bool) {
	if z == nil {
		return
	}
	panels := gemm.Panels(width)
	for ; n > 0; lo, n = lo+slabRows, n-slabRows {
		rows, b := min(n, slabRows), lo/slabRows
		s := z.slabs[b]
		s.Reset()
		listed := 0
		for few := true; few && listed < rows; {
			for p := range panels {
				s.Add(p*gemm.Panel, a[p*apart+(lo+listed)*gemm.Panel:][:gemm.Panel])
			}
			s.EndRow()
			listed++
			few = listed != firstRows || s.Len() < int(manyActive*float64(listed*width))
		}
		z.listed[b] = listed == rows && s.Len() < int(fewActive*float64(rows*width))
		if z.listed[b] && byColumn {
			s.ByColumn(width)
		}
	}
}

// run returns the rows with which the n from lo on begin: those of a slab, or as many that follow each other and
// are not listed, with a nil slab.
func (z *nonzeros) run(lo, n int) (s *gemm.SparseRows, rows int) {
	if z == nil {
		return nil, n
	}
	for rows < n && !z.listed[(lo+rows)/slabRows] {
		rows += min(n-rows, slabRows)
	}
	if rows > 0 {
		return nil, rows
	}
	return z.slabs[lo/slabRows], min(n, slabRows)
}

// multiply computes panels of bias + A·B for rows lo to lo+n-1 of a, the matrix that z lists, of width columns:
// those of A and of the result are apart, those of B and of the biases bapart values from each other.
func (z *nonzeros) multiply(lo, n, width, panels int, a []float32, apart int,
	b, bias []float32, bapart int, c []float32) {
	for n > 0 {
		s, rows := z.run(lo, n)
		if s != nil {
			s.MultiplyPanels(panels, b, bias, bapart, c, apart)
		}
		for p := 0; p < panels && s == nil; p++ {
			gemm.MultiplyPanels(rows, width, a[lo*gemm.Panel:], apart, b[p*bapart:], bias[p*bapart:], 0, c[p*apart:])
		}
		lo, n, c = lo+rows, n-rows, c[rows*gemm.Panel:]
	}
}

// gradient computes panels of Aᵀ·D over n rows, A being the matrix that z lists, of width columns: those of A
// and D are apart, those of the result gapart values from each other.
func (z *nonzeros) gradient(n, width, panels int, a, d []float32, apart int, g []float32, gapart int, zeros []float32) {
	init, ldinit := zeros, 0
	for lo := 0; lo < n; {
		s, rows := z.run(lo, n-lo)
		if s != nil && ldinit == 0 {
			for p := range panels {
				clear(g[p*gapart:][:width*gemm.Panel])
			}
		}
		if s != nil {
			s.AccumulatePanels(panels, d[lo*gemm.Panel:], apart, g, gapart)
		}
		for p := 0; p < panels && s == nil; p++ {
			for q, in := 0, width; in > 0; q, in = q+1, in-gemm.Panel {
				to := g[p*gapart+q*gemm.SquareSize:]
				if ldinit > 0 {
					init = to
				}
				gemm.MultiplyPanel(min(in, gemm.Panel), rows, a[q*apart+lo*gemm.Panel:], 1, gemm.Panel,
					d[p*apart+lo*gemm.Panel:], gemm.Panel, init, ldinit, to, gemm.Panel)
			}
		}
		lo, ldinit = lo+rows, gemm.Panel
	}
}
