package match

import (
	"bgtrain/internal/bg"
	"bgtrain/internal/player"
)

// luckMeter measures the luck of rolls: how much the best play of the roll is
// worth more than the mean over all rolls, by 0-ply values. Its mean over the
// rolls is zero whatever the values, so that points less luck keep their mean
// and lose most of their variance ("look-ahead variance reduction").
type luckMeter struct{ e *player.Evaluator }

// measure returns the luck of a roll to the player on roll, in points. opening
// says that doubles are not possible.
func (l *luckMeter) measure(b *bg.Board, d1, d2 int, opening bool) float64 {
	var actual, sum, weight float64
	for _, r := range bg.Rolls {
		if opening && r.Hi == r.Lo {
			continue
		}
		_, o := l.e.BestPlay(b, r.Hi, r.Lo, 0)
		v := float64(o.Equity())
		sum += float64(r.Weight) * v
		weight += float64(r.Weight)
		if r.Hi == max(d1, d2) && r.Lo == min(d1, d2) {
			actual = v
		}
	}
	return actual - sum/weight
}
