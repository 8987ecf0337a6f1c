package nn

import (
	"math"
	"math/rand/v2"
	"testing"

	"bgtrain/internal/cpu"
)

// awkward replaces some values by zeros of both signs and by numbers whose
// products vanish.
func awkward(rng *rand.Rand, x []float32) {
	values := []float32{0, float32(math.Copysign(0, -1)), 1e-45, -1e-45, 1e-30, -1e-30}
	for i := range x {
		if x[i] != 0 && rng.IntN(4) == 0 {
			x[i] = values[rng.IntN(len(values))]
		}
	}
}

// TestResultDependsOnVectorOnly: a vector's result is the same to the bit in
// every batch, at every place, and with a Scratch used before by another net.
func TestResultDependsOnVectorOnly(t *testing.T) {
	const vectors = 60
	for _, tier := range cpu.Tiers() {
		for act := range numActivations {
			for _, sizes := range [][]int{{40, 20, 5}, {250, 127, 5}, {250, 128, 5}, {33, 70, 40, 3}, {30, 7}, {20, 48}} {
				rng := rand.New(rand.NewPCG(7, uint64(act)))
				net := randomNet(rng, act, sizes...)
				for k := range net.Layers {
					awkward(rng, net.Layers[k].Weights)
					awkward(rng, net.Layers[k].Bias)
				}
				c := compile(t, net, tier)
				x := sparse(rng, vectors, c.Inputs(), c.Stride())
				awkward(rng, x)
				clear(x[3*c.Stride():][:c.Inputs()]) // a vector of zeros
				alone := make([]float32, 0, vectors*c.Outputs())
				for v := range vectors {
					alone = append(alone, eval(c, x[v*c.Stride():], 1)...)
				}
				s := compile(t, randomNet(rng, Tanh, 10, 20, 3), tier).NewScratch()
				for n := 1; n <= vectors; n++ {
					first := rng.IntN(vectors - n + 1)
					out := make([]float32, n*c.Outputs())
					c.Eval(s, x[first*c.Stride():], n, out)
					for i, got := range out {
						if want := alone[first*c.Outputs()+i]; math.Float32bits(got) != math.Float32bits(want) {
							t.Fatalf("%v %s, %d vectors from %d: value %d is %x, alone %x",
								tier, netShape(net), n, first, i, got, want)
						}
					}
				}
			}
		}
	}
}

func TestEvalAllocatesNothing(t *testing.T) {
	for _, tier := range cpu.Tiers() {
		rng := rand.New(rand.NewPCG(1, 1))
		for _, sizes := range [][]int{{250, 128, 5}, {60, 40, 70, 20}} {
			c := compile(t, randomNet(rng, SigmoidGNUbg, sizes...), tier)
			x := sparse(rng, 50, c.Inputs(), c.Stride())
			out := make([]float32, 50*c.Outputs())
			s := c.NewScratch()
			for _, n := range []int{0, 1, 20, 50} {
				if a := testing.AllocsPerRun(10, func() { c.Eval(s, x, n, out) }); a != 0 {
					t.Errorf("%v %v, %d vectors: %v allocations", tier, sizes, n, a)
				}
			}
		}
	}
}

func TestCompileUsesLevel(t *testing.T) {
	c, err := Compile(randomNet(rand.New(rand.NewPCG(1, 1)), ReLU, 3, 2))
	if err != nil {
		t.Fatal(err)
	}
	if c.kernels != tiers.At(cpu.Level()) {
		t.Errorf("compiled for another tier than %v", cpu.Level())
	}
}
