package features

// A window describes the twelve points ahead of a checker: bit k is set where
// the opponent holds the point k+1 pips ahead.

// escapes holds, for every window, how many of the 36 rolls move a checker away with both dice: the landing point
// is open, and so is a point in between for at least one order of the dice. A double counts its first two steps.
var escapes = func() (t [1 << 12]uint8) {
	for w := range t {
		t[w] = countEscapes(w, 0)
	}
	return t
}()

// escapesBeyond is escapes over rolls that also pass the nearest held point. A
// window without any gives 0, as GNU Backgammon has it.
var escapesBeyond = func() (t [1 << 12]uint8) {
	for w := 1; w < len(t); w++ {
		nearest := 1
		for w>>(nearest-1)&1 == 0 {
			nearest++
		}
		t[w] = countEscapes(w, nearest)
	}
	return t
}()

// countEscapes counts the rolls that escape window w by more than beyond pips.
func countEscapes(w, beyond int) uint8 {
	held := func(pips int) bool { return w>>(pips-1)&1 != 0 }
	var n uint8
	for d1 := 1; d1 <= 6; d1++ {
		for d2 := 1; d2 <= 6; d2++ {
			if d1+d2 > beyond && !held(d1+d2) && !(held(d1) && held(d2)) {
				n++
			}
		}
	}
	return n
}
