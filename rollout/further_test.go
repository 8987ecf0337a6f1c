package rollout

import (
	"math"
	"strings"
	"testing"

	"bgtrain/dataset"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/player"
	"bgtrain/rollout/label"
)

// What a row gets is the newer player's value after one of the rolls in place of the older
// one's, every roll comes as often as it does, and in the mean that is the newer player's
// look-ahead from all that the older one would play.
func TestFurther(t *testing.T) {
	old, anew := randomPlayer(t, 1, 8, nil, player.Options{}), randomPlayer(t, 2, 8, nil, player.Options{})
	before, now := old.NewEvaluator(), anew.NewEvaluator()
	for _, ply := range []int{2, 3} {
		positions, seeds := 4, uint64(720)
		if ply == 3 {
			positions, seeds = 1, 36
		}
		for _, b := range contactPositions(7, positions) {
			had := before.Evaluate(&b, ply-1)
			row := dataset.Row{Key: b.Key(), Outputs: had, HasOutputs: true, Method: label.Method(ply - 1)}
			var of [len(bg.Rolls)]bg.Outputs
			var mean, want values
			for i, r := range bg.Rolls {
				after := before.Reply(&b, r.Hi, r.Lo)
				was, is := before.Evaluate(&after, ply-2), now.Evaluate(&after, ply-1)
				was, is = was.Inverted(), is.Inverted()
				v := toValues(&had)
				for k := range v {
					v[k] += float64(is[k]) - float64(was[k])
					mean[k] += float64(r.Weight) / 36 * v[k]
					want[k] += float64(r.Weight) / 36 * float64(is[k])
				}
				of[i] = v.outputs()
			}
			for k := range mean {
				if math.Abs(mean[k]-want[k]) > 1e-5 {
					t.Fatalf("%d-ply: in the mean %v, look-ahead from the plays %v", ply, mean, want)
				}
			}
			var times [len(bg.Rolls)]float64
			for seed := range seeds {
				f := Further{Old: old, New: anew, Ply: ply, Seed: seed}
				got, err := f.NewWork()(t.Context(), []dataset.Row{row})
				if err != nil {
					t.Fatal(err)
				}
				found := false
				for i := range of {
					if near(&got[0].Outputs, &of[i]) && !found {
						found = true
						times[i]++
					}
				}
				if !found || got[0].Method != FurtherMethod(ply) {
					t.Fatalf("%d-ply, seed %d: %v by %q is not what follows a roll", ply, seed, got[0].Outputs, got[0].Method)
				}
			}
			for i, r := range bg.Rolls {
				expected := float64(seeds) * float64(r.Weight) / 36
				if ply == 2 && math.Abs(times[i]-expected) > 5*math.Sqrt(expected) {
					t.Errorf("%d%d came %g times of %d", r.Hi, r.Lo, times[i], seeds)
				}
			}
		}
	}
}

func near(a, b *bg.Outputs) bool {
	for k := range a {
		if math.Abs(float64(a[k]-b[k])) > 1e-6 {
			return false
		}
	}
	return true
}

// Rows of a bearoff database stay; what is not valued by look-ahead of a ply less is refused.
func TestFurtherRefuses(t *testing.T) {
	db, err := bearoff.Open(t.Context(), bearoff.Options{TwoSidedCheckers: 3})
	if err != nil {
		t.Fatal(err)
	}
	p := randomPlayer(t, 1, 8, db, player.Options{})
	f := Further{Old: p, New: p, Ply: 2, Seed: 1}
	b := contactPositions(7, 1)[0]
	out := b
	out.Me, out.Opp = bg.Side{1}, bg.Side{2}
	rows := []dataset.Row{{Key: out.Key(), HasOutputs: true, Method: label.Bearoff(p, &out)}}
	got, err := f.NewWork()(t.Context(), rows)
	if err != nil || got[0].Method != label.Bearoff(p, &out) {
		t.Error(got, err)
	}
	for _, method := range []string{"", label.Method(2), "rollout trials=36"} {
		rows := []dataset.Row{{Key: b.Key(), HasOutputs: method != "", Method: method}}
		if _, err := f.NewWork()(t.Context(), rows); err == nil || !strings.Contains(err.Error(), b.Key().String()) ||
			!strings.Contains(err.Error(), label.Method(1)) {
			t.Errorf("method %q: error %v", method, err)
		}
	}
}
