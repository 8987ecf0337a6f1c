package rollout

import (
	"context"
	"math"
	"reflect"
	"slices"
	"testing"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/player"
)

// With common dice a position does not differ from itself, the result does not
// depend on the number of workers, and the error of a difference is smaller than
// that of two rollouts with dice of their own.
func TestCompare(t *testing.T) {
	p := randomPlayer(t, 3, 8, nil, player.Options{})
	o := DefaultOptions()
	o.Trials, o.Truncate, o.Luck = 144, 4, LuckNone
	e := newEngine(t, p, o)
	var plays bg.Plays
	after := plays.Generate(&bg.Start, 3, 1)
	boards := []bg.Board{after[0], after[1], after[0]}
	done := 0
	got, err := e.Compare(context.Background(), boards, bg.Start.Key(),
		Watch[[]Compared]{Workers: 1, Progress: func(n, _ int) { done = n }})
	if err != nil || done != 3*144 {
		t.Fatalf("%d trials told, %v", done, err)
	}
	best, other := got[0], got[1]
	if other.Equity() < best.Equity() {
		best, other = other, best
	}
	if got[2] != got[0] || best.Difference != 0 || best.DifferenceSE != 0 {
		t.Errorf("a position and itself: %+v, %+v", got[0], got[2])
	}
	own := math.Hypot(got[0].EquitySE, got[1].EquitySE)
	if d := other.DifferenceSE; !(d > 0 && d < own) || other.Difference != other.Equity()-best.Equity() {
		t.Errorf("difference %v, standard error %v, with dice of their own %v", other.Difference, d, own)
	}
	for _, workers := range []int{2, 5} {
		again, err := e.Compare(context.Background(), boards, bg.Start.Key(), Watch[[]Compared]{Workers: workers})
		if err != nil || !reflect.DeepEqual(again, got) {
			t.Errorf("%d workers: another result, %v", workers, err)
		}
	}
	// The rolls are those of the key, not of the position.
	single, err := e.Rollout(context.Background(), &after[0], 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	same, err := e.Compare(context.Background(), boards[:1], after[0].Key(), Watch[[]Compared]{Workers: 1})
	if err != nil || same[0].Result != single {
		t.Errorf("%+v, by itself %+v, %v", same, single, err)
	}
}

// Work on groups gives each its comparison; a row that repeats another changes
// nothing; the errors are those of differences; a target ends a group early.
func TestCompareWork(t *testing.T) {
	p := randomPlayer(t, 3, 8, nil, player.Options{})
	o := DefaultOptions()
	o.Trials, o.Truncate, o.Luck = 288, 3, LuckNone
	var plays bg.Plays
	var rows []dataset.Row
	var boards [][]bg.Board
	const group = 4
	for _, dice := range [][2]int{{3, 1}, {6, 5}} {
		after := plays.Generate(&bg.Start, dice[0], dice[1])[:3]
		boards = append(boards, slices.Clone(after))
		for k := range group {
			rows = append(rows, dataset.Row{Key: after[min(k, 2)].Key()})
		}
	}
	for _, target := range []float64{0, 0.2} {
		o.TargetSE = target
		e := newEngine(t, p, o)
		got, err := e.NewCompareWork(group)(t.Context(), slices.Clone(rows))
		if err != nil {
			t.Fatal(err)
		}
		for g, of := range boards {
			want, err := e.Compare(t.Context(), of, of[0].Key(), Watch[[]Compared]{Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			for k := range group {
				r, w := &got[g*group+k], &want[min(k, 2)]
				se := w.DifferenceSE
				if se == 0 {
					se = w.EquitySE
				}
				if r.Outputs != w.Outputs || r.EquitySE != float32(se) || !r.HasSE || int(r.Trials) != w.Trials {
					t.Errorf("group %d, row %d: %+v, want %+v", g, k, r, w)
				}
				if early := w.Trials < o.Trials; early != (target > 0) || early && w.DifferenceSE >= target {
					t.Errorf("%d trials, difference ± %v, with a target of %v", w.Trials, w.DifferenceSE, target)
				}
			}
		}
	}
}
