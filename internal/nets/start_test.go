package nets

import (
	"math/rand/v2"
	"strings"
	"testing"

	"bgtrain/features"
	"bgtrain/internal/bg"
	"bgtrain/internal/nn"
)

func tesauroEntry(hidden ...int) *Entry {
	sizes := append(append([]int{196}, hidden...), bg.NumOutputs)
	return &Entry{Net: Random(rand.New(rand.NewPCG(1, 2)), ByInputs, nn.Sigmoid, sizes...), Inputs: "tesauro",
		InputsVersion: 1}
}

// Each role has random weights of its own, also in units that are added.
func TestRolesHaveTheirOwnWeights(t *testing.T) {
	s := Start{Seed: 1, Inputs: "tesauro", Hidden: []int{7}}
	seen := map[float32]bool{}
	for _, role := range Main {
		fresh, err := s.Random(role)
		if err != nil {
			t.Fatal(err)
		}
		wide, err := s.Widen(role, tesauroEntry(5).Net)
		if err != nil {
			t.Fatal(err)
		}
		// The last unit of the first input: a new one of the widened net.
		for _, n := range []*nn.Net{fresh.Net, wide} {
			w := n.Layers[0].Weights[6]
			if seen[w] || w == 0 {
				t.Errorf("%s: weight %g again", role, w)
			}
			seen[w] = true
		}
	}
}

func TestStartMovesAndWidens(t *testing.T) {
	s := Start{Seed: 1, Inputs: "blog-2.4", Hidden: []int{9}}
	moved, err := s.Move(Contact, tesauroEntry(5))
	if err != nil {
		t.Fatal(err)
	}
	wide, err := s.Widen(Contact, moved.Net)
	if err != nil {
		t.Fatal(err)
	}
	if moved.Inputs != "blog-2.4" || wide.Inputs() != features.Blog24.Size || wide.Layers[0].Out != 9 {
		t.Errorf("inputs %s, %d, hidden %d", moved.Inputs, wide.Inputs(), wide.Layers[0].Out)
	}
	s.Inputs = "gnubg"
	if _, err := s.Move(Contact, tesauroEntry(5)); err == nil || !strings.Contains(err.Error(), "no input") {
		t.Errorf("moved to inputs that lack some: %v", err)
	}
	s.Hidden = []int{4}
	if _, err := s.Widen(Contact, tesauroEntry(5).Net); err == nil {
		t.Error("narrowed")
	}
	s.Hidden = []int{9, 8}
	if _, err := s.Widen(Contact, tesauroEntry(5).Net); err == nil ||
		!strings.Contains(err.Error(), "other hidden layers") {
		t.Errorf("deepened: %v", err)
	}
	deep := Random(rand.New(rand.NewPCG(1, 1)), ByInputs, nn.Sigmoid, 6, 4, 3, 5)
	s.Hidden = []int{9, 3}
	if wide, err = s.Widen(Contact, deep); err != nil || wide.Layers[0].Out != 9 || wide.Layers[1].Out != 3 ||
		wide.Layers[1].In != 9 {
		t.Errorf("a second hidden layer: %v, %v", wide, err)
	}
}
