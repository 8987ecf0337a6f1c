package nn

import (
	"math"
	"math/rand/v2"
	"testing"

	"bgtrain/internal/cpu"
)

// fourEach makes four inputs of every count, as the nets that Near is for have.
func fourEach(place, count int, x []float32) {
	for k := range 4 {
		if count > k {
			x[4*place+k] = 1
		}
	}
	x[4*place+3] *= float32(count) / 2
}

// changed returns n vectors that differ from base in some counts, not at all, or
// in all.
func changed(rng *rand.Rand, base *[NearCounts]byte, n int) [][NearCounts]byte {
	out := make([][NearCounts]byte, n)
	for v := range out {
		out[v] = *base
		for range []int{0, 3, 5, 9, 200}[rng.IntN(5)] {
			out[v][rng.IntN(NearCounts)] = byte(rng.IntN(nearValues))
		}
	}
	return out
}

// TestNear holds every tier to the layers' definition in double precision and the
// others to the portable one, and checks that results depend on the vector and
// the base only.
func TestNear(t *testing.T) {
	for _, tier := range cpu.Tiers() {
		s := NewNearScratch()
		for units := 1; units <= nearMaxUnit; units++ {
			for act := range numActivations {
				rng := rand.New(rand.NewPCG(uint64(units), uint64(act)))
				net := randomNet(rng, act, 4*NearCounts, units, nearOuts)
				compile := func(tier cpu.Tier) *Near {
					c, err := compileNear(net, fourEach, tier)
					if err != nil || c == nil {
						t.Fatal(c, err)
					}
					return c
				}
				c, portable := compile(tier), compile(cpu.Go)
				var base [NearCounts]byte
				for i := range base {
					base[i] = byte(max(0, rng.IntN(20)-12))
				}
				vectors := changed(rng, &base, 1+rng.IntN(NearBatch))
				c.SetBase(s, &base)
				outs := append([]float32(nil), c.Eval(s, vectors)...)
				ps := NewNearScratch()
				portable.SetBase(ps, &base)
				want := portable.Eval(ps, vectors)
				for v := range vectors {
					exact := nearExact(net, &vectors[v])
					for o := range nearOuts {
						at := nearAt(v, o)
						if off := math.Abs(float64(outs[at] - want[at])); off > 2e-5*max(1, math.Abs(exact[o])) {
							t.Fatalf("%v %v, %d units: vector %d of %d, output %d is %v, portable %v", tier, act, units, v, len(vectors), o, outs[at], want[at])
						}
						// GNU Backgammon's sigmoid is an approximation, see applyHidden.
						limit := 2e-4 * max(1, math.Abs(exact[o]))
						if act == SigmoidGNUbg {
							limit = 5e-3
						}
						if off := math.Abs(float64(outs[at]) - exact[o]); off > limit {
							t.Fatalf("%v %v, %d units: output %d is %v, exactly %v", tier, act, units, o, outs[at], exact[o])
						}
					}
				}
				c.SetBase(s, &base)
				for v := range vectors {
					alone := c.Eval(s, vectors[v:v+1])
					for o := range nearOuts {
						if alone[nearAt(0, o)] != outs[nearAt(v, o)] {
							t.Fatalf("%v: vector %d alone gives %v, with others %v", tier, v, alone[nearAt(0, o)], outs[nearAt(v, o)])
						}
					}
				}
			}
		}
	}
}

func nearExact(n *Net, v *[NearCounts]byte) []float64 {
	in := make([]float32, 4*NearCounts)
	for i, c := range v {
		fourEach(i, int(c), in)
	}
	x := make([]float64, len(in))
	for i := range in {
		x[i] = float64(in[i])
	}
	for k := range n.Layers {
		l := &n.Layers[k]
		y := make([]float64, l.Out)
		for o := range y {
			y[o] = float64(l.Bias[o])
			for i := range x {
				y[o] += x[i] * float64(l.Weights[i*l.Out+o])
			}
			switch l.Activation {
			case ReLU:
				y[o] = max(0, y[o])
			case Tanh:
				y[o] = math.Tanh(y[o])
			default:
				y[o] = 1 / (1 + math.Exp(-float64(l.Beta)*y[o]))
			}
		}
		x = y
	}
	return x
}

// TestNearKernelsStayInRange runs the kernels with guard words around what they
// write.
func TestNearKernelsStayInRange(t *testing.T) {
	for _, tier := range cpu.Tiers() {
		for _, units := range []int{5, 8, 13, 16} {
			rng := rand.New(rand.NewPCG(uint64(units), 3))
			c, err := compileNear(randomNet(rng, Sigmoid, 4*NearCounts, units, nearOuts), fourEach, tier)
			if err != nil {
				t.Fatal(err)
			}
			s := NewNearScratch()
			var base [NearCounts]byte
			c.SetBase(s, &base)
			for n := 1; n <= 8; n++ {
				lines, check := guarded(t, 8*c.width)
				s.lines = lines
				out, checkOut := guarded(t, NearBlock*(c.width-1)+8)
				c.kernels.sums(c, changed(rng, &base, n), s, out)
				check("%v lines of %d", tier, n)
				checkOut("%v sums of %d", tier, n)
			}
			for blocks := 1; blocks <= 3; blocks++ {
				out, check := guarded(t, blocks*nearOuts*NearBlock)
				c.kernels.outputs(c, make([]float32, blocks*NearBlock*c.width), blocks, out)
				check("%v outputs of %d blocks", tier, blocks)
			}
		}
	}
}

func TestNearShapes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, sizes := range [][]int{{200, 17, 5}, {200, 8, 4}, {200, 5}, {200, 8, 8, 5}} {
		if c, err := CompileNear(randomNet(rng, Sigmoid, sizes...), fourEach); c != nil || err != nil {
			t.Errorf("%v: %v, %v", sizes, c, err)
		}
	}
}

func BenchmarkNear(b *testing.B) {
	for _, units := range []int{8, 16} {
		for _, act := range []Activation{Sigmoid, SigmoidGNUbg} {
			b.Run(netShape(randomNet(rand.New(rand.NewPCG(1, 1)), act, 4*NearCounts, units, nearOuts))+" "+act.String(), func(b *testing.B) {
				rng := rand.New(rand.NewPCG(1, 1))
				c, err := CompileNear(randomNet(rng, act, 4*NearCounts, units, nearOuts), fourEach)
				if err != nil {
					b.Fatal(err)
				}
				var base [NearCounts]byte
				for i := range base {
					base[i] = byte(max(0, rng.IntN(9)-6))
				}
				vectors := make([][NearCounts]byte, NearBatch)
				for v := range vectors {
					vectors[v] = base
					for range 2 + rng.IntN(3) { // as by a play of two checkers
						vectors[v][rng.IntN(NearCounts)]++
					}
				}
				s := NewNearScratch()
				c.SetBase(s, &base)
				begun := cpuTime()
				for b.Loop() {
					c.Eval(s, vectors)
				}
				b.ReportMetric(1e9*(cpuTime()-begun).Seconds()/float64(b.N)/NearBatch, "cpu-ns/vector")
			})
		}
	}
}

// nearAt is the place of output o of vector v.
func nearAt(v, o int) int { return (v/NearBlock*nearOuts+o)*NearBlock + v%NearBlock }
