package gemm

import "bgtrain/internal/cpu"

//go:generate go run -C ../asm . -kernels gemm -tier avx512 -to ../gemm
//go:generate go run -C ../asm . -kernels gemm -tier avx2 -to ../gemm

var tiers = cpu.Table[kernels]{cpu.Go: &goKernels, cpu.AVX2: avx2.kernels(), cpu.AVX512: avx512.kernels()}

// tile is the multiplication kernel for a fixed number of rows; strides are in bytes.
type tile = func(runs, k int, a *float32, rs, cs, step uintptr, b *float32, ldb uintptr,
	init *float32, ldinit uintptr, c *float32, ldc uintptr)

// panelRows and panelColumns are tiles for matrices in panels: the first takes rows of
// A, in runs of a panel, the second columns of a panel of A, in groups of 4.
type (
	panelRows    = func(runs int, a *float32, step uintptr, b, init *float32, ldinit uintptr, c *float32)
	panelColumns = func(groups int, a, b, init *float32, ldinit uintptr, c *float32)
)

// sparsePanels multiplies sparse rows with some panels; strides are in bytes.
type sparsePanels = func(rows int, ends, off *uint32, val, w *float32, wstride uintptr,
	bias, c *float32, cstride uintptr)

// assembly is the set of functions of one tier; strides are in bytes.
type assembly struct {
	tiles      []tile         // by the number of rows, from one
	width      int            // columns of a tile
	panelRows  []panelRows    // by the number of rows, nil where there is none
	panelCols  []panelColumns // likewise
	sums       func(rows int, x, sum *float32)
	dots5      func(rows, panels int, h *float32, pstride uintptr, w *float32, wstride uintptr, bias, z *float32)
	compress   func(x *float32, n int, first uint32, off *uint32, val *float32) int
	sparse     sparsePanels // of one panel
	sparsePair sparsePanels // of two; nil if there is none
	transposed func(rows int, ends, off *uint32, val, d, grad *float32)
	columns    func(columns int, ends, off *uint32, val, d *float32, dstride uintptr, grad *float32, gstride uintptr)
	group      int // panels that columns takes

	sigmoidGradient, tanhGradient, reluGradient, squaredReLUGradient func(n int, d, y *float32)

	adam     func(n int, w, m, v, grad, p *float32)
	momentum func(n int, w, m, grad, p *float32)
	average  func(n int, e, w, p *float32)
}

var avx512 = &assembly{
	tiles: []tile{
		multiply1AVX512, multiply2AVX512, multiply3AVX512, multiply4AVX512,
		multiply5AVX512, multiply6AVX512, multiply7AVX512, multiply8AVX512,
		multiply9AVX512, multiply10AVX512, multiply11AVX512, multiply12AVX512,
		multiply13AVX512, multiply14AVX512,
	},
	width:     32,
	panelRows: []panelRows{12: panelRows12AVX512, 13: panelRows13AVX512, 14: panelRows14AVX512},
	panelCols: []panelColumns{10: panelColumns10AVX512, 11: panelColumns11AVX512, 14: nil},
	sums:      columnSumsAVX512, dots5: dots5AVX512,
	compress: compressAVX512, sparse: sparseMultiply1AVX512, sparsePair: sparseMultiply2AVX512,
	transposed: sparseAccumulateAVX512,
	columns:    columnAccumulateAVX512, group: 4,
	sigmoidGradient: sigmoidGradientAVX512, tanhGradient: tanhGradientAVX512, reluGradient: reluGradientAVX512,
	squaredReLUGradient: squaredReLUGradientAVX512,
	adam:                adamAVX512, momentum: momentumAVX512, average: averageAVX512,
}

var avx2 = &assembly{
	tiles: []tile{
		multiply1AVX2, multiply2AVX2, multiply3AVX2,
		multiply4AVX2, multiply5AVX2, multiply6AVX2,
	},
	width:     16,
	panelRows: []panelRows{5: panelRows5AVX2, 6: panelRows6AVX2},
	panelCols: []panelColumns{5: panelColumns5AVX2, 6: panelColumns6AVX2},
	sums:      columnSumsAVX2, dots5: dots5AVX2,
	compress: compressAVX2, sparse: sparseMultiply1AVX2, transposed: sparseAccumulateAVX2,
	columns: columnAccumulateAVX2, group: 2,
	sigmoidGradient: sigmoidGradientAVX2, tanhGradient: tanhGradientAVX2, reluGradient: reluGradientAVX2,
	squaredReLUGradient: squaredReLUGradientAVX2,
	adam:                adamAVX2, momentum: momentumAVX2, average: averageAVX2,
}

// kernels returns the functions as the package calls them.
func (a *assembly) kernels() *kernels {
	gradient := func(f func(n int, d, y *float32)) func(d, y []float32) {
		return func(d, y []float32) { f(len(d), &d[0], &y[0]) }
	}
	return &kernels{
		multiply:   a.multiply,
		transpose:  func(dst, src []float32) { transposeAVX2(&dst[0], &src[0]) },
		columnSums: func(rows int, x, sum []float32) { a.sums(rows, &x[0], &sum[0]) },
		dots5: func(rows, panels int, h []float32, pstride int, w []float32, wstride int, bias, z []float32) {
			a.dots5(rows, panels, &h[0], uintptr(4*pstride), &w[0], uintptr(4*wstride), &bias[0], &z[0])
		},
		compress: func(x []float32, first uint32, off []uint32, val []float32) int {
			return a.compress(&x[0], len(x), first, &off[0], &val[0])
		},
		sparseMultiply: a.sparseMultiply,
		sparseAccumulate: func(s *SparseRows, d, g []float32) {
			a.transposed(len(s.ends), &s.ends[0], &s.off[0], &s.val[0], &d[0], &g[0])
		},
		columnAccumulate:    a.columnAccumulate,
		sigmoidGradient:     gradient(a.sigmoidGradient),
		tanhGradient:        gradient(a.tanhGradient),
		reluGradient:        gradient(a.reluGradient),
		squaredReLUGradient: gradient(a.squaredReLUGradient),
		adam: func(w, m, v, g []float32, s *AdamStep) {
			a.adam(len(w), &w[0], &m[0], &v[0], &g[0], &s.Beta1)
		},
		momentum: func(w, m, g []float32, s *MomentumStep) {
			a.momentum(len(w), &w[0], &m[0], &g[0], &s.Momentum)
		},
		average: func(e, w []float32, rate *float32) { a.average(len(e), &e[0], &w[0], rate) },
	}
}

// multiply computes a panel in tiles of nearly equal height: the last is not a
// wasteful small one.
func (a *assembly) multiply(m, runs, k int, x []float32, rs, cs, step int, b []float32, ldb int,
	init []float32, ldinit int, c []float32, ldc int) {
	panels := ldb == Panel && ldc == Panel
	alongRows := panels && rs == Panel && cs == 1 && k == Panel
	alongColumns := panels && rs == 1 && cs == Panel && runs == 1 && k%4 == 0
	n := (m + len(a.tiles) - 1) / len(a.tiles)
	for t, i := 0, 0; t < n; t++ {
		h := (m - i + n - t - 1) / (n - t)
		for j := 0; j < Panel; j += a.width {
			from, to := &init[i*ldinit+j], &c[i*ldc+j]
			if alongRows && a.panelRows[h] != nil {
				a.panelRows[h](runs, &x[i*rs], uintptr(4*step), &b[j], from, uintptr(4*ldinit), to)
			} else if alongColumns && a.panelCols[h] != nil {
				a.panelCols[h](k/4, &x[i*rs], &b[j], from, uintptr(4*ldinit), to)
			} else {
				a.tiles[h-1](runs, k, &x[i*rs], uintptr(4*rs), uintptr(4*cs), uintptr(4*step), &b[j], uintptr(4*ldb),
					from, uintptr(4*ldinit), to, uintptr(4*ldc))
			}
		}
		i += h
	}
}

// sparseMultiply takes two panels at a time where there is a kernel for it.
func (a *assembly) sparseMultiply(s *SparseRows, panels int, w, bias []float32, wapart int, c []float32, capart int) {
	for p := 0; p < panels; {
		kernel, next := a.sparse, p+1
		if a.sparsePair != nil && p+2 <= panels {
			kernel, next = a.sparsePair, p+2
		}
		kernel(len(s.ends), &s.ends[0], &s.off[0], &s.val[0], &w[p*wapart], uintptr(4*wapart),
			&bias[p*wapart], &c[p*capart], uintptr(4*capart))
		p = next
	}
}

// columnAccumulate takes as many panels together as the kernel does, and those that
// remain one by one.
func (a *assembly) columnAccumulate(s *SparseRows, panels int, d []float32, dapart int, g []float32, gapart int) {
	c := &s.columns
	p := 0
	for ; p+a.group <= panels; p += a.group {
		a.columns(len(c.ends), &c.ends[0], &c.off[0], &c.val[0],
			&d[p*dapart], uintptr(4*dapart), &g[p*gapart], uintptr(4*gapart))
	}
	for ; p < panels; p++ {
		a.transposed(len(s.ends), &s.ends[0], &s.off[0], &s.val[0], &d[p*dapart], &g[p*gapart])
	}
}
