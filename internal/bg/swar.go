package bg

import "encoding/binary"

// The board is read eight points at a time: a Side is three 64-bit words, one byte a point, and the bar. Counts
// are at most 15, so adding up to 0x7f to every byte never carries into the next one.

const (
	low7 = 0x7f7f7f7f7f7f7f7f // adds 127: the top bit of a byte: count >= 1
	low6 = 0x7e7e7e7e7e7e7e7e // adds 126: the top bit: count >= 2
	ones = 0x0101010101010101
)

// Words returns the checkers on the 24 points of a side, a byte each, eight to a
// word, the 1-point in the lowest byte of w0.
func (s *Side) Words() (w0, w1, w2 uint64) {
	return binary.LittleEndian.Uint64(s[0:8]),
		binary.LittleEndian.Uint64(s[8:16]),
		binary.LittleEndian.Uint64(s[16:24])
}

// topBits gathers the top bit of each byte of w: bit i of the result is the top bit of byte i. The partial
// products land on 64 different bits, so the multiplication does not carry.
func topBits(w uint64) uint32 {
	return uint32((w >> 7 & ones) * 0x0102040810204080 >> 56)
}

// topBitsReversed is topBits with the order reversed: bit 7-i of the result is the top bit of byte i.
func topBitsReversed(w uint64) uint32 {
	return uint32((w >> 7 & ones) * 0x8040201008040201 >> 56)
}

// occupied returns the points that hold at least one checker, bit 24 the bar.
func (s *Side) occupied() uint32 {
	w0, w1, w2 := s.Words()
	m := topBits(w0+low7) | topBits(w1+low7)<<8 | topBits(w2+low7)<<16
	return m | uint32(s[Bar]+0x7f)>>7<<Bar
}

// made returns the points that hold two checkers or more, the bar left out.
func (s *Side) made() uint32 {
	w0, w1, w2 := s.Words()
	return topBits(w0+low6) | topBits(w1+low6)<<8 | topBits(w2+low6)<<16
}

// heldBy returns the points with at least one checker of the opponent, as the
// player on roll counts them, the bar left out.
func heldBy(opp *Side) uint32 {
	w0, w1, w2 := opp.Words()
	return topBitsReversed(w0+low7)<<16 | topBitsReversed(w1+low7)<<8 | topBitsReversed(w2+low7)
}

// madeBy is heldBy for two checkers or more.
func madeBy(opp *Side) uint32 {
	w0, w1, w2 := opp.Words()
	return topBitsReversed(w0+low6)<<16 | topBitsReversed(w1+low6)<<8 | topBitsReversed(w2+low6)
}
