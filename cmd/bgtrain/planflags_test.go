package main

import (
	"testing"

	"bgtrain/internal/bg"
)

func TestPlanFilter(t *testing.T) {
	start := bg.Start.Key()
	for _, c := range []struct {
		with, without []string
		has           bool
	}{
		{nil, nil, true},
		{[]string{"back game"}, nil, false},
		{[]string{"back game", bg.PlanOf(&bg.Start).String()}, nil, true},
		{nil, []string{bg.PlanOf(&bg.Start).String()}, false},
		{nil, []string{"back game"}, true},
	} {
		p := planFilter{with: c.with, without: c.without}
		if err := p.parse(); err != nil {
			t.Fatal(err)
		}
		if p.has(start) != c.has {
			t.Errorf("plans %v, without %v: %v", c.with, c.without, !c.has)
		}
	}
	if err := (&planFilter{with: []string{"backgame"}}).parse(); err == nil {
		t.Error("an unknown plan is taken")
	}
	if got := (&planFilter{with: []string{"a", "b"},
		without: []string{"c"}}).describe(); got != " plans=a,b without=c" {
		t.Errorf("described as %q", got)
	}
}
