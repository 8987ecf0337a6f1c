package bg

import (
	"math/bits"
	"unsafe"
)

// Checkers is the number of checkers each side starts with.
const Checkers = 15

// Bar is the index of the bar in a Side.
const Bar = 24

// Side holds one player's checkers: indices 0 to 23 are that player's own 1-point to 24-point, index 24 the bar.
// Checkers missing from the sum of fifteen have been borne off.
type Side [25]uint8

// Board is a position with a player on roll, before that player rolls. A point is indexed from its owner's side:
// the opponent's index i is the same point as index 23-i of the player on roll.
type Board struct {
	Opp Side // the player not on roll
	Me  Side // the player on roll
}

// BoardPlaces is the number of bytes of a Board, the checkers on each place.
const BoardPlaces = len(Board{}.Opp) + len(Board{}.Me)

// Counts returns boards as bytes, those of one after those of the other: the
// checkers on each place of Opp, then of Me. It shares their memory.
func Counts(bs []Board) []byte {
	// A Board is nothing but bytes, so that there is no gap between any two.
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(bs))), BoardPlaces*len(bs))
}

// Start is the opening position.
var Start = Board{
	Opp: Side{5: 5, 7: 3, 12: 5, 23: 2},
	Me:  Side{5: 5, 7: 3, 12: 5, 23: 2},
}

// Swapped returns the position with the other player on roll.
func (b *Board) Swapped() Board { return Board{Opp: b.Me, Me: b.Opp} }

// OnBoard returns the number of checkers not yet borne off, bar included.
func (s *Side) OnBoard() int {
	const even = 0x00ff00ff00ff00ff // every second byte, in 16 bits: no count can overflow
	w0, w1, w2 := s.Words()
	sums := w0&even + w1&even + w2&even + w0>>8&even + w1>>8&even + w2>>8&even
	return int(sums*0x0001000100010001>>48) + int(s[Bar])
}

// Off returns the number of checkers borne off.
func (s *Side) Off() int { return Checkers - s.OnBoard() }

// Pips returns the pip count; a checker on the bar counts 25.
func (s *Side) Pips() int {
	n := 0
	for i, c := range s {
		n += (i + 1) * int(c)
	}
	return n
}

// Back returns the index of the rearmost checker, or -1 with none left.
func (s *Side) Back() int {
	w0, w1, w2 := s.Words()
	switch {
	case s[Bar] != 0:
		return Bar
	case w2 != 0:
		return 15 + (bits.Len64(w2)+7)/8
	case w1 != 0:
		return 7 + (bits.Len64(w1)+7)/8
	}
	return (bits.Len64(w0)+7)/8 - 1
}
