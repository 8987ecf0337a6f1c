package grow

import (
	"slices"
	"strings"
	"testing"

	"bgtrain/internal/bg"
	"bgtrain/rollout/selfplay"
)

// Pruning nets learn from the labels of the round before, too.
func TestPruningNetsLearnFromLabels(t *testing.T) {
	n, err := newRun(&grower{r: parse(t, good), o: &Options{}, st: &store{}})
	if err != nil {
		t.Fatal(err)
	}
	n.pass(n.start())
	now := n.r.first()
	var before []*Stage
	for round := 1; round <= 3; round++ {
		if more, err := n.next(&now); err != nil || !more {
			t.Fatal(more, err)
		}
		s := n.stages(&now)
		prune := s.labels[0].inputs[0]
		if prune.Kind != KindPrune || prune.inputs[0] != n.best() || prune.inputs[1].Kind != KindValues ||
			!slices.Equal(prune.inputs[2:], before) {
			t.Errorf("round %d: %s", round, prune.Command)
		}
		n.pass(s.player())
		before = slices.Concat(s.labels, s.races)
	}
}

// Every class has a pruning net, and positions for it, also where a round begins no trials in it.
func TestPruningNetsOfAllClasses(t *testing.T) {
	n, err := newRun(&grower{r: parse(t, good), o: &Options{}, st: &store{}})
	if err != nil {
		t.Fatal(err)
	}
	crashed := newRound().Positions
	crashed.Shares = selfplay.Shares{bg.Crashed: 1}
	positions := n.prune(1, n.start(), crashed, nil).inputs[1].inputs[1]
	for _, class := range []string{"contact=", "crashed=", "race="} {
		if !strings.Contains(strings.Join(positions.settings, " "), class) {
			t.Errorf("no %s in %q", class, positions.settings)
		}
	}
	if len(crashed.Shares) != 1 {
		t.Error("the round's own shares changed")
	}
}
