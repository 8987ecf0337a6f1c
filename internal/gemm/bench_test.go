package gemm

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"

	"bgtrain/internal/cpu"
)

func aligned(s []float32) bool { return uintptr(unsafe.Pointer(&s[0]))%64 == 0 }

func benchTiers(b *testing.B, bench func(b *testing.B, k *kernels)) {
	for _, tr := range cpu.Tiers() {
		b.Run(tr.String(), func(b *testing.B) {
			b.ReportAllocs()
			bench(b, tiers.At(tr))
		})
	}
}

func reportFlops(b *testing.B, perOp int) {
	b.ReportMetric(float64(b.N)*float64(perOp)/b.Elapsed().Seconds()/1e9, "GFLOPS")
}

// The products of training a 250-256-5 net in batches of 512.
const (
	benchBatch, benchIn, benchOut = 512, 250, 256
	benchFlops                    = 2 * benchBatch * benchIn * benchOut
)

func BenchmarkForward(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	x, w, bias := random(rng, benchBatch*benchIn), random(rng, benchIn*benchOut), random(rng, benchOut)
	z := Alloc(benchBatch * benchOut)
	benchTiers(b, func(b *testing.B, k *kernels) {
		for i := 0; i < b.N; i++ {
			for p := 0; p < Panels(benchOut); p++ {
				k.multiplyPanel(benchBatch, benchIn, x, benchIn, 1, w[p*benchIn*Panel:], Panel,
					bias[p*Panel:], 0, z[p*benchBatch*Panel:], Panel)
			}
		}
		reportFlops(b, benchFlops)
	})
}

func BenchmarkWeightGradient(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	x, d := random(rng, benchBatch*benchIn), random(rng, benchBatch*benchOut)
	g, zero := Alloc(benchIn*benchOut), Alloc(Panel)
	benchTiers(b, func(b *testing.B, k *kernels) {
		for i := 0; i < b.N; i++ {
			for p := 0; p < Panels(benchOut); p++ {
				k.multiplyPanel(benchIn, benchBatch, x, 1, benchIn, d[p*benchBatch*Panel:], Panel,
					zero, 0, g[p*benchIn*Panel:], Panel)
			}
		}
		reportFlops(b, benchFlops)
	})
}

// BenchmarkSparse has the density of real inputs; its GFLOPS are those that the
// dense product would need for the same time.
func BenchmarkSparse(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	x, d := Alloc(benchBatch*benchIn), random(rng, benchBatch*benchOut)
	for i := range x {
		if rng.Float64() < 80./250 {
			x[i] = 1
		}
	}
	w, bias := random(rng, benchIn*benchOut), random(rng, benchOut)
	s := NewSparseRows(benchBatch, benchIn)
	appendAll := func(k *kernels) {
		s.tier = k
		s.Reset()
		for r := 0; r < benchBatch; r++ {
			s.Add(0, x[r*benchIn:(r+1)*benchIn])
			s.EndRow()
		}
	}
	b.Run("Append", func(b *testing.B) {
		benchTiers(b, func(b *testing.B, k *kernels) {
			for i := 0; i < b.N; i++ {
				appendAll(k)
			}
			b.ReportMetric(float64(b.N)*benchBatch/b.Elapsed().Seconds(), "rows/s")
		})
	})
	b.Run("Forward", func(b *testing.B) {
		benchTiers(b, func(b *testing.B, k *kernels) {
			appendAll(k)
			b.ResetTimer()
			for i := 0; i < b.N; i++ {
				for p := 0; p < Panels(benchOut); p++ {
					s.MultiplyPanel(w[p*benchIn*Panel:], bias[p*Panel:], d[p*benchBatch*Panel:])
				}
			}
			reportFlops(b, benchFlops)
		})
	})
	b.Run("WeightGradient", func(b *testing.B) {
		benchTiers(b, func(b *testing.B, k *kernels) {
			appendAll(k)
			b.ResetTimer()
			for i := 0; i < b.N; i++ {
				for p := 0; p < Panels(benchOut); p++ {
					s.AccumulatePanel(d[p*benchBatch*Panel:], w[p*benchIn*Panel:])
				}
			}
			reportFlops(b, benchFlops)
		})
	})
}

// BenchmarkGonum is the same product by gonum's blas32, for comparison.
func BenchmarkGonum(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	general := func(r, c int) blas32.General {
		return blas32.General{Rows: r, Cols: c, Stride: c, Data: random(rng, r*c)}
	}
	x, w, z := general(benchBatch, benchIn), general(benchIn, benchOut), general(benchBatch, benchOut)
	for i := 0; i < b.N; i++ {
		blas32.Gemm(blas.NoTrans, blas.NoTrans, 1, x, w, 0, z)
	}
	reportFlops(b, benchFlops)
}

func BenchmarkVector(b *testing.B) {
	const n = 8192
	rng := rand.New(rand.NewPCG(1, 1))
	w, m, v, g := random(rng, n), Alloc(n), Alloc(n), random(rng, n)
	rate := float32(0.01)
	adam := &AdamStep{Beta1: 0.9, Gain1: 0.1, Beta2: 0.999, Gain2: 0.001, MinusRate: -1e-3, Epsilon: 1e-8, Keep: 1}
	momentum := &MomentumStep{Momentum: 0.9, MinusRate: -1e-3, Keep: 1}
	for _, c := range []struct {
		name string
		run  func(k *kernels)
	}{
		{"SigmoidGradient", func(k *kernels) { k.sigmoidGradient(v, m) }},
		{"Adam", func(k *kernels) { k.adam(w, m, v, g, adam) }},
		{"Momentum", func(k *kernels) { k.momentum(w, m, g, momentum) }},
		{"Average", func(k *kernels) { k.average(m, w, &rate) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			benchTiers(b, func(b *testing.B, k *kernels) {
				clear(m)
				clear(v)
				for i := 0; i < b.N; i++ {
					c.run(k)
				}
				b.ReportMetric(float64(b.N)*n/b.Elapsed().Seconds()/1e9, "Gelem/s")
			})
		})
	}
}
