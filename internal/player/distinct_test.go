package player

import (
	"testing"

	"bgtrain/internal/bg"
)

// TestDistinct: each position is evaluated once, and its outputs are those of
// EvaluateBatch.
func TestDistinct(t *testing.T) {
	e := newPlayer(t, randomFile(t, 1, 8), Options{}).NewEvaluator()
	var plays bg.Plays
	var first [len(bg.Rolls) + 1]int
	repeated := 0
	for _, b := range gamePositions(4, 30) {
		if e.Class(&b) == bg.Over {
			continue
		}
		all := plays.GenerateAll(&b, &first)
		got, want := make([]bg.Outputs, len(all)), make([]bg.Outputs, len(all))
		e.EvaluateDistinct(all, got)
		e.EvaluateBatch(all, want)
		different := map[bg.Board]bool{}
		for i := range all {
			different[all[i]] = true
			if got[i] != want[i] {
				t.Fatalf("%s, play %d: %v, want %v", b.Key(), i, got[i], want[i])
			}
		}
		if n := len(e.distinct.boards); n != len(different) {
			t.Errorf("%s: %d positions evaluated, %d are different", b.Key(), n, len(different))
		}
		repeated += len(all) - len(different)
	}
	if repeated == 0 {
		t.Error("no position repeats")
	}
	all := plays.GenerateAll(&bg.Start, &first)
	outs := make([]bg.Outputs, len(all))
	if n := testing.AllocsPerRun(10, func() { e.EvaluateDistinct(all, outs) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
