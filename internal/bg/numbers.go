package bg

import (
	"fmt"
	"math"
)

// FromNumbers is the board of 26 numbers, as Open Sage writes it for the player on roll: the
// opponent's checkers on the bar, 24 points with his own checkers positive, his own on the bar.
func FromNumbers(n []int) (b Board, err error) {
	if len(n) != 26 {
		return b, fmt.Errorf("a board of %d numbers, 26 expected", len(n))
	}
	for i, c := range n {
		switch {
		case c < -Checkers || c > Checkers || c < 0 && (i == 0 || i == 25):
			return b, fmt.Errorf("%d checkers in place %d of the board", c, i)
		case i == 0:
			b.Opp[24] = uint8(c)
		case c >= 0:
			b.Me[i-1] = uint8(c)
		default:
			b.Opp[24-i] = uint8(-c)
		}
	}
	return b, b.Check()
}

// outputSlack is how far rolled-out numbers may be from probabilities.
const outputSlack = 0.005

// NearestOutputs are the outputs next to five numbers: rollouts with variance reduction leave the
// range of probabilities, by 0.005 at most here.
func NearestOutputs(p []float64) (o Outputs, err error) {
	if len(p) != NumOutputs {
		return o, fmt.Errorf("%d outputs, %d expected", len(p), NumOutputs)
	}
	v := [NumOutputs]float64(p)
	v[Win] = min(max(v[Win], 0), 1)
	v[WinGammon] = min(max(v[WinGammon], 0), v[Win])
	v[WinBackgammon] = min(max(v[WinBackgammon], 0), v[WinGammon])
	v[LoseGammon] = min(max(v[LoseGammon], 0), 1-v[Win])
	v[LoseBackgammon] = min(max(v[LoseBackgammon], 0), v[LoseGammon])
	for i := range v {
		if !(math.Abs(v[i]-p[i]) <= outputSlack) { // nor what is no number
			return o, fmt.Errorf("outputs %v are no probabilities", p)
		}
		o[i] = float32(v[i])
	}
	return o, nil
}
