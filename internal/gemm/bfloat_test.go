package gemm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// names of the kernels of bfloat16, by what they are held to.
var bfloatNames = map[*Squares]string{&Tiles: "amx", &Dots: "avx512_bf16"}

// BenchmarkSquares is the product of 128 rows, as a worker takes them, with a panel.
func BenchmarkSquares(b *testing.B) {
	for _, s := range bfloats() {
		b.Run(bfloatNames[s.Portable()], func(b *testing.B) { benchmarkSquares(b, s) })
	}
}

func benchmarkSquares(b *testing.B, s *Squares) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, steps := range []int{8, 16, 32} {
		const groups = 4
		a, w := AllocSquares(groups*steps), AllocSquares(steps)
		for _, m := range [][]uint16{a, w} {
			s.Round(len(m)/Square, random(rng, len(m)), m, Square)
		}
		c, zero := Alloc(groups*SquareSize), Alloc(Panel)
		b.Run(fmt.Sprint("Multiply/columns=", steps*Square), func(b *testing.B) {
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

// TestSquaresAgree: the processor's kernels give what those in Go give, to the bit, also
// where sums cancel, vanish below the normal numbers or overflow.
func TestSquaresAgree(t *testing.T) {
	for _, s := range bfloats() {
		t.Run(bfloatNames[s.Portable()], func(t *testing.T) { checkSquares(t, s) })
	}
}

func checkSquares(t *testing.T, k *Squares) {
	rng := rand.New(rand.NewPCG(2, 3))
	for _, c := range []struct{ spread, exponent float64 }{{0, 0}, {1, 0}, {8, 0}, {30, 0}, {1, -62}, {4, -60}, {2, 62}} {
		const groups, steps = 3, 5
		x := make([]float32, groups*steps*SquareSize)
		for i := range x {
			x[i] = float32(rng.NormFloat64() * math.Exp2(c.spread*rng.NormFloat64()+c.exponent))
		}
		type result struct {
			rows, pairs, turned []uint16
			c                   []float32
		}
		var results [2]result
		for i, s := range []*Squares{k.Portable(), k} {
			n := groups * steps
			r := result{AllocSquares(n), AllocSquares(n), AllocSquares(n), Alloc(groups * SquareSize)}
			s.Round(n*Square, x, r.rows, Square)
			s.Pair(n, r.rows, r.pairs)
			s.Turn(n, r.pairs, r.turned, SquareSize)
			s.Multiply(groups, steps, r.rows, groups*SquareSize, SquareSize, r.pairs, x, r.c)
			results[i] = r
		}
		want, got := &results[0], &results[1]
		if !slices.Equal(want.rows, got.rows) || !slices.Equal(want.pairs, got.pairs) ||
			!slices.Equal(want.turned, got.turned) {
			t.Errorf("%+v: other squares", c)
		}
		for i, w := range want.c {
			nan := w != w && got.c[i] != got.c[i]
			if math.Float32bits(w) != math.Float32bits(got.c[i]) && !nan {
				t.Fatalf("%+v: product %d is %v, want %v", c, i, got.c[i], w)
			}
		}
	}
}

// TestSquaresMultiply compares with the product in double precision.
func TestSquaresMultiply(t *testing.T) {
	for _, s := range []*Squares{&Tiles, &Dots} {
		t.Run(bfloatNames[s], func(t *testing.T) { checkSquaresMultiply(t, s) })
	}
}

func checkSquaresMultiply(t *testing.T, s *Squares) {
	rng := rand.New(rand.NewPCG(4, 5))
	const steps = 2 // A is 32×64, B 64×32
	a, b := random(rng, steps*SquareSize), random(rng, steps*SquareSize)
	rows, pairs, init, c := AllocSquares(steps), AllocSquares(steps), random(rng, Panel), Alloc(SquareSize)
	s.Round(steps*Square, a, rows, Square)
	w := AllocSquares(steps)
	s.Round(steps*Square, b, w, Square)
	s.Pair(steps, w, pairs)
	s.Multiply(1, steps, rows, SquareSize, SquareSize, pairs, init, c)
	for i := range Square {
		for j := range Square {
			want := float64(init[j])
			for k := range steps * Square {
				at := k/Square*SquareSize + i*Square + k%Square
				want += float64(wide(rows[at])) * float64(wide(w[k*Square+j]))
			}
			if got := float64(c[i*Panel+j]); math.Abs(got-want) > 1e-5*(1+math.Abs(want)) {
				t.Fatalf("row %d, column %d is %v, want %v", i, j, got, want)
			}
		}
	}
	// Transposed: the rows of Aᵀ are its pairs, turned.
	turned := AllocSquares(1)
	s.Pair(1, rows, pairs)
	s.Turn(1, pairs, turned, 0)
	for i := range SquareSize {
		if turned[i] != rows[i%Square*Square+i/Square] {
			t.Fatalf("value %d of the transpose is another", i)
		}
	}
}

func TestRound(t *testing.T) {
	x, to := Alloc(Panel), make([]uint16, Square)
	for _, c := range []struct {
		in   uint32
		want uint16
	}{
		{0x3f800000, 0x3f80}, {0x3f808000, 0x3f80}, {0x3f808001, 0x3f81}, {0x3f818000, 0x3f82}, {0xbf818000, 0xbf82},
		{0x3fffffff, 0x4000}, {0x80000000, 0x8000}, {0x7f800000, 0x7f80}, {0x7f7fffff, 0x7f80}, {0x00018000, 0x0002},
	} {
		x[3] = math.Float32frombits(c.in)
		Tiles.Round(1, x, to, Square)
		if to[3] != c.want {
			t.Errorf("%08x gives %04x, want %04x", c.in, to[3], c.want)
		}
	}
	clear(x)
	x[5] = float32(math.NaN())
	Tiles.Round(1, x, to, Square)
	if v := wide(to[5]); v == v {
		t.Errorf("NaN becomes %v", v)
	}
}
