package nn

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"bgtrain/internal/cpu"
)

// candidates returns n input vectors, stride apart, like those of the plays of
// one roll: of 200 inputs that count checkers some 35 are not zero, and up to
// four of these differ from play to play; of the other inputs, most are not zero
// and half differ.
func candidates(rng *rand.Rand, n, inputs, stride int) []float32 {
	base := make([]float32, inputs)
	count := min(200, inputs)
	counts := []float32{1, 1, 1, 1, 1, 1, 0.5, 1.5}
	for range count * 35 / 200 {
		base[rng.IntN(count)] = counts[rng.IntN(len(counts))]
	}
	for i := count; i < inputs; i++ {
		if rng.IntN(5) > 0 {
			base[i] = rng.Float32()
		}
	}
	x := make([]float32, n*stride)
	for v := range n {
		in := x[v*stride:][:inputs]
		copy(in, base)
		for range 4 {
			if i := rng.IntN(count); in[i] != 0 {
				in[i] = 0
			} else {
				in[i] = counts[rng.IntN(len(counts))]
			}
		}
		for i := count; i < inputs; i++ {
			if in[i] != 0 && rng.IntN(2) == 0 {
				in[i] = rng.Float32()
			}
		}
	}
	return x
}

// BenchmarkEval evaluates 80 plays, as a rollout values at every ply, in one batch. GFLOPS counts
// only products with inputs that are not zero; BenchmarkFMAPeak is the roof.
func BenchmarkEval(b *testing.B) {
	const n = 80
	for _, sizes := range [][]int{
		{250, 128, 5}, {214, 128, 5}, {200, 16, 5}, {200, 8, 5},
		{250, 256, 5}, {250, 512, 5}, {400, 1024, 5}, {250, 512, 32, 5}, {250, 1024, 64, 5}, {250, 2048, 64, 5}, {250,
			2048, 32, 5},
	} {
		for _, act := range []Activation{Sigmoid, SigmoidGNUbg} {
			for _, tier := range cpu.Tiers() {
				if act == SigmoidGNUbg && sizes[1] != 128 {
					continue
				}
				name := ""
				for _, s := range sizes {
					name += fmt.Sprintf("%d-", s)
				}
				b.Run(fmt.Sprintf("%s%v/%v", name, act, tier), func(b *testing.B) {
					rng := rand.New(rand.NewPCG(1, 2))
					c := compile(b, randomNet(rng, act, sizes...), tier)
					x := candidates(rng, n, c.Inputs(), c.Stride())
					out := make([]float32, n*c.Outputs())
					s := c.NewScratch()
					b.ReportAllocs()
					for b.Loop() {
						c.Eval(s, x, n, out)
					}
					evals := float64(b.N) * n
					seconds := b.Elapsed().Seconds()
					b.ReportMetric(evals/seconds, "evals/s")
					b.ReportMetric(1e9*seconds/evals, "ns/eval")
					b.ReportMetric(2*usefulProducts(c, x, n)*float64(b.N)/seconds/1e9, "GFLOPS")
					b.ReportMetric(weightBytes(c, x, n)/n, "weight-B/eval")
				})
			}
		}
	}
}

// usefulProducts is the number of multiplications by inputs that are not zero
// in the evaluation of a batch.
func usefulProducts(c *Compiled, x []float32, n int) float64 {
	products := 0
	for k := range c.layers {
		l := &c.layers[k]
		used := l.in * n
		if k == 0 {
			used = 0
			for _, v := range x {
				if v != 0 {
					used++
				}
			}
		}
		products += used * l.width
	}
	return float64(products)
}

// weightBytes is the size of the weights that the evaluation of a batch needs at
// least once: what comes from the second-level cache or beyond.
func weightBytes(c *Compiled, x []float32, n int) float64 {
	bytes := 0
	for k := range c.layers {
		l := &c.layers[k]
		used := l.in
		if k == 0 {
			used = 0
			for i := range l.in {
				for v := range n {
					if x[v*l.in+i] != 0 {
						used++
						break
					}
				}
			}
		}
		size := 4
		if l.fixed != nil {
			size = 2
		}
		bytes += size * used * l.width
	}
	return float64(bytes)
}

// BenchmarkParts times the float32 kernels of a 250-128-5 net one by one, 20 vectors a turn.
func BenchmarkParts(b *testing.B) {
	const n = 80
	for _, tier := range cpu.Tiers()[1:] {
		rng := rand.New(rand.NewPCG(1, 2))
		c := compileAt(b, randomNet(rng, Sigmoid, 250, 128, 5), tier, inFloat32)
		x := candidates(rng, n, c.Inputs(), c.Stride())
		s := c.NewScratch()
		hidden, out := &c.layers[0], &c.layers[1]
		k := c.kernels
		c.Eval(s, x, n, make([]float32, n*5))
		part := func(name string, f func()) {
			b.Run(fmt.Sprintf("%s/%v", name, tier), func(b *testing.B) {
				for b.Loop() {
					f()
				}
				b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/n, "ns/eval")
			})
		}
		part("index", func() {
			for v := 0; v < n; v += 5 {
				k.index(hidden, x[v*hidden.in:], 5, &s.tiles[0].inputList)
			}
		})
		part("sums", func() { c.sums(s, hidden, x, n, s.a) })
		part("dot", func() { k.dot(out, s.a, n, s.b) })
		for act, f := range k.activations {
			name := "sigmoid-gnubg-hidden"
			switch Activation(act) {
			case hiddenGNUbg:
			case coarseSigmoid:
				name = "sigmoid-coarse"
			case coarseSquaredReLU:
				name = "squared-relu-coarse"
			default:
				name = Activation(act).String()
			}
			part(name, func() { f(s.a[:n*128], 1) })
		}
		part("all", func() { c.Eval(s, x, n, s.b) })
	}
}
