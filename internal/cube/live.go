package cube

// moneyPoints are the live take and cash points for money of the player on roll,
// from what a won and a lost game counts: Janowski, "Take-points in money games"
// (1993).
func moneyPoints(w, l float64) (take, cash float64) {
	return (l - 0.5) / (w + l + 0.5), (l + 1) / (w + l + 0.5)
}

// livePoints are the live take and cash points at any state: the chances of the
// player on roll at which a double of the opponent, and one's own, is just
// passed.
func livePoints(r *rates, s *State) (take, cash float64) {
	if s.Table == nil {
		w, l := r.points()
		return moneyPoints(w, l)
	}
	mine, theirs := matchPoints(r, s)
	return 1 - theirs, mine
}

// matchPoints returns for each side the chance of its own at which its double is
// just passed in a match (Jørn Thyssen's extension of Janowski's model, as in
// GNU Backgammon). The cube is followed up to the value at which it is dead for
// a side; from there down, a take is worth the line between losing the doubled
// game and the taker's own cash point one cube higher.
func matchPoints(r *rates, s *State) (mine, theirs float64) {
	sides := [2]State{*s, s.Swapped()}
	rs := [2]rates{*r, r.swapped()}
	top := s.Cube
	for s.Away > 2*top && s.Opponent > 2*top {
		top *= 2
	}
	var cash [2]float64
	for c := top; c >= s.Cube; c /= 2 {
		if c == top {
			for k := range cash {
				cash[k] = deadCash(&rs[k], &sides[k], c)
			}
			continue
		}
		above := cash
		for k := range cash {
			st := &sides[k]
			won, _ := rs[k].worths(st, 2*c)
			pass, redoubled := st.MWC(c), st.MWC(-2*c)
			cash[k] = 1 - above[1-k]*(pass-won)/(redoubled-won)
		}
	}
	return cash[0], cash[1]
}

// deadCash is the cash point where the cube at 2c is dead for one of the sides:
// then the other, if it has taken, turns it to 4c at once.
func deadCash(r *rates, s *State, c int) float64 {
	doubled := 2 * c
	if s.Away <= 2*c && s.Opponent > 2*c {
		doubled = 4 * c
	}
	won, lost := r.worths(s, doubled)
	if won == lost {
		return 1
	}
	return min(max((s.MWC(c)-lost)/(won-lost), 0), 1)
}
