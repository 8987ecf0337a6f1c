package grow

import (
	"slices"
	"testing"
)

// Pruning nets learn from the labels of the round before, too.
func TestPruningNetsLearnFromLabels(t *testing.T) {
	n, err := newRun(&grower{r: parse(t, good), o: &Options{}, st: &store{}})
	if err != nil {
		t.Fatal(err)
	}
	n.best = n.start()
	now := n.r.first()
	var before []*Stage
	for round := 1; round <= 3; round++ {
		if more, err := n.next(&now); err != nil || !more {
			t.Fatal(more, err)
		}
		s := n.stages(&now)
		prune := s.labels[0].inputs[0]
		if prune.Kind != KindPrune || prune.inputs[0] != n.best || prune.inputs[1].Kind != KindValues ||
			!slices.Equal(prune.inputs[2:], before) {
			t.Errorf("round %d: %s", round, prune.Command)
		}
		n.best, before = s.player(), slices.Concat(s.labels, s.races)
	}
}
