package nets

import (
	"math"
	"math/rand/v2"
	"testing"

	"bgtrain/internal/bg"
	"bgtrain/internal/nn"
)

func sigmoids(seed uint64, sizes ...int) *nn.Net {
	return Random(rand.New(rand.NewPCG(seed, 0)), ByInputs, nn.Sigmoid, sizes...)
}

func TestRandom(t *testing.T) {
	limit := func(layer, inputs int) float64 { return float64(layer+1) / float64(inputs) }
	n := Random(rand.New(rand.NewPCG(1, 0)), limit, nn.ReLU, 100, 20, 10, 5)
	if err := n.Check(); err != nil || len(n.Layers) != 3 {
		t.Fatalf("%v, %d layers", err, len(n.Layers))
	}
	for i, want := range []struct {
		act   nn.Activation
		limit float64
	}{{nn.ReLU, 0.01}, {nn.ReLU, 0.1}, {nn.Sigmoid, 0.3}} {
		l := &n.Layers[i]
		most := 0.0
		for _, w := range l.Weights {
			most = max(most, math.Abs(float64(w)))
		}
		if l.Activation != want.act || most > want.limit*(1+1e-6) || most < want.limit*0.9 {
			t.Errorf("layer %d: %v, weights within %v, want %v within %v", i, l.Activation, most, want.act, want.limit)
		}
		for _, b := range l.Bias {
			if b != 0 {
				t.Errorf("layer %d: a threshold of %v", i, b)
			}
		}
	}
	one, again, other := sigmoids(1, 9, 5), sigmoids(1, 9, 5), sigmoids(2, 9, 5)
	if sameWeights(n, sigmoids(1, 100, 20, 10, 5)) || !sameWeights(one, again) || sameWeights(one, other) {
		t.Error("the weights do not follow the seed and the limit")
	}
}

func sameWeights(a, b *nn.Net) bool {
	for i := range a.Layers {
		for k, w := range a.Layers[i].Weights {
			if b.Layers[i].Weights[k] != w {
				return false
			}
		}
	}
	return true
}

func TestWidenKeepsTheFunction(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, hidden := range [][]int{{8}, {8, 6}} {
		n := sigmoids(1, append(append([]int{10}, hidden...), bg.NumOutputs)...)
		for layer := range hidden {
			wide, err := Widen(rand.New(rand.NewPCG(3, 7)), n, layer, 20)
			if err != nil {
				t.Fatal(err)
			}
			if err := wide.Check(); err != nil || wide.Layers[layer].Out != 20 {
				t.Fatalf("%v, %d units", err, wide.Layers[layer].Out)
			}
			x := make([]float32, 10)
			for range 20 {
				for i := range x {
					x[i] = float32(rng.NormFloat64())
				}
				a, b := evaluate(t, n, x), evaluate(t, wide, x)
				for k := range a {
					if math.Abs(float64(a[k]-b[k])) > 1e-6 {
						t.Fatalf("outputs %v, were %v", b, a)
					}
				}
			}
		}
	}
	n := sigmoids(1, 10, 8, bg.NumOutputs)
	if _, err := Widen(rand.New(rand.NewPCG(1, 7)), n, 0, 7); err == nil {
		t.Error("narrowed")
	}
	if _, err := Widen(rand.New(rand.NewPCG(1, 7)), n, 1, 9); err == nil {
		t.Error("widened the output layer")
	}
	// The new units can learn: their outgoing weights get a gradient at once.
	wide, err := Widen(rand.New(rand.NewPCG(1, 7)), n, 0, 16)
	if err != nil {
		t.Fatal(err)
	}
	units := map[float32]bool{}
	for _, w := range wide.Layers[0].Weights {
		units[w] = true
	}
	if len(units) < 150 {
		t.Errorf("only %d different incoming weights", len(units))
	}
}

func evaluate(t *testing.T, n *nn.Net, x []float32) []float32 {
	t.Helper()
	c, err := nn.Compile(n)
	if err != nil {
		t.Fatal(err)
	}
	in, out := make([]float32, c.Stride()), make([]float32, c.Outputs())
	copy(in, x)
	c.Eval(c.NewScratch(), in, 1, out)
	return out
}
