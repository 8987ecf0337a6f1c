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

// addLuck adds a difference of two values that a player sees; other: v
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
