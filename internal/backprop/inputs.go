package backprop

import "bgtrain/internal/gemm"

// inputs are the input vectors of a batch, and the products of the first layer
// with them.
type inputs struct {
	width  int
	dense  []float32          // batch×width; nil when sparse
	sparse []*gemm.SparseRows // a block's; nil when dense
}

func (in *inputs) init(sparse bool, batch, width int) {
	in.width = width
	if !sparse {
		in.dense = gemm.Alloc(batch * width)
		return
	}
	for lo := 0; lo < batch; lo += blockRows {
		in.sparse = append(in.sparse, gemm.NewSparseRows(blockRows, width))
	}
}

// begin makes ready for the rows of a block.
func (in *inputs) begin(block int) {
	if in.sparse != nil {
		in.sparse[block].Reset()
	}
}

// row returns the place for the inputs of row i; added must follow. x is a
// worker's own scratch.
func (in *inputs) row(i int, x []float32) []float32 {
	if in.sparse != nil {
		return x
	}
	return in.dense[i*in.width : (i+1)*in.width]
}

func (in *inputs) added(block int, x []float32) {
	if in.sparse != nil {
		in.sparse[block].Append(x)
	}
}

// multiply computes a panel of bias + X·W for rows lo to lo+n-1, those of a block.
func (in *inputs) multiply(block, lo, n int, w, bias, z []float32) {
	if in.sparse != nil {
		in.sparse[block].MultiplyPanel(w, bias, z)
		return
	}
	gemm.MultiplyPanel(n, in.width, in.dense[lo*in.width:], in.width, 1, w, gemm.Panel, bias, 0, z, gemm.Panel)
}

// gradient computes a panel of Xᵀ·D over the n rows of the batch.
func (in *inputs) gradient(n int, d, g, zeros []float32) {
	if in.sparse == nil {
		gemm.MultiplyPanel(in.width, n, in.dense, 1, in.width, d, gemm.Panel, zeros, 0, g, gemm.Panel)
		return
	}
	clear(g[:in.width*gemm.Panel])
	for b := 0; b*blockRows < n; b++ {
		in.sparse[b].AccumulatePanel(d[b*blockRows*gemm.Panel:], g)
	}
}
