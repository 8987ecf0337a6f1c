package nets

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bgtrain/features"
	"bgtrain/internal/bg"
	"bgtrain/internal/nn"
)

func TestMoveKeepsTheFunction(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	e := &Entry{Net: sigmoids(1, 196, 12, bg.NumOutputs), Inputs: "tesauro", InputsVersion: 1}
	outputs := func(e *Entry, set *features.Set, b *bg.Board) []float32 {
		x := make([]float32, set.Size)
		set.Encode(b, x)
		return evaluate(t, e.Net, x)
	}
	sets := []*features.Set{features.Tesauro, features.Blog2, features.Blog21, features.Blog24, features.Blog35}
	for i, set := range sets[1:] {
		moved, err := Move(rng, e, set, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := moved.check(); err != nil {
			t.Fatal(err)
		}
		small, err := Move(rng, e, set, 0.1)
		if err != nil {
			t.Fatal(err)
		}
		same := true
		var plays bg.Plays
		b := bg.Start
		for range 600 {
			want := outputs(e, sets[i], &b)
			got, other := outputs(moved, set, &b), outputs(small, set, &b)
			for k := range want {
				if math.Abs(float64(got[k]-want[k])) > 1e-6 {
					t.Fatalf("%s: outputs %v, were %v", set.Name, got, want)
				}
				same = same && other[k] == want[k]
			}
			next := plays.Generate(&b, 1+rng.IntN(6), 1+rng.IntN(6))
			if b = next[rng.IntN(len(next))]; b.Me.Back() < 0 || b.Opp.Back() < 0 {
				b = bg.Start
			}
		}
		if same {
			t.Errorf("%s: new weights within 0.1 change nothing", set.Name)
		}
		e = moved
	}
	if _, err := Move(rng, e, features.Tesauro, 0); err == nil || !strings.Contains(err.Error(), "random weights") {
		t.Errorf("moved to fewer inputs: %v", err)
	}
}

func TestCloneSharesNothing(t *testing.T) {
	s := tesauroPlayer(1, nn.Sigmoid, 4)
	want := s.Fingerprint()
	c := s.Clone()
	if c.Fingerprint() != want {
		t.Fatal("the copy differs")
	}
	for _, e := range c.Nets {
		for i := range e.Net.Layers {
			e.Net.Layers[i].Weights[0]++
			e.Net.Layers[i].Bias[0]++
		}
	}
	if s.Fingerprint() != want || c.Fingerprint() == want {
		t.Error("copy and original share weights")
	}
}
