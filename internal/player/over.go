package player

import "bgtrain/internal/bg"

// over gives the outputs of a finished game to the player on roll.
func over(b *bg.Board) (out bg.Outputs) {
	points, gammon := b.Points(), bg.LoseGammon
	if points == 0 { // the player on roll has borne off all
		other := b.Swapped()
		points, gammon, out[bg.Win] = other.Points(), bg.WinGammon, 1
	}
	for k := range points - 1 {
		out[gammon+k] = 1
	}
	return out
}
