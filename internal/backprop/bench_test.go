package backprop

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"

	"bgtrain/internal/bg"
	"bgtrain/internal/gemm"
	"bgtrain/internal/nn"
)

// ready is a batch of dense inputs in memory.
type ready struct {
	x       []float32
	width   int
	targets []bg.Outputs
}

func (r *ready) Fetch(lo, n int) {}

func (r *ready) Row(i int, _ []float32, t *bg.Outputs) ([]float32, float32) {
	*t = r.targets[i]
	return r.x[i*r.width : (i+1)*r.width], 1
}

// newReady returns rows whose inputs are 1 with a probability of used, and that for each input.
func newReady(rng *rand.Rand, rows, width int, used float32) (r *ready, density []float32) {
	r = &ready{width: width, x: make([]float32, rows*width), targets: make([]bg.Outputs, rows)}
	for i := range r.x {
		if rng.Float32() < used {
			r.x[i] = 1
		}
	}
	for i := range r.targets {
		for k := range r.targets[i] {
			r.targets[i][k] = rng.Float32()
		}
	}
	return r, slices.Repeat([]float32{used}, width)
}

// BenchmarkStep is training as benchmark/pytorch measures it: 250 dense inputs
// ready in memory, a fifth of them not zero, batch 512, Adam.
func BenchmarkStep(b *testing.B) {
	const batch, width, rows = 512, 250, 20000
	rng := rand.New(rand.NewPCG(1, 1))
	r, sparse := newReady(rng, rows, width, 0.2)
	for _, kernels := range []string{"dense", "sparse"} {
		var density []float32
		if kernels == "sparse" {
			density = sparse
		}
		for _, hidden := range []int{128, 256, 512} {
			for workers := 1; workers <= 2; workers++ {
				b.Run(fmt.Sprintf("kernels=%s/hidden=%d/workers=%d", kernels, hidden, workers), func(b *testing.B) {
					e, err := New(randomNet(rng, nn.Sigmoid, 1, width, hidden, 5),
						Options{Batch: batch, Workers: workers, Density: density,
							Loss:      Loss{Kind: SquaredError, Outputs: [5]float32{1, 1, 1, 1, 1}},
							Optimizer: Optimizer{Kind: Adam, Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8}})
					if err != nil {
						b.Fatal(err)
					}
					defer e.Close()
					b.ReportAllocs()
					part := &ready{width: width}
					cpu := cpuSeconds()
					for i := 0; b.Loop(); i++ {
						at := i * batch % (rows - batch)
						part.x, part.targets = r.x[at*width:], r.targets[at:]
						e.Train(part, batch, 1e-3)
					}
					b.ReportMetric(float64(b.N)*batch/b.Elapsed().Seconds(), "positions/s")
					b.ReportMetric(float64(b.N)*batch/(cpuSeconds()-cpu), "positions/cpu-s")
				})
			}
		}
	}
}

// BenchmarkDeep is a step of nets that are wide or deep, by one worker, with the
// density of real inputs; "quiet relu" has as many active units as a trained net. Its
// GFLOPS count what a multiplication with every weight takes, three times but for the
// gradient of the inputs; those of the first layer by the inputs that are not zero.
// Beside them is what part they are of the peak right before and after; both are
// medians, in CPU time, as other programs may run.
func BenchmarkDeep(b *testing.B) {
	const batch, used = 512, 0.3
	rng := rand.New(rand.NewPCG(1, 1))
	for _, sizes := range [][]int{
		{250, 1024, 64, 5}, {250, 2048, 64, 5}, {250, 1024, 256, 64, 5}, {250, 512, 256, 128, 5},
		{250, 512, 512, 256, 128, 5}, {384, 1024, 256, 64, 5}, {384, 1280, 320, 64, 5},
	} {
		r, density := newReady(rng, batch, sizes[0], used)
		for _, units := range []string{"sigmoid", "relu", "quiet relu"} {
			b.Run(fmt.Sprint(sizes, " ", units), func(b *testing.B) {
				act := nn.ReLU
				if units == "sigmoid" {
					act = nn.Sigmoid
				}
				net := randomNet(rng, act, 1, sizes...)
				if units == "quiet relu" {
					quiet(b, net, slices.Collect(slices.Chunk(r.x, r.width)))
				}
				e, err := New(net, Options{Batch: batch, Workers: 1, Density: density,
					Loss:      Loss{Kind: SquaredError, Outputs: [5]float32{1, 1, 1, 1, 1}},
					Optimizer: Optimizer{Kind: Adam, Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8}})
				if err != nil {
					b.Fatal(err)
				}
				defer e.Close()
				flops := 2 * 2 * used * float64(sizes[0]*sizes[1])
				for i := 2; i < len(sizes); i++ {
					flops += 3 * 2 * float64(sizes[i-1]*sizes[i])
				}
				var rates, parts []float64
				for b.Loop() {
					before := peak()
					cpu := cpuSeconds()
					e.Train(r, batch, 1e-7) // units stay as active as they are
					rate := batch * flops / (cpuSeconds() - cpu)
					rates, parts = append(rates, rate/1e9), append(parts, 100*rate/max(before, peak()))
				}
				slices.Sort(rates)
				slices.Sort(parts)
				b.ReportMetric(rates[len(rates)/2], "GFLOPS")
				if peak() > 0 {
					b.ReportMetric(parts[len(parts)/2], "%peak")
				}
			})
		}
	}
}

// peak is the most operations that the processor does in a second of CPU time now.
func peak() float64 {
	cpu := cpuSeconds()
	flops := gemm.Peak()
	return flops / (cpuSeconds() - cpu)
}

// cpuSeconds is the CPU time that this process has used.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
