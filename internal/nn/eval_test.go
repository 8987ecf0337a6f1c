package nn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"bgtrain/internal/cpu"
)

// sparse returns n vectors, stride apart, in which about a third is not zero; as
// with real inputs, most of the first half are powers of two.
func sparse(rng *rand.Rand, n, inputs, stride int) []float32 {
	x := make([]float32, n*stride)
	for v := range n {
		for i := range inputs {
			if rng.IntN(3) == 0 {
				x[v*stride+i] = float32(rng.NormFloat64())
				if i < inputs/2 && rng.IntN(200) > 0 {
					x[v*stride+i] = float32(math.Ldexp(1, rng.IntN(3)-1))
				}
			}
		}
	}
	return x
}

// shapes returns sizes of nets: all numbers of hidden units up to 70, one to
// three layers, with blocks and without.
func shapes() [][]int {
	s := [][]int{{1, 1}, {250, 5}, {17, 15}, {33, 16}, {40, 17}, {64, 130}, {20, 300, 2}, {250, 130, 70, 5},
		{90, 200, 130, 40, 5}, {250, 128, 5}, {200, 16, 5}}
	for h := 1; h <= 70; h++ {
		s = append(s, []int{1 + h*7%50, h, 1 + h%20})
		if h%3 == 0 {
			s = append(s, []int{1 + h*5%40, h, 71 - h, 5})
		}
	}
	return s
}

func compile(t testing.TB, n *Net, tier cpu.Tier) *Compiled {
	t.Helper()
	return compileAt(t, n, tier, fixedUnits)
}

// compileAt computes in fixed point where layers have so many units.
func compileAt(t testing.TB, n *Net, tier cpu.Tier, units int) *Compiled {
	t.Helper()
	c, err := compileUnits(n, tiers.At(tier), units)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func eval(c *Compiled, x []float32, n int) []float32 {
	out := make([]float32, n*c.Outputs())
	c.Eval(c.NewScratch(), x, n, out)
	return out
}

// forEachNet calls f with random nets of all shapes and activations.
func forEachNet(t *testing.T, f func(t *testing.T, rng *rand.Rand, n *Net)) {
	for act := range numActivations {
		t.Run(act.String(), func(t *testing.T) {
			for i, sizes := range shapes() {
				rng := rand.New(rand.NewPCG(uint64(i), uint64(act)))
				n := randomNet(rng, act, sizes...)
				for k := range n.Layers {
					n.Layers[k].Beta = 0.5 + rng.Float32()
				}
				f(t, rng, n)
			}
		})
	}
}

// inFloat32 is more units than layers have.
const inFloat32 = math.MaxInt

// TestReference: in float32 every tier agrees with double precision.
func TestReference(t *testing.T) {
	for _, tier := range cpu.Tiers() {
		t.Run(tier.String(), func(t *testing.T) {
			far, values := 0, 0
			forEachNet(t, func(t *testing.T, rng *rand.Rand, n *Net) {
				c := compileAt(t, n, tier, inFloat32)
				const vectors = 7
				x := sparse(rng, vectors, c.Inputs(), c.Stride())
				out := eval(c, x, vectors)
				for v := range vectors {
					want := reference(n, x[v*c.Stride():][:c.Inputs()])
					for o, w := range want {
						got := out[v*c.Outputs()+o]
						off := math.Abs(float64(got - w))
						values++
						// A layer's weights magnify the rounding of the one before.
						limit := 1e-6 * math.Pow(4, float64(len(n.Layers)-1)) * (1 + math.Abs(float64(w)))
						switch {
						case off <= limit:
						case n.Layers[0].Activation == SigmoidGNUbg && off < 0.05:
							far++ // it jumps by up to 0.0012 at every tenth
						default:
							t.Fatalf("%s vector %d output %d: %v, want %v", netShape(n), v, o, got, w)
						}
					}
				}
			})
			if far > values/100 {
				t.Errorf("sigmoid-gnubg: %d of %d outputs off", far, values)
			}
		})
	}
}

// TestModel: in float32 the assembly tiers keep their promise to the bit, and so agree with
// each other; for SigmoidGNUbg the portable tier too.
func TestModel(t *testing.T) {
	for _, tier := range cpu.Tiers() {
		t.Run(tier.String(), func(t *testing.T) {
			forEachNet(t, func(t *testing.T, rng *rand.Rand, n *Net) {
				if tier == cpu.Go && n.Layers[0].Activation != SigmoidGNUbg {
					return
				}
				c := compileAt(t, n, tier, inFloat32)
				const vectors = 11
				x := sparse(rng, vectors, c.Inputs(), c.Stride())
				out := eval(c, x, vectors)
				for v := range vectors {
					want := modelForward(n, x[v*c.Stride():][:c.Inputs()])
					for o, w := range want {
						if got := out[v*c.Outputs()+o]; math.Float32bits(got) != math.Float32bits(w) {
							t.Fatalf("%s vector %d output %d: %x, want %x", netShape(n), v, o, got, w)
						}
					}
				}
			})
		})
	}
}

func netShape(n *Net) string {
	s := fmt.Sprint(n.Inputs())
	for _, l := range n.Layers {
		s += fmt.Sprintf("-%d", l.Out)
	}
	return s + " " + n.Layers[0].Activation.String()
}
