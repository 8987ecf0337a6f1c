package bg

import (
	"testing"
)

func TestPlanFilter(t *testing.T) {
	opening := PlanOf(&Start).String()
	for _, c := range []struct {
		with, without []string
		keeps         bool
		text          string
	}{
		{nil, nil, true, ""},
		{[]string{"back game"}, nil, false, "plans=back game"},
		{[]string{opening, "back game"}, nil, true, "plans=back game," + opening},
		{nil, []string{opening}, false, "without=" + opening},
		{nil, []string{"back game"}, true, "without=back game"},
		{[]string{opening}, []string{"racing"}, true, "plans=" + opening + " without=racing"},
	} {
		var f PlanFilter
		var err error
		if f.With, err = ParsePlans(c.with); err != nil {
			t.Fatal(err)
		}
		if f.Without, err = ParsePlans(c.without); err != nil {
			t.Fatal(err)
		}
		if f.Keeps(&Start) != c.keeps || f.String() != c.text {
			t.Errorf("plans %v, without %v: keeps %v, %q", c.with, c.without, f.Keeps(&Start), f.String())
		}
	}
	if _, err := ParsePlans([]string{"backgame"}); err == nil {
		t.Error("an unknown plan is taken")
	}
	// The other side's plan counts as much.
	b, err := ParseKey("AAABIAMCNMAEEDAMADAA")
	if err != nil {
		t.Fatal(err)
	}
	board, err := b.Board()
	if err != nil {
		t.Fatal(err)
	}
	swapped := board.Swapped()
	f := PlanFilter{With: 1 << BackGame}
	if f.Keeps(&board) != f.Keeps(&swapped) {
		t.Error("a position is kept from one side only")
	}
}
