package nets

import (
	"errors"
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

// rows returns n rows of inputs from 0 to 1, some of them 0.
func rows(n int) Rows {
	rng := rand.New(rand.NewPCG(9, 9))
	all := make([][]float32, n)
	for i := range all {
		all[i] = make([]float32, 20)
		for k := range all[i] {
			all[i][k] = max(0, float32(rng.Float64()*2-1))
		}
	}
	return Rows{n, func(row int, x []float32) error {
		copy(x, all[row])
		return nil
	}}
}

// active is Active, which does not fail.
func active(t *testing.T, n *nn.Net, rows Rows) [][]int {
	t.Helper()
	got, err := Active(n, rows)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// equal checks that two nets compute the same on the rows.
func equal(t *testing.T, got, want *nn.Net, rows Rows) {
	t.Helper()
	if err := got.Check(); err != nil {
		t.Fatal(err)
	}
	x := make([]float32, want.Inputs())
	for row := range rows.N {
		if err := rows.Input(row, x); err != nil {
			t.Fatal(err)
		}
		a, b := evaluate(t, want, x), evaluate(t, got, x)
		for k := range a {
			if math.Abs(float64(a[k]-b[k])) > 1e-6 {
				t.Fatalf("row %d: output %d is %v, was %v", row, k, b[k], a[k])
			}
		}
	}
}

func TestActive(t *testing.T) {
	const n = 50
	got := active(t, withIdle(1), rows(n))
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
		if input.Input(row, x); x[7] > 0 {
			some++
		}
	}
	if got := active(t, one, input)[0][1]; got != some || some == 0 || some == n {
		t.Errorf("active on %d rows, %d expected", got, some)
	}
	if got := active(t, sigmoids(1, 20, 6, bg.NumOutputs), rows(n)); !reflect.DeepEqual(got, [][]int{nil}) {
		t.Errorf("sigmoids: %v", got)
	}
	mixed := withIdle(1)
	mixed.Layers[0].Activation = nn.Tanh
	if got := active(t, mixed, rows(n)); !reflect.DeepEqual(got, [][]int{nil, nil}) {
		t.Errorf("after a layer of another activation: %v", got)
	}
}

func TestTrimAndReviveKeepTheFunction(t *testing.T) {
	const n = 50
	input := rows(n)
	net := withIdle(2)
	trimmed, err := Trim(net, active(t, net, input))
	if err != nil {
		t.Fatal(err)
	}
	revived, err := Revive(rand.New(rand.NewPCG(3, 3)), net, input)
	if err != nil {
		t.Fatal(err)
	}
	if sizes := [2]int{trimmed.Layers[0].Out, trimmed.Layers[1].Out}; sizes != [2]int{8, 7} {
		t.Errorf("trimmed to %v units", sizes)
	}
	if sizes := [2]int{revived.Layers[0].Out, revived.Layers[1].Out}; sizes != [2]int{12, 8} {
		t.Errorf("revived with %v units", sizes)
	}
	equal(t, trimmed, net, input)
	equal(t, revived, net, input)
	for layer, counts := range active(t, revived, input) {
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
	trimmed, err := Trim(net, active(t, net, rows(10)))
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
	got, err := Neighbors(net, input)
	if err != nil {
		t.Fatal(err)
	}
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
	equal(t, got, net, input)
}

// TestWeightiest: what gives the next layer least goes first, and other layers stay.
func TestWeightiest(t *testing.T) {
	const n = 50
	input := rows(n)
	net := withIdle(6)
	got, err := Weightiest(net, []int{8, 8}, input)
	if err != nil {
		t.Fatal(err)
	}
	if sizes := [2]int{got.Layers[0].Out, got.Layers[1].Out}; sizes != [2]int{8, 8} {
		t.Errorf("%v units are left", sizes)
	}
	// The 4 that are 0 everywhere give nothing.
	equal(t, got, net, input)
	// A unit with outgoing weights of 0 gives nothing either, however active.
	quiet := withIdle(6)
	clear(quiet.Layers[1].Weights[3*8 : 4*8])
	got, err = Weightiest(quiet, []int{7, 100}, input)
	if err != nil || got.Layers[0].Out != 7 {
		t.Fatalf("%v, %v", err, got)
	}
	equal(t, got, quiet, input)
	if _, err := Weightiest(net, []int{8}, input); err == nil {
		t.Error("one width for two hidden layers")
	}
}

// TestRowsStop: the first error of the rows ends each pass and comes back.
func TestRowsStop(t *testing.T) {
	stop := errors.New("stop")
	asked := 0
	some := rows(50)
	input := Rows{some.N, func(row int, x []float32) error {
		if asked++; row == 3 {
			return stop
		}
		return some.Input(row, x)
	}}
	n := withIdle(7)
	passes := map[string]func() error{
		"Active":     func() error { _, err := Active(n, input); return err },
		"Neighbors":  func() error { _, err := Neighbors(n, input); return err },
		"Revive":     func() error { _, err := Revive(rand.New(rand.NewPCG(1, 1)), n, input); return err },
		"Weightiest": func() error { _, err := Weightiest(n, []int{7, 7}, input); return err },
	}
	for name, pass := range passes {
		if asked = 0; !errors.Is(pass(), stop) || asked != 4 {
			t.Errorf("%s: asked for %d rows", name, asked)
		}
	}
}

// TestQuiet: each unit is active on the part of the rows that was asked for.
func TestQuiet(t *testing.T) {
	limit := func(_, inputs int) float64 { return 1 / math.Sqrt(float64(inputs)) }
	n := Random(rand.New(rand.NewPCG(3, 5)), limit, nn.ReLU, 20, 12, 8, bg.NumOutputs)
	rows := rows(100)
	if err := Quiet(n, rows, 0.2); err != nil {
		t.Fatal(err)
	}
	active, err := Active(n, rows)
	if err != nil {
		t.Fatal(err)
	}
	for layer, counts := range active {
		for unit, c := range counts {
			if c < 15 || c > 20 { // fewer where rows are alike
				t.Errorf("layer %d: unit %d is active on %d rows of 100", layer, unit, c)
			}
		}
	}
}
