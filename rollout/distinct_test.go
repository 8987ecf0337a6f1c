package rollout

import (
	"testing"

	"bgtrain/internal/bg"
	"bgtrain/internal/bgtest"
	"bgtrain/internal/player"
)

// TestDistinct: each position is evaluated once, and its outputs are those of
// EvaluateBatch.
func TestDistinct(t *testing.T) {
	p := randomPlayer(t, 1, 8, nil, player.Options{})
	x := newExpander(p, &Options{})
	repeated := 0
	for _, b := range bgtest.Distinct(4, 30) {
		x.generate(&b)
		got, want := make([]bg.Outputs, len(x.all)), make([]bg.Outputs, len(x.all))
		x.distinct.evaluate(x.eval, x.all, got)
		x.eval.EvaluateBatch(x.all, want)
		different := map[bg.Board]bool{}
		for i := range x.all {
			different[x.all[i]] = true
			if got[i] != want[i] {
				t.Fatalf("%s, play %d: %v, want %v", b.Key(), i, got[i], want[i])
			}
		}
		if n := len(x.distinct.boards); n != len(different) {
			t.Errorf("%s: %d positions evaluated, %d are different", b.Key(), n, len(different))
		}
		repeated += len(x.all) - len(different)
	}
	if repeated == 0 {
		t.Error("no position repeats")
	}
	x.generate(&bg.Start)
	outs := make([]bg.Outputs, len(x.all))
	if n := testing.AllocsPerRun(10, func() { x.distinct.evaluate(x.eval, x.all, outs) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
