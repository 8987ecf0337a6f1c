package bearoff

import "bgtrain/internal/bg"

// RaceBackgammon returns the probability that a backgammon is won in a race: by the player on roll if mine, else
// by the opponent. It is for positions where the other side has all its checkers on the board and some in the
// winner's home board, and is 0 where that cannot end in a backgammon.
//
// It is what GNU Backgammon computes: both sides hurry with the checkers in the winner's home board, as if they
// had no others. The loser runs out of it so as to need the fewest rolls on average; with more than six checkers
// there he bears them off.
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
	// Too many left to bear off, four a roll, before the loser is out at three pips a roll.
	if (atHome+3)/4-first > (pips+2)/3 {
		return 0
	}

	// The loser is out with his k-th roll. The winner has had k rolls by then if he
	// is on roll, else k-1, and has won a backgammon if these were enough.
	off := db.Rolls((*home)(winner[:Points]))
	id, count := Index(&behind)
	sum := float32(0)
	if count <= maxRunning {
		for k, p := range db.running[id] {
			sum += p * (1 - off.AtLeast[k+first])
		}
	} else {
		for k, p := range db.one[id].P[:31] {
			sum += p * (1 - off.AtLeast[k+first])
		}
	}
	return min(sum, 1)
}

// maxRunning is the largest number of checkers in runOut's table.
const maxRunning = 6

// runOut computes, for each position of up to six checkers in the opponent's home board, the probability that the
// last leaves it with exactly the k-th roll; k = 5 stands for 5 or more. Positions are those of index, read from
// the point nearest to the way out.
func runOut() [][6]float32 {
	n := Positions(maxRunning)
	s := makeSingles(n, true)
	o := newObjective(n)
	exact := make([][6]float64, n)
	table := make([][6]float32, n)
	exact[0][0] = 1
	for id := range uint16(n) {
		// Every move leads to a smaller number.
		o.prepare(s, id)
		if id > 0 {
			o.value[id] = 1
			for r, w := range weights {
				to := o.best(s, id, r)
				o.value[id] += float64(float64(w) / 36 * o.value[to])
				for k, p := range exact[to] {
					exact[id][min(k+1, 5)] += float64(float64(w) / 36 * p)
				}
			}
		}
		for k, p := range exact[id] {
			table[id][k] = float32(p)
		}
	}
	return table
}
