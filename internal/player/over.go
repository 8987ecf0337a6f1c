package player

import "bgtrain/internal/bg"

// over gives the outputs of a finished game to the player on roll.
func over(b *bg.Board) (out bg.Outputs) {
	if b.Me.Back() < 0 { // the player on roll has borne off all
		out[bg.Win] = 1
		out[bg.WinGammon], out[bg.WinBackgammon] = points(&b.Opp)
		return out
	}
	out[bg.LoseGammon], out[bg.LoseBackgammon] = points(&b.Me)
	return out
}

// points reports whether the loser of a finished game loses a gammon and a
// backgammon, as 0 or 1.
func points(loser *bg.Side) (gammon, backgammon float32) {
	switch {
	case loser.OnBoard() < bg.Checkers:
		return 0, 0
	case loser.Back() >= 18:
		return 1, 1
	}
	return 1, 0
}
