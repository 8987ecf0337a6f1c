package gemm

import (
	"bgtrain/internal/cpu"
)

// tier selects the kernels. Tests change it.
var tier = cpu.Level()

// MultiplyPanel computes one panel of C = Init + A·B:
//
//	c[i*ldc+j] = init[i*ldinit+j] + sum over p < k of a[i*rs+p*cs] · b[p*ldb+j]
//
// for i < m and j < Panel. Init may be C itself (C += A·B); ldinit 0 gives all
// rows the same start, a bias. C must overlap neither A nor B. It panics where a
// slice is too short.
func MultiplyPanel(m, k int, a []float32, rs, cs int, b []float32, ldb int, init []float32, ldinit int, c []float32, ldc int) {
	if m <= 0 {
		return
	}
	_, _ = init[(m-1)*ldinit+Panel-1], c[(m-1)*ldc+Panel-1]
	if k <= 0 {
		for i := 0; i < m; i++ {
			copy(c[i*ldc:i*ldc+Panel], init[i*ldinit:i*ldinit+Panel])
		}
		return
	}
	_, _ = a[(m-1)*rs+(k-1)*cs], b[(k-1)*ldb+Panel-1]
	if tier == cpu.Go {
		multiplyGo(m, k, a, rs, cs, b, ldb, init, ldinit, c, ldc)
		return
	}
	tiles, width := tilesOf(tier)
	// Tiles of nearly equal height: the last is not a wasteful small one.
	n := (m + len(tiles) - 1) / len(tiles)
	for t, i := 0, 0; t < n; t++ {
		h := (m - i + n - t - 1) / (n - t)
		for j := 0; j < Panel; j += width {
			tiles[h-1](k, &a[i*rs], uintptr(4*rs), uintptr(4*cs), &b[j], uintptr(4*ldb),
				&init[i*ldinit+j], uintptr(4*ldinit), &c[i*ldc+j], uintptr(4*ldc))
		}
		i += h
	}
}

// tile is the kernel for a fixed number of rows; strides are in bytes.
type tile func(k int, a *float32, rs, cs uintptr, b *float32, ldb uintptr, init *float32, ldinit uintptr, c *float32, ldc uintptr)

// ColumnSums writes the sums of the columns of the panel x of rows rows to sum.
func ColumnSums(rows int, x, sum []float32) {
	if rows <= 0 {
		clear(sum[:Panel])
		return
	}
	_, _ = x[rows*Panel-1], sum[Panel-1]
	switch tier {
	case cpu.Go:
		columnSumsGo(rows, x, sum)
	case cpu.AVX2:
		columnSumsAVX2(rows, &x[0], &sum[0])
	default:
		columnSumsAVX512(rows, &x[0], &sum[0])
	}
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
	switch tier {
	case cpu.Go:
		dots5Go(rows, panels, h, pstride, w, wstride, bias, z)
	case cpu.AVX2:
		dots5AVX2(rows, panels, &h[0], uintptr(4*pstride), &w[0], uintptr(4*wstride), &bias[0], &z[0])
	default:
		dots5AVX512(rows, panels, &h[0], uintptr(4*pstride), &w[0], uintptr(4*wstride), &bias[0], &z[0])
	}
}
