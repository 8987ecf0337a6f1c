package gemm

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func kernelsOfBFloat(t testing.TB) *Squares {
	s := bfloat()
	if s == nil {
		t.Skip("this processor has no AMX")
	}
	return s
}

func BenchmarkSquares(b *testing.B) {
	s := kernelsOfBFloat(b)
	rng := rand.New(rand.NewPCG(1, 1))
	for _, steps := range []int{8, 16, 32} {
		const groups = 4
		a, w := AllocSquares(groups*steps), AllocSquares(steps)
		for _, m := range [][]uint16{a, w} {
			s.Round(len(m)/Square, random(rng, len(m)), m, Square)
		}
		c, zero := Alloc(groups*SquareSize), Alloc(Panel)
		b.Run("Multiply", func(b *testing.B) {
			for b.Loop() {
				s.Multiply(groups, steps, a, groups*SquareSize, SquareSize, w, zero, c)
			}
			reportFlops(b, 2*groups*steps*Square*SquareSize)
		})
	}
	n := 64
	x, r, p := random(rng, n*SquareSize), AllocSquares(n), AllocSquares(n)
	for _, c := range []struct {
		name string
		run  func()
	}{
		{"Round", func() { s.Round(n*Square, x, r, Square) }},
		{"Pair", func() { s.Pair(n, r, p) }},
		{"Turn", func() { s.Turn(n, p, r, SquareSize) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				c.run()
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/float64(n), "ns/square")
		})
	}
}

func TestSquares(t *testing.T) {
	k := kernelsOfBFloat(t)
	rng := rand.New(rand.NewPCG(2, 3))
	for _, spread := range []float64{0, 1, 30} {
		const groups, steps = 2, 3
		number := func() float32 {
			return float32(rng.NormFloat64() * math.Exp2(spread*rng.NormFloat64()))
		}
		x := make([]float32, groups*steps*SquareSize)
		for i := range x {
			x[i] = number()
		}
		var results [2][]any
		for i, s := range []*Squares{&Portable, k} {
			rows, pairs, turned := AllocSquares(groups*steps), AllocSquares(groups*steps), AllocSquares(groups*steps)
			s.Round(groups*steps*Square, x, rows, Square)
			s.Pair(groups*steps, rows, pairs)
			s.Turn(groups*steps, pairs, turned, SquareSize)
			c := Alloc(groups * SquareSize)
			s.Multiply(groups, steps, rows, groups*SquareSize, SquareSize, pairs, x, c)
			results[i] = []any{rows, pairs, turned, c}
		}
		for j, name := range []string{"Round", "Pair", "Turn"} {
			if !slices.Equal(results[0][j].([]uint16), results[1][j].([]uint16)) {
				t.Errorf("spread %v: %s differs", spread, name)
			}
		}
		want, got := results[0][3].([]float32), results[1][3].([]float32)
		bad := 0
		for i := range want {
			if want[i] != got[i] && (want[i] == want[i] || got[i] == got[i]) {
				if bad++; bad < 5 {
					t.Errorf("spread %v: product %d is %v, want %v", spread, i, got[i], want[i])
				}
			}
		}
		t.Log(bad, "of", len(want))
	}
}
