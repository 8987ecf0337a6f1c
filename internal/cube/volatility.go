package cube

import (
	"bgtrain/internal/bg"
	"bgtrain/internal/player"
)

// LocalVolatility returns the mean absolute change of the chance to win of the
// player on roll by the next roll, over the 21 rolls each played best at 0-ply:
// the jump volatility of the position. What is not over after the play is judged
// by the 0-ply chance of the opponent, then on roll. The mean after the rolls,
// not the chance before them, is what changes are measured from, since the two
// differ by the net's error.
func LocalVolatility(e *player.Evaluator, b *bg.Board) float64 {
	var after [21]float64
	var weight [21]float64
	n, mean := 0, 0.0
	for d1 := 1; d1 <= 6; d1++ {
		for d2 := d1; d2 <= 6; d2++ {
			_, o := e.BestPlay(b, d1, d2, 0)
			after[n], weight[n] = float64(o[bg.Win]), 2.0/36
			if d1 == d2 {
				weight[n] = 1.0 / 36
			}
			mean += weight[n] * after[n]
			n++
		}
	}
	sum := 0.0
	for i := range after {
		sum += weight[i] * max(after[i]-mean, mean-after[i])
	}
	return sum
}
