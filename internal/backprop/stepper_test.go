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

// data is a batch held in memory.
type data struct {
	x       [][]float32
	targets []bg.Outputs
	weights []float32
	sibling []bool
}

func (d *data) Sibling(i int) bool { return d.sibling[i] }

func (d *data) Fetch(lo, n int) {}

func (d *data) Row(i int, x []float32, t *bg.Outputs) ([]float32, float32) {
	*t = d.targets[i]
	if i%2 == 0 {
		return d.x[i], d.weights[i]
	}
	copy(x, d.x[i])
	return x, d.weights[i]
}

func randomData(rng *rand.Rand, n, width int, density float64) *data {
	d := &data{}
	for i := 0; i < n; i++ {
		x := make([]float32, width)
		for j := range x {
			if rng.Float64() < density {
				x[j] = float32(rng.NormFloat64())
			}
		}
		var t bg.Outputs
		for k := range t {
			t[k] = rng.Float32()
		}
		d.x, d.targets, d.weights = append(d.x, x), append(d.targets, t), append(d.weights, 0.5+rng.Float32())
		d.sibling = append(d.sibling, i%7 > 2) // two decisions of one row, then one of five
	}
	return d
}

// randomNet has the given widths, inputs first.
func randomNet(rng *rand.Rand, a nn.Activation, beta float32, widths ...int) *nn.Net {
	n := &nn.Net{}
	for i := 1; i < len(widths); i++ {
		l := nn.Layer{In: widths[i-1], Out: widths[i], Activation: a, Beta: beta}
		if i == len(widths)-1 {
			l.Activation, l.Beta = nn.Sigmoid, 1
		}
		scale := 1 / math.Sqrt(float64(l.In)) / float64(l.Beta)
		for j := 0; j < l.In*l.Out; j++ {
			l.Weights = append(l.Weights, float32(rng.NormFloat64()*scale))
		}
		for j := 0; j < l.Out; j++ {
			l.Bias = append(l.Bias, float32(rng.NormFloat64()*scale))
		}
		n.Layers = append(n.Layers, l)
	}
	return n
}

// net64 is a net in double precision, the reference. Its parameters are in one
// slice, so that each can be varied.
type net64 struct {
	net    *nn.Net
	params []float64
}

func newNet64(n *nn.Net) *net64 {
	r := &net64{net: n}
	for i := range n.Layers {
		for _, w := range [][]float32{n.Layers[i].Weights, n.Layers[i].Bias} {
			for _, v := range w {
				r.params = append(r.params, float64(v))
			}
		}
	}
	return r
}

func (r *net64) loss(l *Loss, d *data) float64 {
	var sum float64
	var errs [][]float64
	for i := range d.x {
		var in []float64
		for _, v := range d.x[i] {
			in = append(in, float64(v))
		}
		at := 0
		for k := range r.net.Layers {
			layer := &r.net.Layers[k]
			w, b := r.params[at:], r.params[at+layer.In*layer.Out:]
			out := make([]float64, layer.Out)
			for o := range out {
				z := b[o]
				for j, v := range in {
					z += v * w[j*layer.Out+o]
				}
				switch layer.Activation {
				case nn.ReLU:
					out[o] = max(0, z)
				case nn.SquaredReLU:
					out[o] = max(0, z) * max(0, z)
				case nn.Tanh:
					out[o] = math.Tanh(z)
				default:
					out[o] = 1 / (1 + math.Exp(-z*float64(layer.Beta)))
				}
			}
			at += (layer.In + 1) * layer.Out
			in = out
		}
		sum += float64(d.weights[i]) * loss64(l, in, &d.targets[i])
		errs = append(errs, errors64(in, &d.targets[i]))
	}
	return sum + float64(l.Within)*within64(l, d, errs)
}

// within64 is the weighted squared errors about the mean ones of each decision, of each output and
// of the equity, the last.
func within64(l *Loss, d *data, errs [][]float64) float64 {
	var sum float64
	for i := 0; i < len(errs); {
		end := i + 1
		for end < len(errs) && end%64 != 0 && d.sibling[end] {
			end++
		}
		for k := range errs[i] {
			var mean, weight float64
			for j := i; j < end; j++ {
				mean += float64(d.weights[j]) * errs[j][k]
				weight += float64(d.weights[j])
			}
			mean /= weight
			by := 1.0
			if k < len(l.Outputs) {
				by = float64(l.Outputs[k])
			}
			for j := i; j < end; j++ {
				sum += by * float64(d.weights[j]) * (errs[j][k] - mean) * (errs[j][k] - mean)
			}
		}
		i = end
	}
	return sum
}

// errors64 is the errors of the outputs, then that of the equity.
func errors64(p []float64, t *bg.Outputs) []float64 {
	var errs []float64
	for k := range t {
		errs = append(errs, p[k]-float64(t[k]))
	}
	return append(errs, equityError64(p, t))
}

func equityError64(p []float64, t *bg.Outputs) float64 {
	var sum float64
	for k, slope := range []float64{2, 1, 1, -1, -1} {
		sum += slope * (p[k] - float64(t[k]))
	}
	return sum
}

func loss64(l *Loss, p []float64, t *bg.Outputs) float64 {
	var sum float64
	for k := range t {
		e, w := p[k]-float64(t[k]), float64(l.Outputs[k])
		if l.Kind == CrossEntropy {
			sum -= w * (float64(t[k])*math.Log(p[k]) + (1-float64(t[k]))*math.Log(1-p[k]))
		} else {
			sum += w * e * e
		}
	}
	if l.Kind == SquaredError {
		e := equityError64(p, t)
		sum += float64(l.Equity) * e * e
	}
	return sum
}

var testLosses = []Loss{
	{Kind: SquaredError, Outputs: [5]float32{1, 1, 1, 1, 1}},
	{Kind: SquaredError, Outputs: [5]float32{2, 1, 0.5, 1, 0}, Equity: 0.7},
	{Kind: SquaredError, Outputs: [5]float32{2, 1, 0.5, 1, 0}, Equity: 1, Within: 3},
	{Kind: CrossEntropy, Outputs: [5]float32{1, 0.5, 2, 0.5, 1}},
}

// TestGradientAgainstFiniteDifferences: a step of plain gradient descent moves
// the weights by the gradient, which is compared with differences of the loss in
// double precision.
func TestGradientAgainstFiniteDifferences(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		a      nn.Activation
		beta   float32
		widths []int
	}{
		{nn.Sigmoid, 1, []int{7, 3, 5}},
		{nn.Sigmoid, 1, []int{20, 33, 5}},
		{nn.Sigmoid, 0.1, []int{9, 6, 5}},
		{nn.Tanh, 1, []int{9, 40, 5}},
		{nn.ReLU, 1, []int{9, 16, 5}},
		{nn.SquaredReLU, 1, []int{9, 33, 5}},
		{nn.Sigmoid, 1, []int{6, 34, 33, 5}},
		{nn.Tanh, 1, []int{5, 32, 7, 35, 5}},
	} {
		for _, loss := range testLosses {
			for _, k := range densities(c.widths[0]) {
				name := fmt.Sprintf("%v %v, %v %v %v, %s", c.a, c.widths, loss.Kind, loss.Equity, loss.Within, k.name)
				t.Run(name, func(t *testing.T) {
					net := randomNet(rng, c.a, c.beta, c.widths...)
					checkGradient(t, net, randomData(rng, 70, c.widths[0], 0.5), loss, k.density)
				})
			}
		}
	}
}

// densities make a Stepper keep all inputs dense, none, and some.
func densities(width int) []namedDensity {
	some := make([]float32, width)
	for i := width / 3; i < width/2; i++ {
		some[i] = 1
	}
	return []namedDensity{{"dense", nil}, {"sparse", make([]float32, width)}, {"mixed", some}}
}

type namedDensity struct {
	name    string
	density []float32
}

func checkGradient(t *testing.T, net *nn.Net, d *data, loss Loss, density []float32) {
	t.Helper()
	const rate = 16 // large, so that the difference of weights is exact enough
	n := len(d.x)
	e, err := New(net, Options{Batch: n + 3, Workers: 1, Loss: loss, Density: density,
		Optimizer: Optimizer{Kind: Momentum}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	ref := newNet64(net)
	before := newNet64(e.Net())
	got, _ := e.Train(d, n, rate)
	after := newNet64(e.Net())
	if want := ref.loss(&loss, d); math.Abs(got-want) > 1e-4*want {
		t.Errorf("loss %v, want %v", got, want)
	}
	layer, end := 0, 0
	checked := 150 // enough of them
	if testing.Short() {
		checked = 30
	}
	stride := 1 + len(ref.params)/checked
	for i := range ref.params {
		for i >= end { // the layer that parameter i belongs to
			l := &net.Layers[layer]
			end += (l.In + 1) * l.Out
			layer++
		}
		if i%stride != 0 {
			continue
		}
		beta := float64(net.Layers[layer-1].Beta)
		if net.Layers[layer-1].Activation != nn.Sigmoid {
			beta = 1
		}
		const h = 1e-5
		old := ref.params[i]
		ref.params[i] = old + h
		up := ref.loss(&loss, d)
		ref.params[i] = old - h
		down := ref.loss(&loss, d)
		ref.params[i] = old
		// Training sees weights times beta.
		want := (up - down) / (2 * h) / float64(n) / beta
		step := (before.params[i] - after.params[i]) / rate * beta
		if math.Abs(step-want) > 2e-5+1e-3*math.Abs(want) {
			t.Fatalf("parameter %d of layer %d: gradient %v, want %v", i, layer-1, step, want)
		}
	}
}

// TestWorkersAgree: the same weights to the bit with 1, 2 and 3 workers.
func TestWorkersAgree(t *testing.T) {
	steps := 40
	if testing.Short() {
		steps = 8
	}
	for _, k := range densities(50) {
		for _, kind := range []OptimizerKind{Adam, Momentum, Muon} {
			var want []float32
			for workers := 1; workers <= 3; workers++ {
				rng := rand.New(rand.NewPCG(3, 4))
				net := randomNet(rng, nn.Sigmoid, 1, 50, 70, 40, 5)
				d := randomData(rng, 300, 50, 0.3)
				e, err := New(net, Options{Batch: 300, Workers: workers, Density: k.density, Loss: testLosses[2],
					Optimizer: Optimizer{Kind: kind, Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8, Momentum: 0.9,
						Decay: 0.01, Average: 0.99}})
				if err != nil {
					t.Fatal(err)
				}
				for step := range steps {
					e.Train(d, 300-step, 0.01)
				}
				got := slices.Concat(e.Weights, e.First, e.Second, e.Average)
				e.Close()
				if want == nil {
					want = got
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s, %v: %d workers give other weights than 1", k.name, kind, workers)
				}
			}
		}
	}
}

func TestNetRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, widths := range [][]int{{250, 128, 5}, {13, 33, 5}, {13, 33, 40, 5}} {
		net := randomNet(rng, nn.Sigmoid, 1, widths...)
		e, err := New(net, Options{Batch: 1, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		e.Close()
		got := e.Net()
		for i := range net.Layers {
			if !slices.Equal(got.Layers[i].Weights, net.Layers[i].Weights) ||
				!slices.Equal(got.Layers[i].Bias, net.Layers[i].Bias) {
				t.Errorf("%v: layer %d came back changed", widths, i)
			}
		}
	}
}

// TestOutputsAreThoseOfTheNet compares Evaluate with package nn.
func TestOutputsAreThoseOfTheNet(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	net := randomNet(rng, nn.Sigmoid, 1, 30, 45, 5)
	d := randomData(rng, 100, 30, 0.5)
	e, err := New(net, Options{Batch: 100, Workers: 2, Loss: testLosses[0]})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	e.Evaluate(d, 100)
	c, err := nn.Compile(net)
	if err != nil {
		t.Fatal(err)
	}
	s, in, out := c.NewScratch(), make([]float32, c.Stride()), make([]float32, 5)
	for i := range d.x {
		clear(in)
		copy(in, d.x[i])
		c.Eval(s, in, 1, out)
		p, _, _ := e.Output(i)
		for k := range p {
			if math.Abs(float64(p[k]-out[k])) > 2e-6 {
				t.Fatalf("row %d: outputs %v, want %v", i, *p, out)
			}
		}
	}
}

// TestWideLayer: the gradients of a wide first layer, whose panels are computed
// several together, are those of one after the other, to the bit.
func TestWideLayer(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	const width = 40
	net := randomNet(rng, nn.Sigmoid, 1, width, (wide+2)*gemm.Panel+7, 10, 5)
	d := randomData(rng, 150, width, 0.5)
	density := make([]float32, width)
	density[3] = 1 // one dense column
	train := func(group int) []float32 {
		e, err := New(net, Options{Batch: 150, Workers: 2, Loss: testLosses[0], Density: density,
			Optimizer: Optimizer{Kind: Adam, Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8}})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		if e.inputs.group != panelGroup {
			t.Fatalf("groups of %d panels", e.inputs.group)
		}
		e.inputs.group = group
		for range 3 {
			e.Train(d, 150, 0.01)
		}
		return e.Weights
	}
	want := train(1)
	for i, w := range train(panelGroup) {
		if w != want[i] {
			t.Fatalf("weight %d is %v, one panel after the other %v", i, w, want[i])
		}
	}
}

// TestPaddingStaysZero: units that only fill a panel never get a weight.
func TestPaddingStaysZero(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	net := randomNet(rng, nn.Sigmoid, 1, 10, 5, 6, 5)
	d := randomData(rng, 64, 10, 1)
	e, err := New(net, Options{Batch: 64, Workers: 1, Loss: testLosses[0],
		Optimizer: Optimizer{Kind: Adam, Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8, Decay: 0.1}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for i := 0; i < 50; i++ {
		e.Train(d, 64, 0.01)
	}
	used := 0
	for _, w := range e.Weights {
		if w != 0 {
			used++
		}
	}
	if want := 11*5 + 6*6 + 7*5; used != want {
		t.Errorf("%d weights are not zero, the net has %d", used, want)
	}
}

func TestStepDoesNotAllocate(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	d := randomData(rng, 128, 20, 0.5)
	for i, workers := range []int{1, 2, 1, 2, 2, 2} {
		kind := Adam
		if i > 3 {
			kind = Muon
		}
		e, err := New(randomNet(rng, nn.Sigmoid, 1, 20, 40, 5),
			Options{Batch: 128, Workers: workers, Density: densities(20)[2].density,
				Precision: Precision(i / 2 % 2), squares: halfKernels(),
				Loss: testLosses[0], Optimizer: Optimizer{Kind: kind, Epsilon: 1e-8}})
		if err != nil {
			t.Fatal(err)
		}
		var rows Rows = d
		if got := testing.AllocsPerRun(20, func() { e.Train(rows, 128, 0.001) }); got != 0 {
			t.Errorf("%d workers: %v allocations a step", workers, got)
		}
		e.Close()
	}
}

func TestDensest(t *testing.T) {
	for _, c := range []struct {
		density []float32
		lo, hi  int
	}{
		{[]float32{0, 0, 0}, 0, 0},
		{[]float32{1, 1, 1}, 0, 3},
		{[]float32{0.1, 0.9, 0.3, 0.9, 0.1}, 1, 4},
		{[]float32{0.5, 0, 0.9, 0.9, 0, 0}, 2, 4},
		{[]float32{0, 0, 0.5}, 2, 3},
	} {
		if lo, hi := densest(c.density); lo != c.lo || hi != c.hi {
			t.Errorf("%v: %d to %d, want %d to %d", c.density, lo, hi, c.lo, c.hi)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	ok := Options{Batch: 1, Workers: 1}
	wide := randomNet(rng, nn.Sigmoid, 1, 4, 4, 6)
	relu := randomNet(rng, nn.Sigmoid, 1, 4, 4, 5)
	relu.Layers[1].Activation = nn.ReLU
	for name, c := range map[string]struct {
		net *nn.Net
		opt Options
	}{
		"6 outputs":   {wide, ok},
		"relu output": {relu, ok},
		"one layer":   {randomNet(rng, nn.Sigmoid, 1, 4, 5), ok},
		"density": {randomNet(rng, nn.Sigmoid, 1, 4, 4, 5),
			Options{Batch: 1, Workers: 1, Density: make([]float32, 3)}},
		"no batch":  {randomNet(rng, nn.Sigmoid, 1, 4, 4, 5), Options{Workers: 1}},
		"no worker": {randomNet(rng, nn.Sigmoid, 1, 4, 4, 5), Options{Batch: 1}},
		"empty":     {&nn.Net{}, ok},
	} {
		if _, err := New(c.net, c.opt); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
