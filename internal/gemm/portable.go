package gemm

import "math"

// The kernels in Go: what every other implementation must compute, up to
// rounding.

// flush turns numbers below the normal ones into zeros.
func flush(x float32) float32 {
	if bits := math.Float32bits(x); bits&0x7f800000 == 0 {
		return math.Float32frombits(bits & (1 << 31))
	}
	return x
}

// flushAll copies x to to, flushed.
func flushAll(to, x []float32) {
	for i, v := range x {
		to[i] = flush(v)
	}
}

func multiplyGo(m, runs, k int, a []float32, rs, cs, step int, b []float32, ldb int,
	init []float32, ldinit int, c []float32, ldc int) {
	for i := 0; i < m; i++ {
		var acc [Panel]float32
		copy(acc[:], init[i*ldinit:])
		for r := 0; r < runs; r++ {
			at := i*rs + r*(k*cs+step)
			for p := 0; p < k; p++ {
				x := a[at+p*cs]
				row := (*[Panel]float32)(b[(r*k+p)*ldb:])
				for j := range acc {
					acc[j] += x * row[j]
				}
			}
		}
		flushAll(c[i*ldc:], acc[:])
	}
}

func transposeGo(dst, src []float32) {
	for i := range Panel {
		for j := range Panel {
			dst[j*Panel+i] = src[i*Panel+j]
		}
	}
}

func columnSumsGo(rows int, x, sum []float32) {
	var acc [Panel]float32
	for r := 0; r < rows; r++ {
		for j, v := range (*[Panel]float32)(x[r*Panel:]) {
			acc[j] += v
		}
	}
	flushAll(sum, acc[:])
}

func dots5Go(rows, panels int, h []float32, pstride int, w []float32, wstride int, bias, z []float32) {
	for r := 0; r < rows; r++ {
		for o := 0; o < 5; o++ {
			sum := bias[o]
			for p := 0; p < panels; p++ {
				x := (*[Panel]float32)(h[p*pstride+r*Panel:])
				for j, v := range (*[Panel]float32)(w[p*wstride+o*Panel:]) {
					sum += x[j] * v
				}
			}
			z[r*5+o] = flush(sum)
		}
	}
}

func columnAccumulateGo(s *SparseRows, panels int, d []float32, dapart int, g []float32, gapart int) {
	for p := range panels {
		sparseAccumulateGo(s, d[p*dapart:], g[p*gapart:])
	}
}

// rowBytes is the size of a row of a panel.
const rowBytes = 4 * Panel

func compressGo(x []float32, first uint32, off []uint32, val []float32) int {
	n := 0
	for i, v := range x {
		// Write always, count only what is not zero: no branch to predict.
		off[n], val[n] = first+uint32(i*rowBytes), v
		if v != 0 {
			n++
		}
	}
	return n
}

func sparseMultiplyGo(s *SparseRows, panels int, w, bias []float32, wapart int, c []float32, capart int) {
	for p := range panels {
		sparsePanelGo(s, w[p*wapart:], bias[p*wapart:], c[p*capart:])
	}
}

func sparsePanelGo(s *SparseRows, w, bias, c []float32) {
	e := uint32(0)
	for r, end := range s.ends {
		var acc [Panel]float32
		copy(acc[:], bias)
		for ; e < end; e++ {
			x := s.val[e]
			for j, v := range (*[Panel]float32)(w[s.off[e]/4:]) {
				acc[j] += x * v
			}
		}
		flushAll(c[r*Panel:], acc[:])
	}
}

func sparseAccumulateGo(s *SparseRows, d, g []float32) {
	e := uint32(0)
	for r, end := range s.ends {
		row := (*[Panel]float32)(d[r*Panel:])
		for ; e < end; e++ {
			x := s.val[e]
			sum := (*[Panel]float32)(g[s.off[e]/4:])
			for j, v := range row {
				sum[j] = flush(sum[j] + x*v)
			}
		}
	}
}

func sigmoidGradientGo(d, y []float32) {
	for i, v := range y {
		d[i] = flush(d[i] * (v - v*v))
	}
}

func tanhGradientGo(d, y []float32) {
	for i, v := range y {
		d[i] = flush(d[i] * (1 - v*v))
	}
}

func reluGradientGo(d, y []float32) {
	for i, v := range y {
		if !(v > 0) {
			d[i] = 0
		}
	}
}

func squaredReLUGradientGo(d, y []float32) {
	for i, v := range y {
		root := float32(math.Sqrt(float64(v)))
		d[i] = flush(d[i] * (root + root))
	}
}

func adamGo(w, m, v, g []float32, s *AdamStep) {
	for i, x := range g {
		m[i] = flush(s.Beta1*m[i] + s.Gain1*x)
		v[i] = flush(s.Beta2*v[i] + s.Gain2*(x*x))
		root := float32(math.Sqrt(float64(v[i])))
		w[i] = flush(s.Keep*w[i] + s.MinusRate*(m[i]/(root+s.Epsilon)))
	}
}

func momentumGo(w, m, g []float32, s *MomentumStep) {
	for i, x := range g {
		m[i] = flush(s.Momentum*m[i] + x)
		w[i] = flush(s.Keep*w[i] + s.MinusRate*m[i])
	}
}

func averageGo(e, w []float32, rate *float32) {
	for i, x := range w {
		e[i] = flush(e[i] + *rate*(x-e[i]))
	}
}
