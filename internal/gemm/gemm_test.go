package gemm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"

	"bgtrain/internal/cpu"
)

// forTiers runs a test for every tier of this processor.
func forTiers(t *testing.T, test func(t *testing.T, k *kernels)) {
	for _, tr := range cpu.Tiers() {
		t.Run(tr.String(), func(t *testing.T) {
			test(t, tiers.At(tr))
		})
	}
}

func random(rng *rand.Rand, n int) []float32 {
	x := Alloc(n)
	for i := range x {
		x[i] = float32(rng.NormFloat64())
	}
	return x
}

// guard is what surrounds a guarded slice.
const guard = float32(12345.5)

// guarded returns a slice of n elements amid guard words, and a check that
// those are still what they were.
func guarded(n int) (s []float32, check func(t *testing.T, what string)) {
	const margin = 64
	whole := Alloc(n + 2*margin)
	for i := range whole {
		whole[i] = guard
	}
	return whole[margin : margin+n : margin+n], func(t *testing.T, what string) {
		t.Helper()
		for i, v := range whole {
			if (i < margin || i >= margin+n) && v != guard {
				t.Fatalf("%s: wrote %v at %d, outside [0, %d)", what, v, i-margin, n)
			}
		}
	}
}

// near reports whether x and y differ by no more than tolerance, relative above 1.
func near(x, y, tolerance float64) bool {
	if math.IsNaN(x) || math.IsNaN(y) {
		return math.IsNaN(x) && math.IsNaN(y)
	}
	return math.Abs(x-y) <= tolerance*max(1, math.Abs(y))
}

// lengths reach every tail of loops that are unrolled or cut into tiles.
var lengths = []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 14, 15, 16, 17, 28, 29, 31, 32, 33, 64, 65, 100}

// TestMultiplyPanelAgainstBLAS checks the three products of training.
func TestMultiplyPanelAgainstBLAS(t *testing.T) {
	forTiers(t, func(t *testing.T, tier *kernels) {
		rng := rand.New(rand.NewPCG(1, 2))
		for _, m := range lengths {
			for _, k := range []int{1, 2, 3, 31, 32, 33, 77} {
				for _, n := range []int{1, 5, 31, 32, 33, 70} {
					checkProduct(t, tier, rng, m, n, k)
				}
			}
		}
	})
}

func checkProduct(t *testing.T, tier *kernels, rng *rand.Rand, m, n, k int) {
	t.Helper()
	init, b := random(rng, n), random(rng, k*n)
	packed, checkPacked := guarded(Panels(n) * k * Panel)
	pack(packed, b, k, n, n, 1)
	checkPacked(t, "Pack")
	start := make([]float32, Panels(n)*Panel)
	copy(start, init)
	for _, transposed := range []bool{false, true} {
		a, rs, cs, trans := random(rng, m*k), k, 1, blas.NoTrans
		av := blas32.General{Rows: m, Cols: k, Stride: k, Data: a}
		if transposed {
			rs, cs, trans = 1, m, blas.Trans
			av = blas32.General{Rows: k, Cols: m, Stride: m, Data: a}
		}
		want := blas32.General{Rows: m, Cols: n, Stride: n, Data: make([]float32, m*n)}
		for i := 0; i < m; i++ {
			copy(want.Data[i*n:], init)
		}
		blas32.Gemm(trans, blas.NoTrans, 1, av, blas32.General{Rows: k, Cols: n, Stride: n, Data: b}, 1, want)

		c, check := guarded(Panels(n) * m * Panel)
		for p := 0; p < Panels(n); p++ {
			// The second half of k is added to what the first half gave.
			cp, bp := c[p*m*Panel:], packed[p*k*Panel:]
			tier.multiplyPanel(m, k/2, a, rs, cs, bp, Panel, start[p*Panel:], 0, cp, Panel)
			tier.multiplyPanel(m, k-k/2, a[k/2*cs:], rs, cs, bp[k/2*Panel:], Panel, cp, Panel, cp, Panel)
		}
		what := fmt.Sprintf("%d×%d×%d, A transposed %v", m, k, n, transposed)
		check(t, what)
		got := make([]float32, m*n)
		unpack(got, c, m, n, n, 1)
		for i := range got {
			if !near(float64(got[i]), float64(want.Data[i]), 2e-5) {
				t.Fatalf("%s: element %d = %v, want %v", what, i, got[i], want.Data[i])
			}
		}
	}
}

// TestMultiplyPanelRowsIndependent: a row's result is the same to the bit
// whatever other rows are computed with it.
func TestMultiplyPanelRowsIndependent(t *testing.T) {
	forTiers(t, func(t *testing.T, tier *kernels) {
		rng := rand.New(rand.NewPCG(3, 4))
		const m, k = 61, 97
		a, b, bias := random(rng, m*k), random(rng, k*Panel), random(rng, Panel)
		whole, part := Alloc(m*Panel), Alloc(m*Panel)
		tier.multiplyPanel(m, k, a, k, 1, b, Panel, bias, 0, whole, Panel)
		for size := 1; size <= m; size++ {
			for lo := 0; lo < m; lo += size {
				n := min(size, m-lo)
				tier.multiplyPanel(n, k, a[lo*k:], k, 1, b, Panel, bias, 0, part[lo*Panel:], Panel)
			}
			for i := range whole {
				if part[i] != whole[i] {
					t.Fatalf("blocks of %d rows: element %d = %v, want %v", size, i, part[i], whole[i])
				}
			}
		}
	})
}

// TestMultiplyPanels: with A in panels the result is that of one panel after the
// other, to the bit.
func TestMultiplyPanels(t *testing.T) {
	forTiers(t, func(t *testing.T, tier *kernels) {
		rng := rand.New(rand.NewPCG(23, 24))
		for _, m := range []int{1, 5, 14, 64} {
			for _, k := range []int{1, 31, 32, 33, 64, 100, 512} {
				apart := (m + 3) * Panel
				a, b, bias := random(rng, (Panels(k)-1)*apart+m*Panel), random(rng, k*Panel), random(rng, Panel)
				want, init, ldinit := Alloc(m*Panel), bias, 0
				for p := 0; p*Panel < k; p++ {
					tier.multiplyPanel(m, min(Panel, k-p*Panel), a[p*apart:], Panel, 1, b[p*Panel*Panel:], Panel,
						init, ldinit, want, Panel)
					init, ldinit = want, Panel
				}
				got, check := guarded(m * Panel)
				tier.multiplyPanels(m, k, a, apart, b, bias, 0, got)
				check(t, "MultiplyPanels")
				for i := range got {
					if got[i] != want[i] {
						t.Fatalf("%d×%d: element %d = %v, want %v", m, k, i, got[i], want[i])
					}
				}
			}
		}
	})
}

// TestPanelTiles: the tiles for matrices in panels give what those for any distances
// do, to the bit.
func TestPanelTiles(t *testing.T) {
	forTiers(t, func(t *testing.T, tier *kernels) {
		rng := rand.New(rand.NewPCG(27, 28))
		for m := 1; m <= 130; m++ {
			for _, k := range []int{4, 32, 96, 99} {
				// B and C are in panels; A is in one of k columns, or is not.
				a, b, bias := random(rng, Panels(k)*m*Panel), random(rng, k*Panel), random(rng, Panel)
				got, check := guarded(m * Panel)
				tier.multiplyPanels(m, k, a, m*Panel, b, bias, 0, got)
				check(t, "rows")
				loose, want := Alloc(m*(k+1)), Alloc(m*Panel)
				for i := range m {
					for p := range k {
						loose[i*(k+1)+p] = a[(p/Panel*m+i)*Panel+p%Panel]
					}
				}
				tier.multiplyPanel(m, k, loose, k+1, 1, b, Panel, bias, 0, want, Panel)
				sameBits(t, fmt.Sprintf("%d rows, %d columns", m, k), got, want)
			}
		}
		for m := 1; m <= Panel; m++ {
			for _, k := range []int{4, 7, 128} {
				a, b, init := random(rng, k*Panel), random(rng, k*Panel), random(rng, m*Panel)
				got, check := guarded(m * Panel)
				copy(got, init)
				tier.multiplyPanel(m, k, a, 1, Panel, b, Panel, got, Panel, got, Panel)
				check(t, "columns")
				loose, want := Alloc(k*(Panel+1)), Alloc(m*Panel)
				for p := range k {
					copy(loose[p*(Panel+1):], a[p*Panel:][:Panel])
				}
				tier.multiplyPanel(m, k, loose, 1, Panel+1, b, Panel, init, Panel, want, Panel)
				sameBits(t, fmt.Sprintf("%d columns of %d rows", m, k), got, want)
			}
		}
	})
}

func sameBits(t *testing.T, what string, got, want []float32) {
	t.Helper()
	for i := range want {
		if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
			t.Fatalf("%s: element %d = %v, want %v", what, i, got[i], want[i])
		}
	}
}

func TestTransposeSquare(t *testing.T) {
	forTiers(t, func(t *testing.T, tier *kernels) {
		src := random(rand.New(rand.NewPCG(25, 26)), Panel*Panel)
		got, check := guarded(Panel * Panel)
		tier.transpose(got, src)
		check(t, "transpose")
		for i := range src {
			if got[i%Panel*Panel+i/Panel] != src[i] {
				t.Fatalf("element %d, %d = %v, want %v", i%Panel, i/Panel, got[i%Panel*Panel+i/Panel], src[i])
			}
		}
	})
}

func TestSparseRows(t *testing.T) {
	forTiers(t, func(t *testing.T, k *kernels) {
		rng := rand.New(rand.NewPCG(5, 6))
		for _, cols := range []int{1, 2, 15, 16, 17, 33, 250} {
			for _, rows := range []int{1, 2, 7, 30} {
				for _, density := range []float64{0, 0.3, 1} {
					checkSparse(t, k, rng, rows, cols, density)
				}
			}
		}
	})
}

func checkSparse(t *testing.T, k *kernels, rng *rand.Rand, rows, cols int, density float64) {
	t.Helper()
	what := fmt.Sprintf("%d×%d, density %v", rows, cols, density)
	x := random(rng, rows*cols)
	s := k.newSparseRows(rows, cols)
	for round := 0; round < 2; round++ { // the second after Reset
		s.Reset()
		for r := 0; r < rows; r++ {
			row := x[r*cols : (r+1)*cols]
			for i := range row {
				if rng.Float64() >= density {
					row[i] = 0
				}
			}
			half := cols / 2
			s.Add(0, row[:half])
			s.Add(half, row[half:])
			s.EndRow()
		}
	}
	w, bias, d := random(rng, cols*Panel), random(rng, Panel), random(rng, rows*Panel)

	want := Alloc(rows * Panel)
	multiplyGo(rows, 1, cols, x, cols, 1, 0, w, Panel, bias, 0, want, Panel)
	got, check := guarded(rows * Panel)
	s.MultiplyPanel(w, bias, got)
	check(t, what)
	for i := range want {
		if !near(float64(got[i]), float64(want[i]), 2e-5) {
			t.Fatalf("MultiplyPanel %s: element %d = %v, want %v", what, i, got[i], want[i])
		}
	}

	start := random(rng, cols*Panel)
	want = Alloc(cols * Panel)
	multiplyGo(cols, 1, rows, x, 1, cols, 0, d, Panel, start, Panel, want, Panel)
	got, check = guarded(cols * Panel)
	copy(got, start)
	s.AccumulatePanel(d, got)
	check(t, what)
	for i := range want {
		if !near(float64(got[i]), float64(want[i]), 2e-5) {
			t.Fatalf("AccumulatePanel %s: element %d = %v, want %v", what, i, got[i], want[i])
		}
	}
	checkPanels(t, rng, s, rows, cols, what)
	checkColumns(t, rng, s, rows, cols, what)
}

// checkPanels holds MultiplyPanels to MultiplyPanel, to the bit.
func checkPanels(t *testing.T, rng *rand.Rand, s *SparseRows, rows, cols int, what string) {
	t.Helper()
	const panels = 5
	wapart, capart := (cols+1)*Panel, (rows+2)*Panel
	w := random(rng, panels*wapart)
	bias := w[cols*Panel:]
	want := random(rng, panels*capart)
	got, check := guarded(panels * capart)
	copy(got, want)
	for p := range panels {
		s.MultiplyPanel(w[p*wapart:], bias[p*wapart:], want[p*capart:])
	}
	s.MultiplyPanels(panels, w, bias, wapart, got, capart)
	check(t, "MultiplyPanels")
	sameBits(t, "MultiplyPanels "+what, got, want)
}

// checkColumns holds AccumulatePanels to AccumulatePanel, to the bit.
func checkColumns(t *testing.T, rng *rand.Rand, s *SparseRows, rows, cols int, what string) {
	t.Helper()
	const panels = 7
	dapart, gapart := (rows+2)*Panel, (cols+1)*Panel
	d, want := random(rng, panels*dapart), random(rng, panels*gapart)
	got, check := guarded(panels * gapart)
	copy(got, want)
	for p := range panels {
		s.AccumulatePanel(d[p*dapart:], want[p*gapart:])
	}
	s.ByColumn(cols)
	s.AccumulatePanels(panels, d, dapart, got, gapart)
	check(t, what)
	sameBits(t, "AccumulatePanels "+what, got, want)
}

func TestColumnSumsAndDots5(t *testing.T) {
	forTiers(t, func(t *testing.T, k *kernels) {
		rng := rand.New(rand.NewPCG(7, 8))
		for _, rows := range lengths {
			x := random(rng, rows*Panel)
			want := make([]float32, Panel)
			columnSumsGo(rows, x, want)
			got, check := guarded(Panel)
			k.columnSums(rows, x, got)
			check(t, "ColumnSums")
			for j := range want {
				if !near(float64(got[j]), float64(want[j]), 1e-5) {
					t.Fatalf("ColumnSums of %d rows: %d = %v, want %v", rows, j, got[j], want[j])
				}
			}
			for _, panels := range []int{1, 2, 3, 8} {
				stride := (rows + 3) * Panel
				wstride := 5*Panel + 16*(rows%2)
				h, w, bias := random(rng, panels*stride), random(rng, panels*wstride), random(rng, 5)
				want := make([]float32, rows*5)
				dots5Go(rows, panels, h, stride, w, wstride, bias, want)
				got, check := guarded(rows * 5)
				k.dots5(rows, panels, h, stride, w, wstride, bias, got)
				check(t, "Dots5")
				for j := range want {
					if !near(float64(got[j]), float64(want[j]), 3e-5) {
						t.Fatalf("Dots5 of %d rows, %d panels: %d = %v, want %v", rows, panels, j, got[j], want[j])
					}
				}
			}
		}
	})
}

func TestGradients(t *testing.T) {
	for _, c := range []struct {
		name  string
		apply func(k *kernels, d, y []float32)
		want  func(d, y float64) float64
	}{
		{"SigmoidGradient", func(k *kernels, d, y []float32) { k.sigmoidGradient(d, y) },
			func(d, y float64) float64 { return d * y * (1 - y) }},
		{"TanhGradient", func(k *kernels, d, y []float32) { k.tanhGradient(d, y) },
			func(d, y float64) float64 { return d * (1 - y*y) }},
		{"ReLUGradient", func(k *kernels, d, y []float32) { k.reluGradient(d, y) }, func(d, y float64) float64 {
			if y > 0 {
				return d
			}
			return 0
		}},
		{"SquaredReLUGradient", func(k *kernels, d, y []float32) {
			for i := range y {
				y[i] *= y[i]
			}
			k.squaredReLUGradient(d, y)
		}, func(d, y float64) float64 { return d * 2 * math.Sqrt(y) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			forTiers(t, func(t *testing.T, k *kernels) {
				rng := rand.New(rand.NewPCG(11, 12))
				for _, n := range []int{16, 48, 1024} {
					d, y := random(rng, n), random(rng, n)
					y[3] = 0
					got, check := guarded(n)
					copy(got, d)
					c.apply(k, got, y)
					check(t, c.name)
					for i := range got {
						if want := c.want(float64(d[i]), float64(y[i])); !near(float64(got[i]), want, 1e-6) {
							t.Fatalf("d %v, y %v: %v, want %v", d[i], y[i], got[i], want)
						}
					}
				}
			})
		})
	}
}

// TestOptimizers runs some steps beside the formulas in double precision.
func TestOptimizers(t *testing.T) {
	forTiers(t, func(t *testing.T, k *kernels) {
		rng := rand.New(rand.NewPCG(13, 14))
		for _, n := range []int{16, 48, 1024} {
			checkAdam(t, k, rng, n)
			checkMomentum(t, k, rng, n)
		}
	})
}

func checkAdam(t *testing.T, k *kernels, rng *rand.Rand, n int) {
	t.Helper()
	w, check := guarded(n)
	copy(w, random(rng, n))
	m, v := Alloc(n), Alloc(n)
	w64, m64, v64 := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range w {
		w64[i] = float64(w[i])
	}
	const b1, b2, rate, eps, decay = 0.9, 0.999, 0.01, 1e-8, 0.1
	for step := 1; step <= 5; step++ {
		g := random(rng, n)
		g[0] = 0 // 0/(0+epsilon) in the first step
		if step == 1 {
			g[1] = 1e-12
		}
		c1, c2 := 1-math.Pow(b1, float64(step)), math.Sqrt(1-math.Pow(b2, float64(step)))
		k.adam(w, m, v, g, &AdamStep{Beta1: b1, Gain1: 1 - b1, Beta2: b2, Gain2: 1 - b2,
			MinusRate: float32(-rate * c2 / c1), Epsilon: float32(eps * c2), Keep: 1 - rate*decay})
		check(t, "Adam")
		for i := range w {
			x := float64(g[i])
			m64[i] = b1*m64[i] + (1-b1)*x
			v64[i] = b2*v64[i] + (1-b2)*x*x
			w64[i] -= rate * decay * w64[i]
			w64[i] -= rate * (m64[i] / c1) / (math.Sqrt(v64[i])/c2 + eps)
			if !near(float64(w[i]), w64[i], 1e-6*float64(step)) {
				t.Fatalf("Adam, step %d, element %d = %v, want %v", step, i, w[i], w64[i])
			}
		}
	}
}

func checkMomentum(t *testing.T, k *kernels, rng *rand.Rand, n int) {
	t.Helper()
	w, check := guarded(n)
	copy(w, random(rng, n))
	e, checkAverage := guarded(n)
	copy(e, w)
	m := Alloc(n)
	w64, m64, e64 := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range w {
		w64[i], e64[i] = float64(w[i]), float64(e[i])
	}
	for step := 1; step <= 5; step++ {
		g := random(rng, n)
		k.momentum(w, m, g, &MomentumStep{Momentum: 0.9, MinusRate: -0.05, Keep: 0.99})
		rate := float32(0.25)
		k.average(e, w, &rate)
		check(t, "Momentum")
		checkAverage(t, "Average")
		for i := range w {
			m64[i] = 0.9*m64[i] + float64(g[i])
			w64[i] = 0.99*w64[i] - 0.05*m64[i]
			e64[i] += 0.25 * (w64[i] - e64[i])
			if !near(float64(w[i]), w64[i], 2e-6) || !near(float64(e[i]), e64[i], 2e-6) {
				t.Fatalf("step %d, element %d = %v, average %v, want %v, %v", step, i, w[i], e[i], w64[i], e64[i])
			}
		}
	}
}

// TestAVXTiersAgree holds AVX2 and AVX-512 to the same bits in every kernel, in
// which processors may then share a training run.
func TestAVXTiersAgree(t *testing.T) {
	if cpu.Level() < cpu.AVX512 {
		t.Skip("no AVX-512")
	}
	const rows, in, batch = 37, 61, 3
	results := func(k *kernels) map[string][]float32 {
		rng := rand.New(rand.NewPCG(19, 20))
		x, w, b := random(rng, rows*in), random(rng, batch*in*Panel), random(rng, batch*Panel)
		for i := range x {
			x[i] *= float32(rng.IntN(2))
		}
		out := map[string][]float32{}
		result := func(name string, n int) []float32 {
			out[name] = random(rng, n)
			return out[name]
		}
		k.multiplyPanel(rows, in, x, in, 1, w, Panel, b, 0, result("product", rows*Panel), Panel)
		k.multiplyPanel(in, rows, x, 1, in, w, Panel, b, 0, result("transposed", in*Panel), Panel)
		k.columnSums(rows, w, result("column sums", Panel))
		k.dots5(rows, batch, w, in*Panel, w[5:], in*Panel-Panel, b, result("dots", rows*5))
		s := k.newSparseRows(rows, in)
		for r := range rows {
			s.Add(0, x[r*in:(r+1)*in])
			s.EndRow()
		}
		s.MultiplyPanel(w, b, result("sparse product", rows*Panel))
		s.AccumulatePanel(w, result("sparse gradient", in*Panel))
		const n = 1024
		k.sigmoidGradient(result("sigmoid gradient", n), w[:n])
		k.tanhGradient(result("tanh gradient", n), w[:n])
		k.reluGradient(result("relu gradient", n), w[:n])
		k.squaredReLUGradient(result("squared relu gradient", n), result("squares", n))
		m, v := result("first moment", n), result("second moment", n)
		for i := range v {
			v[i] *= v[i]
		}
		weights := result("adam", n)
		k.adam(weights, m, v, w[:n], &AdamStep{Beta1: 0.9, Gain1: 0.1, Beta2: 0.999, Gain2: 0.001,
			MinusRate: -1e-3, Epsilon: 1e-8, Keep: 0.999})
		k.momentum(result("momentum", n), result("velocity", n), w[:n], &MomentumStep{0.9, -1e-2, 0.999})
		rate := float32(0.01)
		k.average(result("average", n), weights, &rate)
		return out
	}
	want := results(tiers.At(cpu.AVX512))
	for name, got := range results(tiers.At(cpu.AVX2)) {
		for i := range got {
			if math.Float32bits(got[i]) != math.Float32bits(want[name][i]) {
				t.Errorf("%s: element %d is %x with AVX2, %x with AVX-512", name, i, got[i], want[name][i])
				break
			}
		}
	}
}

func TestPackUnpack(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	for _, n := range lengths {
		const k = 7
		b := random(rng, k*n)
		// Packed transposed and back.
		packed, check := guarded(Panels(k) * n * Panel)
		pack(packed, b, n, k, 1, n)
		check(t, "Pack")
		got := make([]float32, k*n)
		unpack(got, packed, n, k, 1, n)
		for i := range b {
			if got[i] != b[i] {
				t.Fatalf("n %d: element %d = %v, want %v", n, i, got[i], b[i])
			}
		}
		for i := 0; i < n; i++ {
			for j := k; j < Panel; j++ {
				if packed[i*Panel+j] != 0 {
					t.Fatalf("n %d: padding of row %d is %v", n, i, packed[i*Panel+j])
				}
			}
		}
	}
}

func TestAllocAligned(t *testing.T) {
	for n := 0; n < 200; n++ {
		s := Alloc(n)
		if len(s) != n || n > 0 && !aligned(s) {
			t.Fatalf("Alloc(%d): length %d, aligned %v", n, len(s), n > 0 && aligned(s))
		}
	}
}

func TestKernelsDoNotAllocate(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	a, b, c := random(rng, 64*64), random(rng, 64*Panel), random(rng, 64*Panel)
	s := NewSparseRows(64, 64)
	step := &AdamStep{Epsilon: 1}
	got := testing.AllocsPerRun(10, func() {
		MultiplyPanel(64, 64, a, 64, 1, b, Panel, b, 0, c, Panel)
		SigmoidGradient(b, c)
		Adam(a[:1024], b[:1024], b[:1024], c[:1024], step)
		s.Reset()
		s.Add(0, a[:64])
		s.EndRow()
		s.MultiplyPanel(b, b, c)
	})
	if got != 0 {
		t.Errorf("%v allocations", got)
	}
}

// MultiplyPanel is MultiplyPanels for one panel.
func (s *SparseRows) MultiplyPanel(w, bias, c []float32) { s.MultiplyPanels(1, w, bias, 0, c, 0) }
