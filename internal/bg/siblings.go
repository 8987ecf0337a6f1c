package bg

import "bgtrain/internal/splitmix"

// Siblings reports whether two positions can be what two plays of the same roll lead to: the
// player on roll has the same checkers, but for blots that one of the plays has hit, and the
// other one's are as many pips from home. Plays that differ in pips, as some that bear off
// do, are not seen to be siblings; positions of other decisions are hardly ever taken for some.
func Siblings(a, b *Board) bool {
	for i := range Bar {
		if d := int(a.Me[i]) - int(b.Me[i]); d != 0 && (d < -1 || d > 1 || a.Me[i]+b.Me[i] != 1) {
			return false
		}
	}
	return a.Me.OnBoard() == b.Me.OnBoard() && a.Opp.Pips() == b.Opp.Pips()
}

// Family returns a number that siblings have in common, and few other positions.
func (b *Board) Family() uint64 {
	// Made points stay through the other one's play; blots may be hit.
	h := splitmix.Mix(uint64(b.Opp.Pips()))
	for i, n := range b.Me[:Bar] {
		if n > 1 {
			h = splitmix.Mix(h + uint64(i)<<8 + uint64(n))
		}
	}
	return h
}
