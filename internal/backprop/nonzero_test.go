package backprop

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bgtrain/internal/gemm"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
)

// quiet makes each rectified unit of a net active on a fifth of the rows.
func quiet(t testing.TB, net *nn.Net, rows [][]float32) {
	t.Helper()
	input := func(row int, x []float32) error { copy(x, rows[row]); return nil }
	if err := nets.Quiet(net, nets.Rows{N: len(rows), Input: input}, 0.2); err != nil {
		t.Fatal(err)
	}
}

// TestNonzeros: products with a matrix are the same whichever of its rows are listed.
func TestNonzeros(t *testing.T) {
	const width, rows, batch, panels = 150, 4*slabRows + 30, 6 * slabRows, 3
	densities := []float64{0.1, 0.6, 0.7, 0.2, 0.1}
	listed := []bool{true, false, false, true, true}
	rng := rand.New(rand.NewPCG(21, 22))
	apart := batch * gemm.Panel
	random := func(n int) []float32 {
		x := gemm.Alloc(n)
		for i := range x {
			x[i] = float32(rng.NormFloat64())
		}
		return x
	}
	a := gemm.Alloc(gemm.Panels(width) * apart)
	for r := range rows {
		for i := range width {
			if rng.Float64() < densities[r/slabRows] {
				a[i/gemm.Panel*apart+r*gemm.Panel+i%gemm.Panel] = rng.Float32()
			}
		}
	}
	z := newNonzeros(&layer{out: width, panels: gemm.Panels(width), activation: nn.ReLU}, batch)
	z.list(0, rows, width, a, apart, true)
	if !slices.Equal(z.listed[:len(listed)], listed) {
		t.Fatalf("listed %v, want %v", z.listed, listed)
	}
	check := func(what string, got, want []float32) {
		t.Helper()
		for i := range want {
			if math.Abs(float64(got[i]-want[i])) > 1e-4 {
				t.Fatalf("%s: element %d is %v, dense %v", what, i, got[i], want[i])
			}
		}
	}
	var dense *nonzeros
	gapart := (width + 1) * gemm.Panel
	w := random(panels * gapart)
	bias := w[width*gemm.Panel:]
	for _, lo := range []int{0, slabRows, 3 * slabRows} {
		got, want := gemm.Alloc(panels*apart), gemm.Alloc(panels*apart)
		z.multiply(lo, rows-lo, width, panels, a, apart, w, bias, gapart, got)
		dense.multiply(lo, rows-lo, width, panels, a, apart, w, bias, gapart, want)
		check("multiply", got, want)
	}
	d, zeros := random(panels*apart), gemm.Alloc(gemm.Panel)
	got, want := random(panels*gapart), gemm.Alloc(panels*gapart)
	z.gradient(rows, width, panels, a, d, apart, got, gapart, zeros)
	dense.gradient(rows, width, panels, a, d, apart, want, gapart, zeros)
	for p := range panels {
		check("gradient", got[p*gapart:][:width*gemm.Panel], want[p*gapart:][:width*gemm.Panel])
	}
}

// TestQuietUnits: steps of a net of which a fifth is active, listed, are near those of the same net as if
// it were dense, and the same to the bit for any number of workers.
func TestQuietUnits(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	net := randomNet(rng, nn.ReLU, 1, 30, 150, 140, 40, 5)
	d := randomData(rng, 200, 30, 0.5)
	quiet(t, net, d.x)
	train := func(kind OptimizerKind, workers int, dense bool) []float32 {
		e, err := New(net, Options{Batch: 256, Workers: workers, Loss: testLosses[0],
			Optimizer: Optimizer{Kind: kind, Epsilon: 1e-8, Momentum: 0.9}})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		if dense {
			clear(e.active)
			clear(e.wrong)
		}
		for range 3 {
			e.Train(d, 200, 0.001)
		}
		for _, z := range []*nonzeros{e.active[0], e.active[1], e.wrong[1]} {
			if !dense && slices.Contains(z.listed[:4], false) {
				t.Fatalf("listed %v", z.listed)
			}
		}
		if got := testing.AllocsPerRun(3, func() { e.Train(d, 200, 0.001) }); got != 0 {
			t.Errorf("%v allocations a step", got)
		}
		return e.Weights
	}
	want := train(Muon, 1, false)
	for workers := 2; workers <= 3; workers++ {
		if !slices.Equal(train(Muon, workers, false), want) {
			t.Errorf("%d workers give other weights than 1", workers)
		}
	}
	want = train(Momentum, 1, true)
	for i, w := range train(Momentum, 1, false) {
		if math.Abs(float64(w-want[i])) > 1e-5 {
			t.Fatalf("weight %d is %v, of a dense net %v", i, w, want[i])
		}
	}
}
