package opponents

import (
	"testing"

	"bgtrain/internal/bg"
	"bgtrain/internal/bgtest"
)

func TestObjectiveWins(t *testing.T) {
	p := bgtest.Player(t, 3)
	m, _ := (&NetPlayer{Net: p, Objective: Wins}).NewMover()
	e := p.NewEvaluator()
	var plays bg.Plays
	differ := 0
	for _, b := range bgtest.Positions(300) {
		after, err := m.Play(&b, 4, 2)
		if err != nil {
			t.Fatal(err)
		}
		got := e.Evaluate(&after, 0)
		for _, r := range plays.Generate(&b, 4, 2) {
			if o := e.Evaluate(&r, 0); o[bg.Win] < got[bg.Win] {
				t.Fatalf("%s: opponent wins %v, could be %v", b.Key(), got[bg.Win], o[bg.Win])
			}
		}
		if best, _ := e.BestPlay(&b, 4, 2, 0); best != after {
			differ++
		}
	}
	if differ == 0 {
		t.Error("the objective makes no difference")
	}
}
