package backprop

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bgtrain/internal/bg"
	"bgtrain/internal/gemm"
	"bgtrain/internal/nn"
)

// BenchmarkPrecision is a step of deep nets as "bgtrain train" takes it, with decay and
// a moving average of the weights, by one worker.
func BenchmarkPrecision(b *testing.B) {
	const batch, width, used = 512, 250, 0.3
	rng := rand.New(rand.NewPCG(1, 1))
	r := &ready{width: width, x: make([]float32, batch*width), targets: make([]bg.Outputs, batch)}
	density := make([]float32, width)
	for i := range density {
		density[i] = used
	}
	for i := range r.x {
		if rng.Float64() < used {
			r.x[i] = 1
		}
	}
	for i := range r.targets {
		for k := range r.targets[i] {
			r.targets[i][k] = rng.Float32()
		}
	}
	for _, sizes := range [][]int{{width, 1024, 256, 64, 5}, {width, 1280, 320, 64, 5}, {width, 512, 512, 256, 128, 5}} {
		net := randomNet(rng, nn.ReLU, 1, sizes...)
		for _, precision := range []Precision{Float32, BFloat16} {
			b.Run(fmt.Sprint(sizes, "/", precision), func(b *testing.B) {
				e, err := New(net, Options{Batch: batch, Workers: 1, Density: density, Precision: precision,
					Loss: Loss{Kind: SquaredError, Outputs: [5]float32{1, 1, 1, 1, 1}},
					Optimizer: Optimizer{Kind: Adam, Beta1: 0.9, Beta2: 0.99, Epsilon: 1e-8, Decay: 0.01,
						Average: 0.999}})
				if err != nil {
					b.Skip(err)
				}
				defer e.Close()
				var times []float64
				for b.Loop() {
					cpu := cpuSeconds()
					e.Train(r, batch, 1e-3)
					times = append(times, cpuSeconds()-cpu)
				}
				slices.Sort(times)
				median := times[len(times)/2]
				b.ReportMetric(median*1e3, "cpu-ms")
				b.ReportMetric(batch/median, "rows/cpu-s")
			})
		}
	}
}

// halfKernels are those of tests: the processor's, or in Go.
func halfKernels() *gemm.Squares {
	if k := gemm.BFloat(); k != nil {
		return k
	}
	return &gemm.Portable
}

// TestHalfIsNearFloat32: a step of gradient descent by BFloat16 is nearly that by
// Float32, for layers and batches that fill no square.
func TestHalfIsNearFloat32(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for _, a := range []nn.Activation{nn.ReLU, nn.Tanh, nn.Sigmoid} {
		for _, widths := range [][]int{{20, 40, 5}, {40, 70, 33, 5}, {50, 64, 96, 32, 5}} {
			net := randomNet(rng, a, 1, widths...)
			d := randomData(rng, 150, widths[0], 0.5)
			var loss [2]float64
			var steps [2][]float32
			for i, p := range []Precision{Float32, BFloat16} {
				e, err := New(net, Options{Batch: 160, Workers: 2, Loss: testLosses[1], Precision: p,
					squares: halfKernels(), Optimizer: Optimizer{Kind: Momentum}})
				if err != nil {
					t.Fatal(err)
				}
				before := slices.Clone(e.Weights)
				loss[i], _ = e.Train(d, 150, 1)
				for j, w := range e.Weights {
					steps[i] = append(steps[i], w-before[j])
				}
				e.Close()
			}
			if math.Abs(loss[0]-loss[1]) > 0.01*loss[0] {
				t.Errorf("%v %v: loss %v, in float32 %v", a, widths, loss[1], loss[0])
			}
			var difference, length float64
			for j, s := range steps[0] {
				difference += math.Pow(float64(s-steps[1][j]), 2)
				length += math.Pow(float64(s), 2)
			}
			if r := math.Sqrt(difference / length); r > 0.06 {
				t.Errorf("%v %v: the step differs by %.3f of its length", a, widths, r)
			}
		}
	}
}
