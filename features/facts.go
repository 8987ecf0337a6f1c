package features

import (
	"math/bits"

	"bgtrain/internal/bg"
)

// facts is what the contact inputs need of one side, mostly as bit masks so that a question about all points is a
// few instructions.
//
// Masks named seen… number the points as the other side does: its index i is
// bit i. The others number them from the side's own 1-point.
type facts struct {
	words [3]uint64 // checkers on points 0–7, 8–15 and 16–23, a byte each
	bar   int       // checkers on the bar
	count int       // checkers on the board, bar included
	pips  int       // sum of index times checkers, bar (24) included
	back  int       // index of the rearmost checker, -1 without any

	occupied uint32 // points with a checker; bit 24 is the bar
	made     uint32 // points with two or more, without the bar
	single   uint32 // places with exactly one; bit 24 is the bar
	hitters  uint32 // places from which the side is willing to hit

	seenMade  uint32 // made, as the other side numbers points
	seenBlots uint32 // points with exactly one, likewise

	// fewest[i] is the smallest number of rolls with which an opposing checker
	// escapes from its own index 15, 16, … or i, for i from 15 to 24; 36 for 14.
	fewest [25]uint8
}

const (
	everyByte = 0x0101010101010101
	highBits  = 0x8080808080808080
	// byteIndex weighs the bytes of a word by 0 to 7 when multiplied: the sum comes out in the highest byte.
	byteIndex = 0x0001020304050607
	// byteBits collects the lowest bit of each byte into the highest byte.
	byteBits = 0x0102040810204080
)

// atLeast returns bits 0 to 7 for the bytes of w, all below 128, that are n or more.
func atLeast(w uint64, n uint64) uint32 {
	return uint32(((w+(128-n)*everyByte)&highBits>>7)*byteBits>>56) & 255
}

func (f *facts) read(s *bg.Side) {
	w0, w1, w2 := s.Words()
	bar := int(s[bg.Bar])
	f.words = [3]uint64{w0, w1, w2}
	f.bar = bar
	count, sum := sums(w0, w1, w2)
	f.count = count + bar
	f.pips = sum + 24*bar

	occupied := atLeast(w0, 1) | atLeast(w1, 1)<<8 | atLeast(w2, 1)<<16
	made := atLeast(w0, 2) | atLeast(w1, 2)<<8 | atLeast(w2, 2)<<16
	blots := occupied &^ made
	both := bits.Reverse64(uint64(made) | uint64(blots)<<32)
	f.made = made
	f.seenMade = uint32(both >> 40)
	f.seenBlots = uint32(both) >> 8

	// Nobody breaks a home point of just two checkers to hit.
	pairs := made &^ atLeast(w0, 3) & 0x3f
	if bar > 0 {
		occupied |= 1 << bg.Bar
		if bar == 1 {
			blots |= 1 << bg.Bar
		}
	}
	f.occupied = occupied
	f.single = blots
	f.hitters = occupied &^ pairs
	f.back = bits.Len32(occupied) - 1
	// As 32 bits: of bytes, the smaller one would take a branch, seldom foreseen.
	f.fewest[14] = 36
	least := uint32(36)
	for i, window := 15, made; i < len(f.fewest); i, window = i+1, window<<1 {
		least = min(least, uint32(escapes[window>>9&0xfff]))
		f.fewest[i] = uint8(least)
	}
}

// sums returns the number of checkers in three words of points, and the sum of index times checkers. No byte of an
// intermediate sum exceeds 255, as a side has fifteen checkers.
func sums(w0, w1, w2 uint64) (count, sum int) {
	all := w0 + w1 + w2
	count = int(all * everyByte >> 56)
	sum = int(all*byteIndex>>56) + 8*int((w1+2*w2)*everyByte>>56)
	return count, sum
}

// above[m+1] keeps the bytes of the points with an index above m, for m from -1 to 24.
var above = func() (t [26][3]uint64) {
	for m := -1; m <= 24; m++ {
		for i := m + 1; i < 24; i++ {
			t[m+1][i/8] |= 0xff << (i % 8 * 8)
		}
	}
	return t
}()
