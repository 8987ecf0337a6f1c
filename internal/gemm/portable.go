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

// multiplyGo has two rows and four columns of C in registers at a time. Of the last row, if
// their number is odd, it has two copies.
func multiplyGo(m, runs, k int, a []float32, rs, cs, step int, b []float32, ldb int,
	init []float32, ldinit int, c []float32, ldc int) {
	for i := 0; i < m; i += 2 {
		next := min(i+1, m-1)
		for j := 0; j < Panel; j += 4 {
			s, t := (*[4]float32)(init[i*ldinit+j:]), (*[4]float32)(init[next*ldinit+j:])
			s0, s1, s2, s3, t0, t1, t2, t3 := s[0], s[1], s[2], s[3], t[0], t[1], t[2], t[3]
			for r := range runs {
				ax, ay, bw := i*rs+r*(k*cs+step), next*rs+r*(k*cs+step), r*k*ldb+j
				for range k {
					x, y, w := a[ax], a[ay], (*[4]float32)(b[bw:bw+4:bw+4])
					ax, ay, bw = ax+cs, ay+cs, bw+ldb
					s0 += x * w[0]
					s1 += x * w[1]
					s2 += x * w[2]
					s3 += x * w[3]
					t0 += y * w[0]
					t1 += y * w[1]
					t2 += y * w[2]
					t3 += y * w[3]
				}
			}
			flushAll(c[i*ldc+j:], []float32{s0, s1, s2, s3})
			flushAll(c[next*ldc+j:], []float32{t0, t1, t2, t3})
		}
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

// sums are as many as portable kernels have in registers at a time.
type sums [8]float32

// add adds entries times what is at their offsets, in bytes, of rows.
func (s *sums) add(off []uint32, val, rows []float32) {
	s0, s1, s2, s3, s4, s5, s6, s7 := s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]
	off = off[:len(val)]
	for e, x := range val {
		at := off[e] / 4
		row := (*sums)(rows[at : at+uint32(len(s)) : at+uint32(len(s))])
		s0 += x * row[0]
		s1 += x * row[1]
		s2 += x * row[2]
		s3 += x * row[3]
		s4 += x * row[4]
		s5 += x * row[5]
		s6 += x * row[6]
		s7 += x * row[7]
	}
	*s = sums{s0, s1, s2, s3, s4, s5, s6, s7}
}

func columnAccumulateGo(s *SparseRows, panels int, d []float32, dapart int, g []float32, gapart int) {
	c := &s.columns
	for j := 0; j < panels*Panel; j += len(sums{}) {
		p, at := j/Panel, j%Panel
		d, g := d[p*dapart+at:], g[p*gapart+at:]
		e := uint32(0)
		for column, end := range c.ends {
			if e == end {
				continue
			}
			to := (*sums)(g[column*Panel:])
			to.add(c.off[e:end], c.val[e:end], d)
			flushAll(to[:], to[:])
			e = end
		}
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
	for j := 0; j < Panel; j += len(sums{}) {
		e := uint32(0)
		for r, end := range s.ends {
			to := (*sums)(c[r*Panel+j:])
			copy(to[:], bias[j:])
			to.add(s.off[e:end], s.val[e:end], w[j:])
			flushAll(to[:], to[:])
			e = end
		}
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
