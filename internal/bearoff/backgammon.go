package bearoff

import "bgtrain/internal/bg"

// RaceBackgammon returns the probability that a backgammon is won in a race: by
// the player on roll if mine, else by the opponent. It is for positions where the
// other side has all its checkers on the board and some in the winner's home
// board, 0 where that cannot end in a backgammon. As in GNU Backgammon, what the
// winner has outside his home board is left out of account, and so is what the
// loser has outside it: both are taken to hurry.
func (db *DB) RaceBackgammon(b *bg.Board, mine bool) float32 {
	winner, loser, first := &b.Me, &b.Opp, 1
	if !mine {
		winner, loser, first = &b.Opp, &b.Me, 0
	}
	atHome, pips := 0, 0
	var behind home // the loser's checkers in the winner's home board
	for i := range Points {
		atHome += int(winner[i])
		behind[i] = loser[18+i]
		pips += (i + 1) * int(behind[i])
	}
	// Too many left to bear off, even with doubles only, while the loser runs a
	// few pips a roll.
	if (atHome+3)/4-first > (pips+2)/3 {
		return 0
	}
	// The loser is out with his k-th roll. The winner has had k rolls by then if he
	// is on roll, else k-1, and has won a backgammon if these were enough.
	off := db.Rolls((*home)(winner[:Points]))
	out := db.Rolls(&behind)
	sum := float32(0)
	for k := 1; k < len(out.P) && k < 32; k++ {
		had := k - 1 + first
		if had+1 < len(off.AtLeast) {
			sum += out.P[k] * (1 - off.AtLeast[had+1])
		} else {
			sum += out.P[k]
		}
	}
	return min(sum, 1)
}
