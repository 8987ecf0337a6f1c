package nets

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"bgtrain/internal/bg"
	"bgtrain/internal/nn"
)

// withIdle returns a rectified net of two hidden layers with a third of the units of
// the first and a unit of the second that are 0 whatever the inputs, within 0 to 1, are.
func withIdle(seed uint64) *nn.Net {
	limit := func(_, inputs int) float64 { return 1 / math.Sqrt(float64(inputs)) }
	n := Random(rand.New(rand.NewPCG(seed, 5)), limit, nn.ReLU, 20, 12, 8, bg.NumOutputs)
	for unit := 1; unit < 12; unit += 3 {
		n.Layers[0].Bias[unit] = -100
	}
	n.Layers[1].Bias[2] = -100
	for unit := range n.Layers[1].Bias {
		if unit != 2 {
			n.Layers[1].Bias[unit] = 10 // never idle
		}
	}
	for unit := range n.Layers[0].Bias {
		if unit%3 != 1 {
			n.Layers[0].Bias[unit] = 5
		}
	}
	return n
}

// rows returns inputs from 0 to 1, some of them 0.
func rows(n int) func(row int, x []float32) {
	rng := rand.New(rand.NewPCG(9, 9))
	all := make([][]float32, n)
	for i := range all {
		all[i] = make([]float32, 20)
		for k := range all[i] {
			all[i][k] = max(0, float32(rng.Float64()*2-1))
		}
	}
	return func(row int, x []float32) { copy(x, all[row]) }
}

func TestActive(t *testing.T) {
	const n = 50
	got := Active(withIdle(1), n, rows(n))
	want := [][]int{{n, 0, n, n, 0, n, n, 0, n, n, 0, n}, {n, n, 0, n, n, n, n, n}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("active on %v rows, %v expected", got, want)
	}
	// A unit that a single row moves counts once.
	one := withIdle(1)
	one.Layers[0].Bias[1] = 0
	for i := range 20 {
		one.Layers[0].Weights[i*12+1] = 0
	}
	one.Layers[0].Weights[7*12+1] = 1
	some := 0
	x := make([]float32, 20)
	input := rows(n)
	for row := range n {
		if input(row, x); x[7] > 0 {
			some++
		}
	}
	if got := Active(one, n, input)[0][1]; got != some || some == 0 || some == n {
		t.Errorf("active on %d rows, %d expected", got, some)
	}
	if got := Active(sigmoids(1, 20, 6, bg.NumOutputs), n, rows(n)); !reflect.DeepEqual(got, [][]int{nil}) {
		t.Errorf("sigmoids: %v", got)
	}
	mixed := withIdle(1)
	mixed.Layers[0].Activation = nn.Tanh
	if got := Active(mixed, n, rows(n)); !reflect.DeepEqual(got, [][]int{nil, nil}) {
		t.Errorf("after a layer of another activation: %v", got)
	}
}

func TestTrimAndReviveKeepTheFunction(t *testing.T) {
	const n = 50
	input := rows(n)
	net := withIdle(2)
	active := Active(net, n, input)
	trimmed, err := Trim(net, active)
	if err != nil {
		t.Fatal(err)
	}
	revived, err := Revive(rand.New(rand.NewPCG(3, 3)), net, n, input)
	if err != nil {
		t.Fatal(err)
	}
	if sizes := [2]int{trimmed.Layers[0].Out, trimmed.Layers[1].Out}; sizes != [2]int{8, 7} {
		t.Errorf("trimmed to %v units", sizes)
	}
	if sizes := [2]int{revived.Layers[0].Out, revived.Layers[1].Out}; sizes != [2]int{12, 8} {
		t.Errorf("revived with %v units", sizes)
	}
	x := make([]float32, 20)
	for row := range n {
		input(row, x)
		want := evaluate(t, net, x)
		for _, other := range []*nn.Net{trimmed, revived} {
			if err := other.Check(); err != nil {
				t.Fatal(err)
			}
			for k, v := range evaluate(t, other, x) {
				if math.Abs(float64(v-want[k])) > 1e-6 {
					t.Fatalf("row %d: output %d is %v, was %v", row, k, v, want[k])
				}
			}
		}
	}
	for layer, counts := range Active(revived, n, input) {
		for unit, c := range counts {
			if c == 0 {
				t.Errorf("layer %d: unit %d is idle again", layer, unit)
			}
		}
	}
	if !sameWeights(net, withIdle(2)) {
		t.Error("the net itself was changed")
	}
}

func TestTrimLeavesAUnit(t *testing.T) {
	net := withIdle(4)
	for i := range net.Layers[1].Bias {
		net.Layers[1].Bias[i] = -1e6
	}
	trimmed, err := Trim(net, Active(net, 10, rows(10)))
	if err != nil || trimmed.Layers[1].Out != 1 || trimmed.Check() != nil {
		t.Errorf("%v, %v", err, trimmed)
	}
	if _, err := Trim(net, [][]int{{1}}); err == nil {
		t.Error("trimmed by the counts of another net")
	}
	if _, err := Trim(net, [][]int{{1}, nil}); err == nil {
		t.Error("trimmed by counts of fewer units")
	}
}

// TestNeighbors: units that are active on the same rows lie side by side, and the net
// computes the same.
func TestNeighbors(t *testing.T) {
	const n, inputs, units = 64, 20, 12
	rng := rand.New(rand.NewPCG(3, 3))
	net := Random(rng, func(_, in int) float64 { return 1 / math.Sqrt(float64(in)) }, nn.ReLU, inputs, units, 8,
		bg.NumOutputs)
	// Units u and u+6 are active where input u is not 0, and nowhere else.
	first := &net.Layers[0]
	clear(first.Weights)
	for u := range units {
		first.Bias[u] = 0
		first.Weights[u%6*units+u] = 1 + float32(u)
	}
	input := rows(n)
	got := Neighbors(net, n, input)
	for two := 0; two < units; two += 2 {
		var in [2]int
		for k := range in {
			for i := range inputs {
				if got.Layers[0].Weights[i*units+two+k] != 0 {
					in[k] = i
				}
			}
		}
		if in[0] != in[1] {
			t.Errorf("units %d and %d are active by inputs %d and %d", two, two+1, in[0], in[1])
		}
	}
	x := make([]float32, inputs)
	for row := range n {
		input(row, x)
		a, b := evaluate(t, net, x), evaluate(t, got, x)
		for o := range a {
			if math.Abs(float64(a[o]-b[o])) > 1e-6 {
				t.Fatalf("row %d: %v, %v expected", row, b, a)
			}
		}
	}
}

// TestWeightiest: what gives the next layer least goes first, and other layers stay.
func TestWeightiest(t *testing.T) {
	const n = 50
	input := rows(n)
	net := withIdle(6)
	got, err := Weightiest(net, []int{8, 8}, n, input)
	if err != nil {
		t.Fatal(err)
	}
	if sizes := [2]int{got.Layers[0].Out, got.Layers[1].Out}; sizes != [2]int{8, 8} {
		t.Errorf("%v units are left", sizes)
	}
	// The 4 that are 0 everywhere give nothing.
	x := make([]float32, 20)
	for row := range n {
		input(row, x)
		want := evaluate(t, net, x)
		for k, v := range evaluate(t, got, x) {
			if math.Abs(float64(v-want[k])) > 1e-6 {
				t.Fatalf("row %d: output %d is %v, was %v", row, k, v, want[k])
			}
		}
	}
	// A unit with outgoing weights of 0 gives nothing either, however active.
	quiet := withIdle(6)
	clear(quiet.Layers[1].Weights[3*8 : 4*8])
	got, err = Weightiest(quiet, []int{7, 100}, n, input)
	if err != nil || got.Layers[0].Out != 7 {
		t.Fatalf("%v, %v", err, got)
	}
	for row := range n {
		input(row, x)
		want := evaluate(t, quiet, x)
		for k, v := range evaluate(t, got, x) {
			if math.Abs(float64(v-want[k])) > 1e-6 {
				t.Fatalf("row %d: without a unit that gives nothing, output %d is %v, was %v", row, k, v, want[k])
			}
		}
	}
	if _, err := Weightiest(net, []int{8}, n, input); err == nil {
		t.Error("one width for two hidden layers")
	}
}
