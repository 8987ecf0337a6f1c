package rollout

import (
	"math"

	"bgtrain/internal/bg"
)

// values are outputs in double precision; with luck taken off they need not be
// probabilities.
type values [bg.NumOutputs]float64

func toValues(o *bg.Outputs) (v values) {
	for i := range v {
		v[i] = float64(o[i])
	}
	return v
}

// inverted returns the same values as the other player sees them.
func (v *values) inverted() values {
	return values{1 - v[bg.Win], v[bg.LoseGammon], v[bg.LoseBackgammon], v[bg.WinGammon], v[bg.WinBackgammon]}
}

// addLuck adds a difference of two values that a player sees; other says that v
// is the other player's.
func (v *values) addLuck(d *values, other bool) {
	if !other {
		for i := range v {
			v[i] += d[i]
		}
		return
	}
	// Of inverted outputs the 1 drops out in a difference.
	v[bg.Win] -= d[bg.Win]
	v[bg.WinGammon] += d[bg.LoseGammon]
	v[bg.WinBackgammon] += d[bg.LoseBackgammon]
	v[bg.LoseGammon] += d[bg.WinGammon]
	v[bg.LoseBackgammon] += d[bg.WinBackgammon]
}

func (v *values) sub(w *values) (d values) {
	for i := range v {
		d[i] = v[i] - w[i]
	}
	return d
}

// equity is as of bg.Outputs.
func (v *values) equity() float64 {
	return 2*v[bg.Win] - 1 + v[bg.WinGammon] + v[bg.WinBackgammon] - v[bg.LoseGammon] - v[bg.LoseBackgammon]
}

// outputs returns the nearest probabilities that fit together: from 0 to 1,
// backgammons within gammons within wins.
func (v *values) outputs() (o bg.Outputs) {
	clamp := func(x, hi float64) float64 { return math.Max(0, math.Min(x, hi)) }
	win := clamp(v[bg.Win], 1)
	wg, lg := clamp(v[bg.WinGammon], win), clamp(v[bg.LoseGammon], 1-win)
	return bg.Outputs{float32(win), float32(wg), float32(clamp(v[bg.WinBackgammon], wg)),
		float32(lg), float32(clamp(v[bg.LoseBackgammon], lg))}
}

// sums gather the results of trials. Sums in a fixed order give the same numbers
// whoever computed the parts.
type sums struct {
	n      int
	sum    values // of results
	spread [bg.NumOutputs + 1]moments
}

// moments are sums for the variance of each output and, last, of the equity.
// They are of differences to a value near the mean, which keeps them precise.
type moments struct{ sum, squares float64 }

// add counts a trial: its result, and what is left of it, less a reference, when
// the luck that the balance of the dice takes out by itself is taken off.
func (s *sums) add(result, residual *values, ref *values) {
	s.n++
	var eq float64
	for i := range result {
		s.sum[i] += result[i]
		s.spread[i].add(residual[i] - ref[i])
	}
	eq = residual.equity() - ref.equity()
	s.spread[bg.NumOutputs].add(eq)
}

func (m *moments) add(d float64) {
	m.sum += d
	m.squares += d * d
}

// merge adds what t gathered.
func (s *sums) merge(t *sums) {
	s.n += t.n
	for i := range s.sum {
		s.sum[i] += t.sum[i]
	}
	for i := range s.spread {
		s.spread[i].sum += t.spread[i].sum
		s.spread[i].squares += t.spread[i].squares
	}
}

// standardError returns that of the mean, from the spread of the trials.
func (s *sums) standardError(i int) float64 {
	n := float64(s.n)
	m := s.spread[i]
	variance := (m.squares - m.sum*m.sum/n) / (n - 1)
	return math.Sqrt(math.Max(variance, 0) / n)
}

// result returns the mean of the trials and its standard errors.
func (s *sums) result() Result {
	r := Result{Trials: s.n}
	var mean values
	for i := range mean {
		mean[i] = s.sum[i] / float64(s.n)
		r.SE[i] = s.standardError(i)
	}
	r.Mean = mean
	r.EquitySE = s.standardError(bg.NumOutputs)
	r.Outputs = mean.outputs()
	return r
}
