package backprop

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bgtrain/internal/gemm"
	"bgtrain/internal/nn"
)

// BenchmarkPrecision is a step of deep nets as "bgtrain train" takes it, with decay and
// a moving average of the weights, by one worker.
func BenchmarkPrecision(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, sizes := range [][]int{{250, 1024, 256, 64, 5}, {250, 1280, 320, 64, 5}, {250, 512, 512, 256, 128, 5},
		{384, 512, 128, 60, 5}, {384, 1024, 256, 64, 5}, {384, 1280, 320, 64, 5}} {
		net := randomNet(rng, nn.ReLU, 1, sizes...)
		for _, batch := range []int{512, 2048} {
			r, density := newReady(rng, batch, sizes[0], 0.3)
			for kind, name := range map[OptimizerKind]string{Adam: "adamw", Muon: "muon"} {
				for _, precision := range []Precision{Float32, BFloat16} {
					b.Run(fmt.Sprintf("%v/batch=%d/%s/%v", sizes, batch, name, precision), func(b *testing.B) {
						benchmarkStep(b, r, net, Options{Batch: batch, Workers: 1, Density: density, Precision: precision,
							Loss: Loss{Kind: SquaredError, Outputs: [5]float32{1, 1, 1, 1, 1}},
							Optimizer: Optimizer{Kind: kind, Beta1: 0.9, Beta2: 0.99, Epsilon: 1e-8, Momentum: 0.95,
								Decay: 0.01, Average: 0.999}})
					})
				}
			}
		}
	}
}

// benchmarkStep reports the median of the CPU time of a step.
func benchmarkStep(b *testing.B, r Rows, net *nn.Net, opt Options) {
	e, err := New(net, opt)
	if err != nil {
		b.Skip(err)
	}
	defer e.Close()
	var times []float64
	for b.Loop() {
		cpu := cpuSeconds()
		e.Train(r, opt.Batch, 1e-3)
		times = append(times, cpuSeconds()-cpu)
	}
	slices.Sort(times)
	median := times[len(times)/2]
	b.ReportMetric(median*1e3, "cpu-ms")
	b.ReportMetric(float64(opt.Batch)/median, "rows/cpu-s")
}

// halfKernels are those of tests: the processor's, or in Go.
func halfKernels() *gemm.Squares {
	if k := gemm.BFloat(); k != nil {
		return k
	}
	return &gemm.Dots
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
// in Go, also where a Stepper goes on from the state of another.
func TestHalfAgrees(t *testing.T) {
	const rows, width = 150, 50
	steps := 4
	if testing.Short() {
		steps = 2
	}
	if !HasBFloat16() {
		t.Skip("the processor has no bfloat16")
	}
	k := halfKernels()
	kernels := []*gemm.Squares{k.Portable(), k, k, k}
	for c, a := range []nn.Activation{nn.ReLU, nn.Sigmoid, nn.ReLU} {
		if c == 0 && testing.Short() {
			continue
		}
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

// TestLearns: a net trained by BFloat16 does as well as one by Float32 at what another net
// says, and by Muon in either precision better.
func TestLearns(t *testing.T) {
	const width, rows, batch, steps = 30, 2048, 128, 400
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
	train := func(p Precision, kind OptimizerKind) float64 {
		e, err := New(start, Options{Batch: rows, Workers: 1, Loss: testLosses[0], Precision: p,
			Optimizer: Optimizer{Kind: kind, Beta1: 0.9, Beta2: 0.99, Epsilon: 1e-8, Momentum: 0.9, Average: 0.99}})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		for step := range steps {
			at := step * batch % rows
			e.Train(&data{x: d.x[at:], targets: d.targets[at:], weights: d.weights[at:]}, batch, 3e-3)
		}
		sum, weight := e.Evaluate(d, rows)
		return sum / weight
	}
	adam, muon := train(Float32, Adam), train(Float32, Muon)
	t.Logf("loss %.6f, by Muon %.6f", adam, muon)
	if muon > adam {
		t.Errorf("loss %v by Muon, %v by Adam", muon, adam)
	}
	if !HasBFloat16() {
		return // the kernels in Go take long
	}
	halfAdam, halfMuon := train(BFloat16, Adam), train(BFloat16, Muon)
	t.Logf("by bfloat16 %.6f and %.6f", halfAdam, halfMuon)
	if halfAdam > 1.1*adam || halfAdam < 0.5*adam {
		t.Errorf("loss %v, by bfloat16 %v", adam, halfAdam)
	}
	if halfMuon > halfAdam {
		t.Errorf("loss %v by Muon, %v by Adam, both by bfloat16", halfMuon, halfAdam)
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
