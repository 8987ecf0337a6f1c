package met

import "math"

// spread is the standard deviation of the points that a side wins in a game of a
// match, by how many it needs: David Montgomery's figures, which GNU Backgammon
// extends tables with as well.
var spread = [...]float64{0, 1.24, 1.27, 1.47, 1.50, 1.60, 1.61, 1.66, 1.68, 1.70, 1.72, 1.77}

// gammonRate is that of a match's later games, for the extension after the
// Crawford game.
const gammonRate = 0.25

// extend takes over the entries of a table and fills it up to MaxLength: before
// the Crawford game by the normal distribution of the lead after the games that
// the score is away from its end; after it, where the trailer doubles at once,
// by counting down two points a lost game, four for a gammon.
func (t *Table) extend(pre [][]float64, post []float64) {
	t.pre = make([][]float64, MaxLength)
	for i := range t.pre {
		t.pre[i] = make([]float64, MaxLength)
		for j := range t.pre[i] {
			if i < len(pre) && j < len(pre) {
				t.pre[i][j] = (pre[i][j] + 1 - pre[j][i]) / 2
			} else {
				t.pre[i][j] = normal(i+1, j+1)
			}
		}
	}
	t.post = make([]float64, MaxLength)
	n := copy(t.post, post)
	if n == len(pre) && n > 1 {
		n-- // the last entry is of a longer match: GNU Backgammon does not use it
	}
	for i := max(n, 0); i < MaxLength; i++ {
		after := func(points int) float64 {
			if i < points {
				return 1
			}
			return t.post[i-points]
		}
		t.post[i] = 0.5 * (gammonRate*after(4) + (1-gammonRate)*after(2))
	}
	if len(pre) == 1 {
		t.post[0] = pre[0][0]
	}
}

// normal is Montgomery's formula.
func normal(away, opponent int) float64 {
	a, b := spread[min(away, len(spread)-1)], spread[min(opponent, len(spread)-1)]
	sigma := math.Hypot(a, b) * math.Sqrt(float64(away+opponent)/2)
	return 0.5 * math.Erfc(float64(away-opponent)/sigma/math.Sqrt2)
}
