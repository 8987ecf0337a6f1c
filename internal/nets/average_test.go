package nets

import (
	"math"
	"math/rand/v2"
	"testing"

	"bgtrain/internal/nn"
)

func TestAverage(t *testing.T) {
	player := func(seed uint64, sizes ...int) *Set {
		return &Set{Nets: map[Role]*Entry{
			Contact: {Net: Random(rand.New(rand.NewPCG(seed, 1)), ByInputs, nn.Sigmoid, sizes...), Inputs: "x"},
			Race:    {Net: Random(rand.New(rand.NewPCG(seed, 2)), ByInputs, nn.Sigmoid, 3, 5), Inputs: "y"},
		}}
	}
	a, b := player(1, 4, 3, 5), player(2, 4, 3, 5)
	mean, err := Average(a, b, 0.25, Contact)
	if err != nil {
		t.Fatal(err)
	}
	x, y := a.Nets[Contact].Net.Layers[1].Weights[7], b.Nets[Contact].Net.Layers[1].Weights[7]
	if got, want := mean.Nets[Contact].Net.Layers[1].Weights[7], 0.75*x+0.25*y; math.Abs(float64(got-want)) > 1e-7 ||
		x == y {
		t.Errorf("%v between %v and %v, %v expected", got, x, y, want)
	}
	if mean.Nets[Race] != a.Nets[Race] || a.Nets[Contact].Net.Layers[1].Weights[7] != x {
		t.Error("another net changed")
	}
	for name, other := range map[string]*Set{"another shape": player(2, 4, 2, 5), "no net": {Nets: map[Role]*Entry{}}} {
		if _, err := Average(a, other, 0.5, Contact); err == nil {
			t.Error(name)
		}
	}
	b.Nets[Contact].Inputs = "z"
	if _, err := Average(a, b, 0.5, Contact); err == nil {
		t.Error("other inputs")
	}
}
