package player

import (
	"slices"
	"testing"

	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
)

// The value of a mean of players is that of their values, also from the cache, and where
// small nets rank plays.
func TestMean(t *testing.T) {
	sets := []*nets.Set{randomFile(t, 1, 8), randomFile(t, 2, 30), randomFile(t, 3, 12)}
	boards := gamePositions(4, 500)
	outs := make([][]bg.Outputs, len(sets))
	for i, set := range sets {
		outs[i] = make([]bg.Outputs, len(boards))
		newPlayer(t, set, Options{}).NewEvaluator().EvaluateBatch(boards, outs[i])
	}
	e := newPlayer(t, nets.Mean(sets...), Options{CacheMB: 1}).NewEvaluator()
	first, again := make([]bg.Outputs, len(boards)), make([]bg.Outputs, len(boards))
	e.EvaluateBatch(boards, first)
	e.EvaluateBatch(boards, again)
	if !slices.Equal(first, again) {
		t.Error("other values from the cache")
	}
	small := newPlayer(t, nets.Mean(sets[0].PruningPlayer(), sets[1].PruningPlayer()), Options{}).NewEvaluator()
	played := 0
	for i := range boards {
		want := outs[0][i]
		if c := bg.Classify(&boards[i]); c != bg.Over {
			for k := range want {
				want[k] = (outs[0][i][k] + outs[1][i][k] + outs[2][i][k]) / 3
			}
		}
		if got := e.evaluate0(&boards[i]); got != want || first[i] != want {
			t.Fatalf("%s: %v and %v, %v expected", boards[i].Key(), first[i], got, want)
		}
		var plays bg.Plays
		after := plays.Generate(&boards[i], 3, 1)
		if len(after) < 2 || bg.Classify(&boards[i]) == bg.Over {
			continue
		}
		equity, values := make([]float32, len(after)), make([]bg.Outputs, len(after))
		for _, e := range []*Evaluator{e, small} {
			e.Rank(&boards[i], after, equity)
			e.EvaluateBatch(after, values)
			for k := range after {
				if equity[k] != values[k].Equity() {
					t.Fatalf("%s: ranked by %g, %g expected", after[k].Key(), equity[k], values[k].Equity())
				}
			}
		}
		played++
	}
	if played == 0 {
		t.Error("no plays")
	}
	if _, err := New(nets.Mean(nets.Mean(sets[0], sets[1]), nets.Mean(sets[1], sets[2])), nil, Options{}); err == nil {
		t.Error("a mean of means")
	}
}
