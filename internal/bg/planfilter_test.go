package bg

import (
	"errors"
	"strings"
	"testing"
)

func TestPlanFilter(t *testing.T) {
	opening := PlanOf(&Start).String()
	for _, c := range []struct {
		with, without, themes []string
		keeps                 bool
		text                  string
	}{
		{nil, nil, nil, true, ""},
		{[]string{"back game"}, nil, nil, false, "plans=back game"},
		{[]string{opening, "back game"}, nil, nil, true, "plans=back game," + opening},
		{nil, []string{opening}, nil, false, "without=" + opening},
		{nil, []string{"back game"}, nil, true, "without=back game"},
		{[]string{opening}, []string{"racing"}, nil, true, "plans=" + opening + " without=racing"},
		{nil, nil, []string{"containment", "ace-point game"}, false, "themes=ace-point game,containment"},
		{nil, nil, []string{"other", "back game"}, true, "themes=back game,other"},
		{nil, []string{opening}, []string{"other"}, false, "without=" + opening + " themes=other"},
	} {
		var f PlanFilter
		if err := errors.Join(f.With.Set(strings.Join(c.with, ",")), f.Without.Set(strings.Join(c.without, ",")),
			f.Themes.Set(strings.Join(c.themes, ","))); err != nil {
			t.Fatal(err)
		}
		if f.Keeps(&Start) != c.keeps || f.String() != c.text {
			t.Errorf("plans %v, without %v, themes %v: keeps %v, %q", c.with, c.without, c.themes, f.Keeps(&Start), f.String())
		}
	}
	if err := new(Plans).Set("backgame"); err == nil {
		t.Error("an unknown plan is taken")
	}
	if err := new(Themes).Set("containing"); err == nil {
		t.Error("an unknown theme is taken")
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
