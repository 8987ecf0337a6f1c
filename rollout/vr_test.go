//go:build integration

package rollout

import (
	"math"
	"testing"

	"bgtrain/internal/bg"
)

// Variance reduction pays: variance a trial and time for one standard error with
// and without it, on contact positions of games.
func TestVarianceReductionPays(t *testing.T) {
	p, small := gnubgPlayers(t)
	measure := func(b *bg.Board, o Options) (plain, reduced, seconds, se float64) {
		o.Picks, o.Small, o.Seed = DefaultOptions().Picks, small, 1
		e := newEngine(t, p, o)
		var j job
		begun := cpuSeconds()
		r, err := j.rollout(t.Context(), b, []*expander{newExpander(e.p, &e.o)})
		if err != nil {
			t.Fatal(err)
		}
		seconds = cpuSeconds() - begun
		const eq = bg.NumOutputs
		n := float64(j.stats.n)
		plain = (j.stats.squares[eq] - j.stats.sum[eq]*j.stats.sum[eq]/n) / (n - 1)
		return plain, r.EquitySE * r.EquitySE * n, seconds, r.EquitySE
	}
	for _, truncate := range []int{7, 0} {
		var logVariance, logTime, logTimeStratified, n float64
		trials, positions := 1296, 12
		if truncate == 0 {
			trials, positions = 360, 4
		}
		for _, b := range gamesOf(p, 2, positions) {
			noVR, stratified, s0, _ := measure(&b, Options{Trials: 1296, Truncate: truncate, Luck: LuckNone})
			_, vr, s1, _ := measure(&b, Options{Trials: trials, Truncate: truncate, Luck: LuckPicked})
			cost0, cost1 := s0/1296, s1/float64(trials)
			variance, time := noVR/vr, noVR*cost0/(vr*cost1)
			timeStratified := stratified * cost0 / (vr * cost1)
			t.Logf("truncate %d %s variance a trial %.4f plain, %.4f reduced: %5.1f times; %.2f and %.2f ms a trial; time for one standard error %5.1f times, of stratified dice %5.1f times",
				truncate, b.Key(), noVR, vr, variance, 1e3*cost0, 1e3*cost1, time, timeStratified)
			logVariance += math.Log(variance)
			logTime += math.Log(time)
			logTimeStratified += math.Log(timeStratified)
			n++
		}
		t.Logf("truncate %d, geometric mean of %v positions: variance %.1f times, time %.1f times, of stratified dice %.1f times",
			truncate, n, math.Exp(logVariance/n), math.Exp(logTime/n), math.Exp(logTimeStratified/n))
		if math.Exp(logVariance/n) < 25 {
			t.Errorf("truncate %d: variance cut by %.1f only", truncate, math.Exp(logVariance/n))
		}
		if math.Exp(logTime/n) < 5 {
			t.Errorf("truncate %d: time cut by %.1f only", truncate, math.Exp(logTime/n))
		}
	}
}
