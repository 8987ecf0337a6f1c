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

// TestHalfAgrees: the same weights to the bit with 1, 2 and 3 workers, and by the kernels
// in Go, also where an Engine goes on from the state of another.
func TestHalfAgrees(t *testing.T) {
	const rows, width, steps = 150, 50, 4
	kernels := []*gemm.Squares{&gemm.Portable}
	if k := gemm.BFloat(); k != nil {
		kernels = append(kernels, k, k, k)
	}
	for c, a := range []nn.Activation{nn.ReLU, nn.Sigmoid, nn.ReLU} {
		kind := Adam
		if c == 2 {
			kind = Muon
		}
		var want []float32
		for i, k := range kernels {
			rng := rand.New(rand.NewPCG(3, 4))
			net := randomNet(rng, a, 1, width, 300, 40, 5) // enough for panels to be taken together
			d := randomData(rng, rows, width, 0.3)
			opt := Options{Batch: rows, Workers: max(1, i), Loss: testLosses[1], Precision: BFloat16, squares: k,
				Optimizer: Optimizer{Kind: kind, Beta1: 0.9, Beta2: 0.99, Epsilon: 1e-8, Momentum: 0.9, Decay: 0.01,
					Average: 0.99}}
			e, err := New(net, opt)
			if err != nil {
				t.Fatal(err)
			}
			for step := range steps {
				if step == steps/2 {
					old := e.State
					e.Close()
					if e, err = New(net, opt); err != nil {
						t.Fatal(err)
					}
					e.State = old
					e.Restored()
				}
				e.Train(d, rows-step, 0.01)
			}
			got := slices.Concat(e.Weights, e.First, e.Second, e.Average)
			e.Close()
			if want == nil {
				want = got
			}
			if !slices.Equal(got, want) {
				t.Errorf("%v %v: %d workers give other weights than the kernels in Go", a, kind, opt.Workers)
			}
		}
	}
}

// TestHalfKeepsPaddingZero is TestPaddingStaysZero for BFloat16.
func TestHalfKeepsPaddingZero(t *testing.T) {
	for i, a := range []nn.Activation{nn.ReLU, nn.Tanh, nn.Sigmoid, nn.Sigmoid} {
		kind := Adam
		if i == 3 {
			kind = Muon
		}
		rng := rand.New(rand.NewPCG(9, 10))
		e, err := New(randomNet(rng, a, 1, 10, 37, 6, 5), Options{Batch: 64, Workers: 1, Loss: testLosses[0],
			Precision: BFloat16, squares: halfKernels(),
			Optimizer: Optimizer{Kind: kind, Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8, Momentum: 0.9, Decay: 0.1}})
		if err != nil {
			t.Fatal(err)
		}
		d := randomData(rng, 50, 10, 1)
		for range 5 {
			e.Train(d, 50, 0.01)
		}
		back, err := New(e.Net(), Options{Batch: 1, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(back.Weights, e.Weights) {
			t.Errorf("%v %v: weights of units that pad a panel are not zero", a, kind)
		}
		back.Close()
		e.Close()
	}
}

// TestHalfLearns: a net trained by BFloat16 does as well as one by Float32 at what
// another net says, and by Muon better.
func TestHalfLearns(t *testing.T) {
	const width, rows, batch, steps = 30, 2048, 128, 400
	if gemm.BFloat() == nil {
		t.Skip("the kernels in Go take long")
	}
	rng := rand.New(rand.NewPCG(31, 32))
	d := randomData(rng, rows, width, 0.4)
	teacher, err := New(randomNet(rng, nn.Tanh, 1, width, 20, 5), Options{Batch: rows, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer teacher.Close()
	teacher.Evaluate(d, rows)
	for i := range d.targets {
		p, _, _ := teacher.Output(i)
		d.targets[i] = *p
	}
	start := randomNet(rng, nn.ReLU, 1, width, 64, 32, 5)
	var loss [3]float64
	for i, p := range []Precision{Float32, BFloat16, BFloat16} {
		kind := Adam
		if i == 2 {
			kind = Muon
		}
		e, err := New(start, Options{Batch: rows, Workers: 1, Loss: testLosses[0], Precision: p,
			Optimizer: Optimizer{Kind: kind, Beta1: 0.9, Beta2: 0.99, Epsilon: 1e-8, Momentum: 0.9, Average: 0.99}})
		if err != nil {
			t.Fatal(err)
		}
		for step := range steps {
			at := step * batch % rows
			e.Train(&data{d.x[at:], d.targets[at:], d.weights[at:]}, batch, 3e-3)
		}
		sum, weight := e.Evaluate(d, rows)
		loss[i] = sum / weight
		e.Close()
	}
	t.Logf("loss %.6f, by bfloat16 %.6f, by Muon %.6f", loss[0], loss[1], loss[2])
	if loss[1] > 1.1*loss[0] || loss[1] < 0.5*loss[0] {
		t.Errorf("loss %v, by bfloat16 %v", loss[0], loss[1])
	}
	if loss[2] > loss[1] {
		t.Errorf("loss %v by Muon, %v by Adam", loss[2], loss[1])
	}
}

// TestHalfIsRefused where the processor has none of its own.
func TestHalfIsRefused(t *testing.T) {
	net := randomNet(rand.New(rand.NewPCG(1, 2)), nn.ReLU, 1, 4, 4, 5)
	e, err := New(net, Options{Batch: 1, Workers: 1, Precision: BFloat16})
	if (err == nil) != HasBFloat16() {
		t.Errorf("error %v where there is bfloat16: %v", err, HasBFloat16())
	}
	if err == nil {
		e.Close()
	}
}
