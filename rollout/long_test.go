//go:build integration

package rollout

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"bgtrain/internal/bg"
	"bgtrain/internal/player"
)

// gamesOf returns contact positions of games that a player plays with itself,
// one of every tenth ply or so.
func gamesOf(p *player.Player, seed uint64, n int) []bg.Board {
	rng := rand.New(rand.NewPCG(seed, 3))
	ev := p.NewEvaluator()
	var out []bg.Board
	for b := bg.Start; len(out) < n; {
		if bg.Classify(&b) < bg.Contact {
			b = bg.Start
		}
		b, _ = ev.BestPlay(&b, rng.IntN(6)+1, rng.IntN(6)+1, 0)
		if bg.Classify(&b) == bg.Contact && rng.IntN(10) == 0 {
			out = append(out, b)
		}
	}
	return out
}

// Variance reduction changes no mean, and errors are true, on contact positions
// of real games: 360 trials with it, repeated, against 20,736 without. This takes
// minutes, so only where BGTRAIN_LONG is set.
func TestUnbiasedOnContactPositions(t *testing.T) {
	if os.Getenv("BGTRAIN_LONG") == "" {
		t.Skip("BGTRAIN_LONG is not set")
	}
	p, small := gnubgPlayers(t)
	const repeats = 10
	var sum, squares, n float64    // of z-scores
	var difference, spread float64 // mean difference, points; spread / stated variance
	for i, b := range gamesOf(p, 1, 100) {
		o := Options{Trials: 20736, Truncate: 7, Luck: LuckNone, Seed: uint64(1000 + i)}
		truth, err := newEngine(t, p, o).NewRoller().Rollout(t.Context(), &b)
		if err != nil {
			t.Fatal(err)
		}
		var s, s2, se2 float64
		for k := range repeats {
			o = DefaultOptions()
			o.Small, o.Seed = small, uint64(k)
			r, err := newEngine(t, p, o).NewRoller().Rollout(t.Context(), &b)
			if err != nil {
				t.Fatal(err)
			}
			d := r.Equity() - truth.Equity()
			s, s2, se2 = s+d, s2+d*d, se2+r.EquitySE*r.EquitySE
		}
		mean := s / repeats
		z := mean / math.Sqrt(truth.EquitySE*truth.EquitySE+se2/repeats/repeats)
		sum, squares, n = sum+z, squares+z*z, n+1
		difference += mean
		spread += (s2 - s*s/repeats) / (repeats - 1) / (se2 / repeats)
	}
	ratio := math.Sqrt(spread / n)
	t.Logf("%v positions: mean difference %+.6f points, z-scores: mean %.3f, mean square %.3f; spread of %d repeated rollouts / stated error %.3f",
		n, difference/n, sum/n, squares/n, repeats, ratio)
	if math.Abs(sum/n) > 2/math.Sqrt(n) || squares/n > 1+4*math.Sqrt(2/n) {
		t.Error("the means are not those of rollouts without variance reduction")
	}
	if ratio < 0.85 || ratio > 1.15 {
		t.Error("the stated errors are not the spread of repeated rollouts")
	}
}
