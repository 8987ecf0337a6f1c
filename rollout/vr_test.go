//go:build integration

package rollout

import (
	"math"
	"testing"

	"bgtrain/internal/bg"
)

// variancePaid is what variance reduction brought, over some positions.
type variancePaid struct {
	variance   float64 // how many times the variance of a trial falls, geometric mean
	time       float64 // how many times the time for one standard error falls
	stratified float64 // the same, against dice that are stratified but not corrected
}

// varianceReduction measures, on contact positions of games, the variance of a trial
// and the time for one standard error with and without variance reduction.
func varianceReduction(t testing.TB, truncate, trials, positions int) variancePaid {
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
	var logVariance, logTime, logTimeStratified float64
	for _, b := range gamesOf(p, 2, positions) {
		noVR, stratified, s0, _ := measure(&b, Options{Trials: 1296, Truncate: truncate, Luck: LuckNone})
		_, vr, s1, _ := measure(&b, Options{Trials: trials, Truncate: truncate, Luck: LuckPicked})
		cost0, cost1 := s0/1296, s1/float64(trials)
		variance, time := noVR/vr, noVR*cost0/(vr*cost1)
		timeStratified := stratified * cost0 / (vr * cost1)
		t.Logf("truncate %d %s variance a trial %.4f plain, %.4f reduced: %5.1f times; %.2f and %.2f ms a trial; "+
			"time for one standard error %5.1f times, of stratified dice %5.1f times",
			truncate, b.Key(), noVR, vr, variance, 1e3*cost0, 1e3*cost1, time, timeStratified)
		logVariance += math.Log(variance)
		logTime += math.Log(time)
		logTimeStratified += math.Log(timeStratified)
	}
	n := float64(positions)
	return variancePaid{math.Exp(logVariance / n), math.Exp(logTime / n), math.Exp(logTimeStratified / n)}
}

// Variance reduction cuts the variance of a trial, which depends on no clock.
func TestVarianceReductionPays(t *testing.T) {
	for _, c := range []struct{ truncate, trials, positions int }{{7, 648, 6}, {0, 360, 3}} {
		if testing.Short() {
			c.positions /= 3
		}
		if paid := varianceReduction(t, c.truncate, c.trials, c.positions); paid.variance < 25 {
			t.Errorf("truncate %d: variance cut by %.1f only", c.truncate, paid.variance)
		}
	}
}

// BenchmarkVarianceReduction reports how many times less time one standard error takes.
func BenchmarkVarianceReduction(b *testing.B) {
	for _, c := range []struct {
		name                        string
		truncate, trials, positions int
	}{{"truncated", 7, 1296, 12}, {"to-the-end", 0, 360, 4}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				paid := varianceReduction(b, c.truncate, c.trials, c.positions)
				b.ReportMetric(paid.variance, "times-variance")
				b.ReportMetric(paid.time, "times-time")
				b.ReportMetric(paid.stratified, "times-time-of-stratified")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}
