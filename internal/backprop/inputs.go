package backprop

import "bgtrain/internal/gemm"

// inputs are the input vectors of a batch, and the products of the first layer
// with them. Most inputs of backgammon nets are zero in most positions, and some,
// side by side, in hardly any: the columns lo to hi-1 are kept as a dense matrix,
// of the others what is not zero.
type inputs struct {
	width, lo, hi int
	dense         []float32          // batch×(hi-lo)
	sparse        []*gemm.SparseRows // of slabRows rows; nil where lo to hi is everything
	group         int                // panels of a gradient
}

// breakEven is the part of a column's elements that are not zero at which dense
// and sparse products take the same time (benchmarks of package gemm).
const breakEven = 0.4

// A layer of wide panels or more has the gradients of panelGroup panels computed
// together: listing the inputs by columns pays then.
const (
	wide       = 12
	panelGroup = 4
)

// panelsAtOnce is the number of panels of a layer in one product: with two, an input that
// is listed is read half as often, and their results are still in the cache for activate.
const panelsAtOnce = 2

// init chooses the dense columns by the density of each column; nil makes all
// dense.
func (in *inputs) init(density []float32, batch, width, panels int) {
	in.width, in.hi, in.group = width, width, 1
	if density != nil {
		in.lo, in.hi = densest(density)
	}
	in.dense = gemm.Alloc(batch * (in.hi - in.lo))
	if in.hi-in.lo == width {
		return
	}
	if panels >= wide {
		in.group = panelGroup
	}
	for lo := 0; lo < batch; lo += slabRows {
		in.sparse = append(in.sparse, gemm.NewSparseRows(slabRows, width))
	}
}

// densest returns the run of columns that gains most from a dense product.
func densest(density []float32) (lo, hi int) {
	var sum, best float32
	start := 0
	for i, d := range density {
		if sum <= 0 {
			sum, start = 0, i
		}
		if sum += d - breakEven; sum > best {
			best, lo, hi = sum, start, i+1
		}
	}
	return lo, hi
}

// slabs are the sparse inputs of rows lo to lo+n-1, lo being a multiple of slabRows.
func (in *inputs) slabs(lo, n int) []*gemm.SparseRows {
	if in.sparse == nil {
		return nil
	}
	return in.sparse[lo/slabRows : (lo+n+slabRows-1)/slabRows]
}

// begin makes ready for rows lo to lo+n-1.
func (in *inputs) begin(lo, n int) {
	for _, s := range in.slabs(lo, n) {
		s.Reset()
	}
}

// add takes the inputs of row i.
func (in *inputs) add(i int, x []float32) {
	copy(in.dense[i*(in.hi-in.lo):], x[in.lo:in.hi])
	if in.sparse == nil {
		return
	}
	s := in.sparse[i/slabRows]
	s.Add(0, x[:in.lo])
	s.Add(in.hi, x[in.hi:])
	s.EndRow()
}

// multiply computes panels of bias + X·W for rows lo to lo+n-1, those of W and of the
// biases wapart and those of the result zapart values from each other.
func (in *inputs) multiply(lo, n, panels int, w, bias []float32, wapart int, z []float32, zapart int) {
	init, ldinit, apart := bias, 0, wapart
	for i, s := range in.slabs(lo, n) {
		s.MultiplyPanels(panels, w, bias, wapart, z[i*slabRows*gemm.Panel:], zapart)
		init, ldinit, apart = z, gemm.Panel, zapart
	}
	k := in.hi - in.lo
	for p := 0; p < panels && k > 0; p++ {
		gemm.MultiplyPanel(n, k, in.dense[lo*k:], k, 1, w[p*wapart+in.lo*gemm.Panel:], gemm.Panel,
			init[p*apart:], ldinit, z[p*zapart:], gemm.Panel)
	}
}

// end is called after the last of rows lo to lo+n-1, before gradient.
func (in *inputs) end(lo, n int) {
	if in.group == 1 {
		return
	}
	for _, s := range in.slabs(lo, n) {
		s.ByColumn(in.width)
	}
}

// gradient computes panels of Xᵀ·D over the n rows of the batch, those of D dapart
// and those of the result gapart values from each other.
func (in *inputs) gradient(n, panels int, d []float32, dapart int, g []float32, gapart int, zeros []float32) {
	slabs := in.slabs(0, n)
	for p := range panels {
		d, g := d[p*dapart:], g[p*gapart:]
		if in.sparse != nil {
			clear(g[:in.width*gemm.Panel])
		}
		for b := 0; in.group == 1 && b < len(slabs); b++ {
			slabs[b].AccumulatePanel(d[b*slabRows*gemm.Panel:], g)
		}
	}
	for b := 0; in.group > 1 && b < len(slabs); b++ {
		slabs[b].AccumulatePanels(panels, d[b*slabRows*gemm.Panel:], dapart, g, gapart)
	}
	for p := range panels {
		if k := in.hi - in.lo; k > 0 {
			gemm.MultiplyPanel(k, n, in.dense, 1, k, d[p*dapart:], gemm.Panel,
				zeros, 0, g[p*gapart+in.lo*gemm.Panel:], gemm.Panel)
		}
	}
}
