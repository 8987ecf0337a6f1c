package bg

import (
	"testing"
)

func TestPlanOf(t *testing.T) {
	for _, c := range []struct {
		name string
		b    Board
		want Plan
	}{
		{"opening", Start, Anchoring}, // the two back checkers hold the 24-point
		{"race", Board{
			Me:  Side{2: 5, 3: 5, 5: 5},
			Opp: Side{2: 5, 3: 5, 5: 5}}, Racing},
		{"two stragglers to pass", Board{
			Me:  Side{3: 5, 4: 5, 5: 4, 13: 1},
			Opp: Side{3: 5, 4: 5, 5: 4, 11: 1}}, Racing},
		{"bearing off against an ace-point game", Board{
			Me:  Side{1: 3, 2: 3, 3: 3, 4: 3, 5: 2},
			Opp: Side{23: 2, 3: 3, 4: 5, 5: 5}}, BearingOffAgainst},
		{"the ace-point game itself", Board{
			Me:  Side{23: 2, 3: 3, 4: 5, 5: 5},
			Opp: Side{1: 3, 2: 3, 3: 3, 4: 3, 5: 2}}, Anchoring},
		{"one checker closed out", Board{
			Me:  Side{0: 2, 1: 2, 2: 2, 3: 2, 4: 2, 5: 3, 12: 2},
			Opp: Side{24: 1, 0: 4, 1: 3}}, Containing},
		{"back game", Board{
			Me:  Side{22: 2, 21: 3, 18: 2, 12: 3, 7: 2, 5: 3},
			Opp: Side{4: 4, 3: 3, 7: 3, 8: 2, 12: 3}}, BackGame},
		{"blitz", Board{
			Me:  Side{5: 4, 4: 2, 3: 2, 7: 2, 2: 1, 12: 2, 23: 2},
			Opp: Side{24: 2, 5: 5, 7: 3, 12: 5}}, Blitzing},
		{"prime", Board{
			Me:  Side{3: 2, 4: 2, 5: 2, 6: 2, 7: 2, 14: 3, 12: 2},
			Opp: Side{22: 2, 5: 5, 7: 3, 12: 5}}, Priming},
		{"one back", Board{
			Me:  Side{5: 5, 7: 3, 12: 6, 21: 1},
			Opp: Side{5: 5, 7: 3, 12: 5, 20: 2}}, Escaping},
		{"coming home past the opponent's anchor", Board{
			Me:  Side{5: 5, 7: 3, 12: 5, 14: 2},
			Opp: Side{5: 5, 7: 3, 8: 5, 19: 2}}, OutsideContact},
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
	boards := gamePositions(t)
	for i := range boards {
		count[PlanOf(&boards[i])]++
	}
	for p, c := range count {
		t.Logf("%-34v %5.1f %%", Plan(p), 100*float64(c)/float64(len(boards)))
		if c == 0 || c > len(boards)/2 {
			t.Errorf("%v: %d of %d positions", Plan(p), c, len(boards))
		}
	}
}

func TestParsePlan(t *testing.T) {
	for p := range NumPlans {
		if got, err := ParsePlan(p.String()); err != nil || got != p {
			t.Errorf("%q: %v, %v", p.String(), got, err)
		}
	}
	if _, err := ParsePlan("backgame"); err == nil {
		t.Error("a name of none is taken for one")
	}
}
