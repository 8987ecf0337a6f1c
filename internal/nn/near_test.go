package nn

import (
	"math"
	"math/rand/v2"
	"slices"
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
func changed(rng *rand.Rand, base []byte, n int) []byte {
	var out []byte
	for range n {
		v := slices.Clone(base)
		for range []int{0, 3, 5, 9, 200}[rng.IntN(5)] {
			v[rng.IntN(len(v))] = byte(rng.IntN(NearValues))
		}
		out = append(out, v...)
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
				places := []int{50, 32, 33, 63, 64}[units%5]
				net := randomNet(rng, act, 4*places, units, nearOuts)
				compile := func(tier cpu.Tier) *Near {
					c, err := compileNear(net, places, fourEach, tiers.At(tier))
					if err != nil {
						t.Fatal(err)
					}
					return c
				}
				c, portable := compile(tier), compile(cpu.Go)
				base := make([]byte, places)
				for i := range base {
					base[i] = byte(max(0, rng.IntN(20)-12))
				}
				n := 1 + rng.IntN(NearBatch)
				vectors := changed(rng, base, n)
				c.SetBase(s, base)
				outs := append([]float32(nil), c.Eval(s, vectors, n)...)
				ps := NewNearScratch()
				portable.SetBase(ps, base)
				want := portable.Eval(ps, vectors, n)
				for v := range n {
					exact := nearExact(net, vectors[v*places:][:places])
					for o := range nearOuts {
						at := nearAt(v, o)
						if off := math.Abs(float64(outs[at] - want[at])); off > 2e-5*max(1, math.Abs(exact[o])) {
							t.Fatalf("%v %v, %d units: vector %d of %d, output %d is %v, portable %v", tier, act,
								units, v, n, o, outs[at], want[at])
						}
						// GNU Backgammon's sigmoid is an approximation.
						limit := 2e-4 * max(1, math.Abs(exact[o]))
						if act == SigmoidGNUbg {
							limit = 5e-3
						}
						if off := math.Abs(float64(outs[at]) - exact[o]); off > limit {
							t.Fatalf("%v %v, %d units: output %d is %v, exactly %v", tier, act, units, o, outs[at],
								exact[o])
						}
					}
				}
				c.SetBase(s, base)
				for v := range n {
					alone := c.Eval(s, vectors[v*places:], 1)
					for o := range nearOuts {
						if alone[nearAt(0, o)] != outs[nearAt(v, o)] {
							t.Fatalf("%v: vector %d alone gives %v, with others %v", tier, v, alone[nearAt(0, o)],
								outs[nearAt(v, o)])
						}
					}
				}
			}
		}
	}
}

func nearExact(n *Net, v []byte) []float64 {
	in := make([]float32, 4*len(v))
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
			case SquaredReLU:
				y[o] = max(0, y[o]) * max(0, y[o])
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
			const places = 50
			c, err := compileNear(randomNet(rng, Sigmoid, 4*places, units, nearOuts), places, fourEach, tiers.At(tier))
			if err != nil {
				t.Fatal(err)
			}
			s := NewNearScratch()
			base := make([]byte, places)
			c.SetBase(s, base)
			for n := 1; n <= 8; n++ {
				lines, check := guarded(t, 8*c.width)
				s.lines = lines
				out, checkOut := guarded(t, NearBlock*(c.width-1)+8)
				c.kernels.nearSums(c, changed(rng, base, n), n, s, out)
				check("%v lines of %d", tier, n)
				checkOut("%v sums of %d", tier, n)
			}
			for blocks := 1; blocks <= 3; blocks++ {
				out, check := guarded(t, blocks*nearOuts*NearBlock)
				c.kernels.nearOutputs(c, make([]float32, blocks*NearBlock*c.width), blocks, out)
				check("%v outputs of %d blocks", tier, blocks)
			}
		}
	}
}

func TestNearRefuses(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, sizes := range [][]int{{200, 17, 5}, {200, 8, 4}, {200, 5}, {200, 8, 8, 5}} {
		net := randomNet(rng, Sigmoid, sizes...)
		if _, err := CompileNear(net, 50, fourEach); err == nil || net.FitsNear() {
			t.Errorf("%v: taken", sizes)
		}
	}
	for _, places := range []int{31, 65} {
		if _, err := CompileNear(randomNet(rng, Sigmoid, 4*places, 8, 5), places, fourEach); err == nil {
			t.Errorf("%d places: no error", places)
		}
	}
}

func BenchmarkNear(b *testing.B) {
	const places = 50
	for _, units := range []int{8, 16} {
		for _, act := range []Activation{Sigmoid, SigmoidGNUbg} {
			b.Run(netShape(randomNet(rand.New(rand.NewPCG(1, 1)), act, 4*places, units, nearOuts))+" "+act.String(),
				func(b *testing.B) {
					rng := rand.New(rand.NewPCG(1, 1))
					c, err := CompileNear(randomNet(rng, act, 4*places, units, nearOuts), places, fourEach)
					if err != nil {
						b.Fatal(err)
					}
					base := make([]byte, places)
					for i := range base {
						base[i] = byte(max(0, rng.IntN(9)-6))
					}
					var vectors []byte
					for v := range NearBatch {
						vectors = append(vectors, base...)
						for range 2 + rng.IntN(3) { // as by a play of two checkers
							vectors[v*places+rng.IntN(places)]++
						}
					}
					s := NewNearScratch()
					c.SetBase(s, base)
					for b.Loop() {
						c.Eval(s, vectors, NearBatch)
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/NearBatch, "ns/vector")
				})
		}
	}
}

// nearAt is the place of output o of vector v.
func nearAt(v, o int) int { return (v/NearBlock*nearOuts+o)*NearBlock + v%NearBlock }
