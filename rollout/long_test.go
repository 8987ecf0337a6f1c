//go:build integration

package rollout

import (
	"math"
	"math/rand/v2"
	"os"
	"runtime"
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
// of real games: rollouts as they are by default, repeated, against 20,736 trials
// without variance reduction. On one core this takes ten minutes, so only where
// BGTRAIN_LONG is set.
func TestUnbiasedOnContactPositions(t *testing.T) {
	if os.Getenv("BGTRAIN_LONG") == "" {
		t.Skip("BGTRAIN_LONG is not set")
	}
	p, small := gnubgPlayers(t)
	const positions, repeats = 100, 6
	rollOut := func(b *bg.Board, o Options) Result {
		r, err := newEngine(t, p, o).Rollout(t.Context(), b, runtime.GOMAXPROCS(0), nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	var sum, squares float64          // of z-scores
	var difference, variances float64 // sums of mean differences, points, and of their variances
	var spread float64                // sum of variance seen / variance stated
	begun := cpuSeconds()
	for i, b := range gamesOf(p, 1, positions) {
		truth := rollOut(&b, Options{Trials: 20736, Truncate: 7, Luck: LuckNone, Picks: 1, Seed: uint64(1000 + i)})
		var s, s2, se2 float64
		for k := range repeats {
			o := DefaultOptions()
			o.Small, o.Seed = small, uint64(k)
			r := rollOut(&b, o)
			d := r.Equity() - truth.Equity()
			s, s2, se2 = s+d, s2+d*d, se2+r.EquitySE*r.EquitySE
		}
		mean := s / repeats
		variance := truth.EquitySE*truth.EquitySE + se2/repeats/repeats
		z := mean / math.Sqrt(variance)
		seen := (s2 - s*s/repeats) / (repeats - 1) / (se2 / repeats)
		t.Logf("%3d %s %+.5f ± %.5f without, %+.5f ± %.5f more with, z %+.2f; variance seen / stated %.2f",
			i+1, b.Key(), truth.Equity(), truth.EquitySE, mean, math.Sqrt(se2)/repeats, z, seen)
		sum, squares = sum+z, squares+z*z
		difference, variances = difference+mean, variances+variance
		spread += seen
	}
	difference /= positions
	se := math.Sqrt(variances) / positions
	ratio := math.Sqrt(spread / positions)
	t.Logf("%d positions: mean difference %+.6f ± %.6f points; z-scores: mean %+.3f, mean square %.3f; "+
		"spread of %d repeated rollouts / stated error %.3f; %.0f s",
		positions, difference, se, sum/positions, squares/positions, repeats, ratio, cpuSeconds()-begun)
	if math.Abs(difference) > 2*se {
		t.Error("the mean is not that of rollouts without variance reduction")
	}
	if math.Abs(sum) > 3*math.Sqrt(positions) || squares/positions > 1+4*math.Sqrt(2./positions) {
		t.Error("some means are not those of rollouts without variance reduction")
	}
	if ratio < 0.85 || ratio > 1.15 {
		t.Error("the stated errors are not the spread of repeated rollouts")
	}
}
