package match

import (
	"math"
	"reflect"
	"testing"

	"bgtrain/benchmark/cube"
	"bgtrain/benchmark/opponents"
	"bgtrain/internal/bgtest"
)

func TestNetMatchDoesNotDependOnWorkers(t *testing.T) {
	a, b := bgtest.Player(t, 1), bgtest.Player(t, 2)
	var first []Game
	for _, workers := range []int{1, 2, 7} {
		m := play(t, &opponents.NetPlayer{Net: a, Label: "a"}, &opponents.NetPlayer{Net: b, Label: "b"}, Options{
			Games: 12, Seed: 4, Workers: workers, Cube: &[2]cube.Model{cube.Janowski{Life: 0.7, Opponent: 0.7},
				cube.Janowski{Life: 0.5, Opponent: 0.5}}, Luck: a})
		if first == nil {
			first = m.Games
		} else if !reflect.DeepEqual(first, m.Games) {
			t.Errorf("%d workers play other games", workers)
		}
	}
}

// The luck of a roll, averaged over the rolls, is zero.
func TestLuckIsFair(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long, and shares nothing that shorter tests do not")
	}
	l := &luckMeter{bgtest.Player(t, 1).NewEvaluator()}
	for i, b := range bgtest.Positions(200) {
		for _, opening := range []bool{false, true} {
			sum := 0.0
			for d1 := 1; d1 <= 6; d1++ {
				for d2 := 1; d2 <= 6; d2++ {
					if !opening || d1 != d2 {
						sum += l.measure(&b, d1, d2, opening)
					}
				}
			}
			if math.Abs(sum) > 1e-5 {
				t.Fatalf("position %d: luck %v", i, sum)
			}
		}
	}
}

// Points less luck have the mean of points, and where the luck is measured by
// what the players aim at, a smaller variance.
func TestLuckAdjustment(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long, and shares nothing that shorter tests do not")
	}
	p := bgtest.Player(t, 1)
	n := &opponents.NetPlayer{Net: p, Label: "a"}
	s := play(t, n, n, Options{Games: 60, Seed: 4, Luck: p}).Summary()
	if s.Adjusted == nil || math.Abs(s.Adjusted.Mean-s.Points.Mean) > 5*(s.Adjusted.SE+s.Points.SE) {
		t.Errorf("points %+v, adjusted %+v", s.Points, s.Adjusted)
	}
	// An exchange of seats turns it round.
	d := play(t, n, n, Options{Games: 10, Seed: 4, Luck: p, Duplicate: true}).Summary()
	if math.Abs(d.Adjusted.Mean) > 1e-12 || d.Adjusted.SE > 1e-12 {
		t.Errorf("duplicate dice: adjusted %+v", d.Adjusted)
	}
}

func BenchmarkPubEvalGame(b *testing.B) {
	m, _ := opponents.PubEval{}.NewMover()
	g := game{movers: [2]opponents.Mover{m, m}}
	b.ReportAllocs()
	for i := uint64(0); b.Loop(); i++ {
		if _, err := g.play(NewDice(1, i), 0); err != nil {
			b.Fatal(err)
		}
	}
}
