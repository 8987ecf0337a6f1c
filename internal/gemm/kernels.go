package gemm

// kernels is the arithmetic of one tier, for arguments that have been checked.
type kernels struct {
	// multiply takes A in runs of k columns, step beyond the end of one.
	multiply func(m, runs, k int, a []float32, rs, cs, step int, b []float32, ldb int,
		init []float32, ldinit int, c []float32, ldc int)
	transpose  func(dst, src []float32)
	columnSums func(rows int, x, sum []float32)
	dots5      func(rows, panels int, h []float32, pstride int, w []float32, wstride int, bias, z []float32)

	// compress writes value and byte offset (first + index·rowBytes) of what is not
	// zero in x, and returns its number. It may write up to 16 entries past the last.
	compress         func(x []float32, first uint32, off []uint32, val []float32) int
	sparseMultiply   func(s *SparseRows, panels int, w, bias []float32, wapart int, c []float32, capart int)
	sparseAccumulate func(s *SparseRows, d, g []float32)
	// columnAccumulate does the same for several panels, by columns.
	columnAccumulate func(s *SparseRows, panels int, d []float32, dapart int, g []float32, gapart int)

	sigmoidGradient, tanhGradient, reluGradient, squaredReLUGradient func(d, y []float32)

	adam     func(w, m, v, g []float32, s *AdamStep)
	momentum func(w, m, g []float32, s *MomentumStep)
	average  func(e, w []float32, rate *float32)
}

// best is what this run uses.
var best = tiers.Best()

// goKernels is the portable tier, portable.go.
var goKernels = kernels{
	multiply: multiplyGo, transpose: transposeGo, columnSums: columnSumsGo, dots5: dots5Go,
	compress: compressGo, sparseMultiply: sparseMultiplyGo, sparseAccumulate: sparseAccumulateGo,
	columnAccumulate: columnAccumulateGo,
	sigmoidGradient:  sigmoidGradientGo, tanhGradient: tanhGradientGo, reluGradient: reluGradientGo,
	squaredReLUGradient: squaredReLUGradientGo,
	adam:                adamGo, momentum: momentumGo, average: averageGo,
}
