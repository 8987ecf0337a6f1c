package rollout

import (
	"math"
	"testing"

	"bgtrain/dataset"
	"bgtrain/internal/player"
)

// newTestFollower follows trials of a player of random nets.
func newTestFollower(t testing.TB, o Options, lambda float64) *follower {
	t.Helper()
	e := newEngine(t, randomPlayer(t, 1, 8, nil, player.Options{}), o)
	return &follower{e: e, x: newExpander(e.p, &e.o), lambda: lambda}
}

// A followed trial is a trial with variance reduction: its mean over many dice is
// the look-ahead as deep as the trial is long, for its start and, as deep as what is
// left of it, for every other position.
func TestFollowIsUnbiased(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long, and shares nothing that shorter tests do not")
	}
	const plies, seeds = 3, 600
	for _, b := range contactPositions(3, 3) {
		var sum, squares values
		o := Options{Trials: 36, Truncate: plies}
		f := newTestFollower(t, o, 1)
		out := f.x.eval.Evaluate(&b, plies)
		truth := toValues(&out)
		for seed := range seeds {
			f.x.o.Seed = uint64(seed)
			f.follow(&dataset.Row{}, &b, nil)
			for k, v := range f.steps[0].result {
				d := v - truth[k]
				sum[k] += d
				squares[k] += d * d
			}
			last := &f.steps[len(f.steps)-1]
			if len(f.steps) < plies {
				continue // the game ended
			}
			one := f.x.eval.Evaluate(&last.board, 1)
			for k, v := range last.result {
				if math.Abs(v-float64(one[k])) > 1e-5 {
					t.Fatalf("the last position of a trial has output %d %v, %v by 1-ply", k, v, one[k])
				}
			}
		}
		for k := range sum {
			mean := sum[k] / seeds
			se := math.Sqrt((squares[k]/seeds - mean*mean) / seeds)
			if math.Abs(mean) > 4*se+1e-6 {
				t.Errorf("%s: output %d is off by %.5f, standard error %.5f", b.Key(), k, mean, se)
			}
		}
	}
}

// Lambda goes from 1-ply look-ahead to the whole trial.
func TestFollowLambda(t *testing.T) {
	b := contactPositions(5, 1)[0]
	results := map[float64]values{}
	for _, lambda := range []float64{0, 0.5, 1} {
		f := newTestFollower(t, Options{Trials: 36, Truncate: 2, Seed: 3}, lambda)
		rows := f.follow(&dataset.Row{Source: "here"}, &b, nil)
		if len(rows) != 2 || rows[0].Key != b.Key() || rows[1].Key != f.steps[1].board.Key() ||
			rows[1].Source != "here" {
			t.Fatalf("lambda %g: rows %+v", lambda, rows)
		}
		results[lambda] = f.steps[0].result
		if lambda == 0 {
			one := f.x.eval.Evaluate(&b, 1)
			for k, v := range f.steps[0].result {
				if math.Abs(v-float64(one[k])) > 1e-5 {
					t.Errorf("lambda 0: output %d is %v, %v by 1-ply", k, v, one[k])
				}
			}
		}
	}
	for k := range results[0] {
		if mid := (results[0][k] + results[1][k]) / 2; math.Abs(results[0.5][k]-mid) > 1e-6 {
			t.Errorf("lambda 0.5: output %d is %v, not half way between %v and %v", k, results[0.5][k], results[0][k],
				results[1][k])
		}
	}
}
