package gemm

// MultiplyPanel computes one panel of C = Init + A·B:
//
//	c[i*ldc+j] = init[i*ldinit+j] + sum over p < k of a[i*rs+p*cs] · b[p*ldb+j]
//
// for i < m and j < Panel. Init may be C itself (C += A·B); ldinit 0 gives all
// rows the same start, a bias. C must overlap neither A nor B. It panics where a
// slice is too short.
func MultiplyPanel(m, k int, a []float32, rs, cs int, b []float32, ldb int,
	init []float32, ldinit int, c []float32, ldc int) {
	best.multiplyPanel(m, k, a, rs, cs, b, ldb, init, ldinit, c, ldc)
}

func (t *kernels) multiplyPanel(m, k int, a []float32, rs, cs int, b []float32, ldb int,
	init []float32, ldinit int, c []float32, ldc int) {
	if m <= 0 {
		return
	}
	_, _ = init[(m-1)*ldinit+Panel-1], c[(m-1)*ldc+Panel-1]
	if k <= 0 {
		for i := range m {
			copy(c[i*ldc:i*ldc+Panel], init[i*ldinit:i*ldinit+Panel])
		}
		return
	}
	_, _ = a[(m-1)*rs+(k-1)*cs], b[(k-1)*ldb+Panel-1]
	t.multiply(m, 1, k, a, rs, cs, 0, b, ldb, init, ldinit, c, ldc)
}

// MultiplyPanels is MultiplyPanel for an A in panels that begin apart values from
// each other, with all rows of B, Init and C Panel values apart, or Init's 0.
func MultiplyPanels(m, k int, a []float32, apart int, b, init []float32, ldinit int, c []float32) {
	best.multiplyPanels(m, k, a, apart, b, init, ldinit, c)
}

func (t *kernels) multiplyPanels(m, k int, a []float32, apart int, b, init []float32, ldinit int, c []float32) {
	if whole := k / Panel; whole > 0 && m > 0 {
		_, _ = init[(m-1)*ldinit+Panel-1], c[m*Panel-1]
		_, _ = a[(whole-1)*apart+m*Panel-1], b[whole*Panel*Panel-1]
		t.multiply(m, whole, Panel, a, Panel, 1, apart-Panel, b, Panel, init, ldinit, c, Panel)
		a, b = a[min(whole*apart, len(a)):], b[whole*Panel*Panel:]
		init, ldinit = c, Panel
		k -= whole * Panel
		if k == 0 {
			return
		}
	}
	t.multiplyPanel(m, k, a, Panel, 1, b, Panel, init, ldinit, c, Panel)
}

// TransposeSquare sets dst to the transpose of the Panel×Panel matrix src.
func TransposeSquare(dst, src []float32) {
	best.transpose(dst[:Panel*Panel], src[:Panel*Panel])
}

// ColumnSums writes the sums of the columns of the panel x of rows rows to sum.
func ColumnSums(rows int, x, sum []float32) {
	if rows <= 0 {
		clear(sum[:Panel])
		return
	}
	_, _ = x[rows*Panel-1], sum[Panel-1]
	best.columnSums(rows, x, sum)
}

// Dots5 is the forward pass of an output layer of five units,
//
//	z[r*5+o] = bias[o] + sum over j of h(r, j) · w(o, j),
//
// for rows 0 to rows-1 of h, stored in panels that begin pstride apart, and the
// 5×(panels·Panel) matrix w, in panels of 5 rows that begin wstride apart.
func Dots5(rows, panels int, h []float32, pstride int, w []float32, wstride int, bias, z []float32) {
	if rows <= 0 || panels <= 0 {
		return
	}
	_, _ = h[(panels-1)*pstride+rows*Panel-1], w[(panels-1)*wstride+5*Panel-1]
	_, _ = bias[4], z[rows*5-1]
	best.dots5(rows, panels, h, pstride, w, wstride, bias, z)
}
