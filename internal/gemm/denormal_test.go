package gemm

import (
	"math"
	"math/rand/v2"
	"testing"
)

// denormal reports whether x is below the normal numbers and not 0.
func denormal(x float32) bool { return x != 0 && flush(x) == 0 }

// TestNoDenormals: kernels whose results are products of 1e-20 and 1e-20, or are near the
// smallest normal number, write normal numbers and zeros.
func TestNoDenormals(t *testing.T) {
	const rows, columns = 17, 40
	forTiers(t, func(t *testing.T, k *kernels) {
		rng := rand.New(rand.NewPCG(51, 52))
		tiny := func(n int, size float32) []float32 {
			x := random(rng, n)
			for i := range x {
				x[i] *= size
			}
			return x
		}
		a, b := tiny(rows*columns, 1e-20), tiny(columns*Panel, 1e-20)
		d, zero := tiny(rows*Panel, 1e-20), Alloc(max(rows, columns)*Panel)
		s := k.newSparseRows(rows, columns)
		for r := range rows {
			s.Add(0, a[r*columns:][:columns])
			s.EndRow()
		}
		s.ByColumn(columns)
		results := map[string][]float32{}
		result := func(name string, n int) []float32 {
			results[name] = Alloc(n)
			return results[name]
		}
		k.multiplyPanel(rows, columns, a, columns, 1, b, Panel, zero, 0, result("multiplyPanel", rows*Panel), Panel)
		k.multiplyPanels(rows, 32, d, 0, b, zero, 0, result("multiplyPanels", rows*Panel))
		k.columnSums(rows, tiny(rows*Panel, 1e-38), result("columnSums", Panel))
		k.dots5(rows, 1, d, 0, b, 0, zero, result("dots5", rows*5))
		s.MultiplyPanels(1, b, zero, 0, result("sparseMultiply", rows*Panel), 0)
		s.AccumulatePanel(d, result("sparseAccumulate", columns*Panel))
		s.AccumulatePanels(4, d, 0, result("columnAccumulate", 4*columns*Panel), columns*Panel)
		k.sigmoidGradient(copied(result("sigmoidGradient", len(d)), d), tiny(len(d), 1e-20))
		k.tanhGradient(copied(result("tanhGradient", len(d)), tiny(len(d), 1e-38)), tiny(len(d), 0.9))
		w, rate := tiny(len(d), 1e-38), float32(1e-3)
		m, v := tiny(len(d), 1e-37), tiny(len(d), 1e-37)
		for i, x := range v {
			v[i] = max(x, -x)
		}
		k.adam(copied(result("weights of Adam", len(w)), w), copied(result("first moments", len(w)), m),
			copied(result("second moments", len(w)), v), d,
			&AdamStep{Beta1: 0.01, Gain1: 1e-18, Beta2: 0.01, Gain2: 1, MinusRate: -1e-38, Epsilon: 1, Keep: 0.5})
		k.momentum(copied(result("weights of Momentum", len(w)), w), copied(result("velocity", len(w)), m),
			tiny(len(d), 1e-38), &MomentumStep{Momentum: 0.01, MinusRate: -0.01, Keep: 0.5})
		k.average(copied(result("average", len(w)), w), tiny(len(w), 1e-38), &rate)
		for name, values := range results {
			zeros := 0
			for i, x := range values {
				if denormal(x) {
					t.Fatalf("%s: element %d is %v", name, i, x)
				}
				if x == 0 {
					zeros++
				}
			}
			if zeros == 0 {
				t.Errorf("%s: no result is small enough to try this", name)
			}
		}
	})
}

func copied(to, from []float32) []float32 {
	copy(to, from)
	return to
}

// TestKernelsLeaveDenormals: what runs after a kernel has denormal numbers as before.
func TestKernelsLeaveDenormals(t *testing.T) {
	x, sum := Alloc(Panel), Alloc(Panel)
	ColumnSums(1, x, sum)
	x[0] = 1e-30
	if half := x[0] * float32(math.Ldexp(1, -33)); !denormal(half) {
		t.Errorf("1e-30 / 2^33 = %v after a kernel", half)
	}
}
