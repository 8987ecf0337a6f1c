package backprop

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bgtrain/internal/nn"
)

// TestMuonStepsAreOrthogonal: of a step by Muon, S, the shorter side's products, S·Sᵀ, are
// those of a matrix with singular values of about 1, wherever the gradient has no zero
// rows, for layers that are wide, high and of sizes that fill no square.
func TestMuonStepsAreOrthogonal(t *testing.T) {
	for _, p := range []Precision{Float32, BFloat16} {
		t.Run(p.String(), func(t *testing.T) { checkMuonStep(t, p) })
	}
}

// TestMuonStepsByOneDirection: rows that are all alike have gradients of rank one, whose singular value is as great
// as the bound that the iterations take. Rounding must not make it greater and greater.
func TestMuonStepsByOneDirection(t *testing.T) {
	const rows, rate = 256, 0.01
	for _, p := range []Precision{Float32, BFloat16} {
		for seed := range uint64(4) {
			rng := rand.New(rand.NewPCG(43, seed))
			net := randomNet(rng, nn.ReLU, 1, 250, 160, 64, 5)
			e, err := New(net, Options{Batch: rows, Workers: 2, Loss: testLosses[0], Precision: p, squares: halfKernels(),
				Optimizer: Optimizer{Kind: Muon, Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8, Momentum: 0.9}})
			if err != nil {
				t.Fatal(err)
			}
			d := randomData(rng, 1, 250, 1)
			for len(d.x) < rows {
				d.x, d.targets = append(d.x, d.x[0]), append(d.targets, d.targets[0])
				d.weights, d.sibling = append(d.weights, 1), append(d.sibling, false)
			}
			e.Train(d, rows, rate)
			after := e.Net()
			for k := range after.Layers[:2] {
				l := &after.Layers[k]
				step := make([]float64, len(l.Weights))
				for i, w := range l.Weights {
					step[i] = (float64(w) - float64(net.Layers[k].Weights[i])) /
						(rate * 0.2 * math.Sqrt(float64(max(l.In, l.Out))))
				}
				if most := greatest(step, l.In, l.Out); !(most > 0.7 && most < 1.3) {
					t.Errorf("%v, seed %d, layer %d: greatest singular value %.2f", p, seed, k, most)
				}
			}
			e.Close()
		}
	}
}

func checkMuonStep(t *testing.T, precision Precision) {
	const rows, rate = 256, 0.01
	rng := rand.New(rand.NewPCG(41, 42))
	widths := []int{50, 70, 33, 5}
	net := randomNet(rng, nn.Tanh, 1, widths...)
	e, err := New(net, Options{Batch: rows, Workers: 2, Loss: testLosses[0], Precision: precision, squares: halfKernels(),
		Optimizer: Optimizer{Kind: Muon, Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8, Momentum: 0.9}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	e.Train(randomData(rng, rows, widths[0], 1), rows, rate)
	after, mean := e.Net(), e.NetOf(e.First)
	for k := range after.Layers[:2] {
		l := &after.Layers[k]
		size := rate * 0.2 * math.Sqrt(float64(max(l.In, l.Out)))
		step := make([]float64, len(l.Weights))
		for i, w := range l.Weights {
			step[i] = (float64(w) - float64(net.Layers[k].Weights[i])) / size
		}
		if precision == Float32 {
			checkIterations(t, mean.Layers[k].Weights, step, l.In, l.Out)
		}
		// Power iterations find the greatest singular value; all squares' sum is the
		// number of singular values times their mean square.
		var square float64
		for _, s := range step {
			square += s * s
		}
		if mean := math.Sqrt(square / float64(min(l.In, l.Out))); mean < 0.7 || mean > 1.1 {
			t.Errorf("layer %d: singular values of %.2f", k, mean)
		}
		if most := greatest(step, l.In, l.Out); most > 1.3 {
			t.Errorf("layer %d: greatest singular value %.2f", k, most)
		}
	}
	// A gradient of zero steps nothing.
	before := slices.Clone(e.Weights)
	clear(e.First)
	clear(e.Second)
	none := randomData(rng, rows, widths[0], 1)
	clear(none.weights)
	e.Train(none, rows, rate)
	if !slices.Equal(before, e.Weights) {
		t.Error("rows without weight change weights")
	}
}

// checkIterations compares the step after the first gradient, of which mean is a tenth, with
// the iterations in double precision.
func checkIterations(t *testing.T, mean []float32, step []float64, rows, columns int) {
	t.Helper()
	z := make([]float64, len(mean))
	for i, x := range mean {
		z[i] = float64(x)
	}
	// times returns x·y for an x of n columns, the transpose of the one given or not.
	times := func(x func(i, k int) float64, high, n int, y func(k, j int) float64, wide int) []float64 {
		c := make([]float64, high*wide)
		for i := range high {
			for j := range wide {
				for k := range n {
					c[i*wide+j] += x(i, k) * y(k, j)
				}
			}
		}
		return c
	}
	transposed := func(k, j int) float64 { return z[j*columns+k] }
	squares := 0.0
	for _, x := range times(func(i, k int) float64 { return z[i*columns+k] }, rows, columns, transposed, rows) {
		squares += x * x
	}
	for i := range z {
		z[i] /= math.Pow(squares, 0.25)
	}
	for _, q := range iterations {
		at := func(i, j int) float64 { return z[i*columns+j] }
		g := times(at, rows, columns, transposed, rows)
		gram := func(i, j int) float64 { return g[i*rows+j] }
		g2 := times(gram, rows, rows, gram, rows)
		z = times(func(i, k int) float64 {
			p := float64(q.b)*g[i*rows+k] + float64(q.c)*g2[i*rows+k]
			if i == k {
				p += float64(q.a)
			}
			return p
		}, rows, rows, at, columns)
	}
	for i, want := range z {
		if math.Abs(-step[i]-want) > 1e-4 {
			t.Fatalf("%d×%d: the step's element %d is %v, want %v", rows, columns, i, -step[i], want)
		}
	}
}

// greatest is the greatest singular value of a matrix.
func greatest(a []float64, rows, columns int) float64 {
	x, y := make([]float64, columns), make([]float64, rows)
	for i := range x {
		x[i] = 1 + 0.1*float64(i%7)
	}
	size := 0.0
	for range 50 {
		length := 0.0
		for _, v := range x {
			length += v * v
		}
		length = math.Sqrt(length)
		for i := range x {
			x[i] /= length
		}
		size = 0
		for i := range y {
			y[i] = 0
			for j, v := range x {
				y[i] += a[i*columns+j] * v
			}
			size += y[i] * y[i]
		}
		for j := range x {
			x[j] = 0
			for i, v := range y {
				x[j] += a[i*columns+j] * v
			}
		}
	}
	return math.Sqrt(size)
}
