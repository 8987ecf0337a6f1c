package benchmark

import (
	"testing"

	"bgtrain/internal/bg"
)

func TestPlanOf(t *testing.T) {
	for _, c := range []struct {
		name string
		b    bg.Board
		want Plan
	}{
		{"opening", bg.Start, Anchoring}, // the two back checkers hold the 24-point
		{"race", bg.Board{
			Me:  bg.Side{2: 5, 3: 5, 5: 5},
			Opp: bg.Side{2: 5, 3: 5, 5: 5}}, Racing},
		{"two stragglers to pass", bg.Board{
			Me:  bg.Side{3: 5, 4: 5, 5: 4, 13: 1},
			Opp: bg.Side{3: 5, 4: 5, 5: 4, 11: 1}}, Racing},
		{"bearing off against an ace-point game", bg.Board{
			Me:  bg.Side{1: 3, 2: 3, 3: 3, 4: 3, 5: 2},
			Opp: bg.Side{23: 2, 3: 3, 4: 5, 5: 5}}, BearingOffAgainst},
		{"the ace-point game itself", bg.Board{
			Me:  bg.Side{23: 2, 3: 3, 4: 5, 5: 5},
			Opp: bg.Side{1: 3, 2: 3, 3: 3, 4: 3, 5: 2}}, Anchoring},
		{"one checker closed out", bg.Board{
			Me:  bg.Side{0: 2, 1: 2, 2: 2, 3: 2, 4: 2, 5: 3, 12: 2},
			Opp: bg.Side{24: 1, 0: 4, 1: 3}}, Containing},
		{"back game", bg.Board{
			Me:  bg.Side{22: 2, 21: 3, 18: 2, 12: 3, 7: 2, 5: 3},
			Opp: bg.Side{4: 4, 3: 3, 7: 3, 8: 2, 12: 3}}, BackGame},
		{"blitz", bg.Board{
			Me:  bg.Side{5: 4, 4: 2, 3: 2, 7: 2, 2: 1, 12: 2, 23: 2},
			Opp: bg.Side{24: 2, 5: 5, 7: 3, 12: 5}}, Blitzing},
		{"prime", bg.Board{
			Me:  bg.Side{3: 2, 4: 2, 5: 2, 6: 2, 7: 2, 14: 3, 12: 2},
			Opp: bg.Side{22: 2, 5: 5, 7: 3, 12: 5}}, Priming},
		{"one back", bg.Board{
			Me:  bg.Side{5: 5, 7: 3, 12: 6, 21: 1},
			Opp: bg.Side{5: 5, 7: 3, 12: 5, 20: 2}}, Escaping},
		{"coming home past the opponent's anchor", bg.Board{
			Me:  bg.Side{5: 5, 7: 3, 12: 5, 14: 2},
			Opp: bg.Side{5: 5, 7: 3, 8: 5, 19: 2}}, OutsideContact},
	} {
		if err := c.b.Check(); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := PlanOf(&c.b); got != c.want {
			t.Errorf("%s: %v, %v expected", c.name, got, c.want)
		}
	}
}

// Every plan occurs, and none swallows nearly all.
func TestPlansSpread(t *testing.T) {
	var count [NumPlans]int
	m, _ := PubEval{}.NewMover()
	n := 0
	for seed := range uint64(60) {
		b, d := bg.Start, newDice(seed, 0)
		for turn := 0; turn < 200 && Points(&b) == 0; turn++ {
			count[PlanOf(&b)]++
			n++
			d1, d2 := d.roll()
			b, _ = m.Play(&b, d1, d2)
		}
	}
	for p, c := range count {
		t.Logf("%-34v %5.1f %%", Plan(p), 100*float64(c)/float64(n))
		if c == 0 || c > n/2 {
			t.Errorf("%v: %d of %d positions", Plan(p), c, n)
		}
	}
}
