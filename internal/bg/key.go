package bg

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

// Key is GNU Backgammon's position key: 80 bits, filled from the lowest bit of
// the first byte. For the player not on roll, then for the player on roll, each
// of the 25 points from that player's own 1-point to the bar is written as one
// 1-bit a checker and a closing 0-bit.
//
// Two valid boards are equal exactly when their keys are. Not every key is a
// board: Board checks.
type Key [10]byte

const (
	keyLetters    = 20 // length of Key.String
	positionIDLen = 14 // length of Key.PositionID
)

// keyBits is the unary code of one side: one 1-bit a checker and a 0-bit for
// each point, 25 to 40 bits with the 1-point lowest.
func (s *Side) keyBits() uint64 {
	// From the bar down, each point shifts the code up by its checkers and the
	// closing zero: v<<(n+1) + 1<<n - 1 = (2v+1)<<n - 1. Two halves side by
	// side are two short chains of dependent operations, not a long one.
	var lo, hi uint64
	for i := 11; i >= 0; i-- {
		lo = (2*lo+1)<<(s[i]&63) - 1
		hi = (2*hi+1)<<(s[i+12]&63) - 1
	}
	w0 := binary.LittleEndian.Uint64(s[0:8])
	w1 := uint64(binary.LittleEndian.Uint32(s[8:12]))
	n := (w0 + w1) * ones >> 56
	bar := uint64(1)<<(s[Bar]&63) - 1
	m := binary.LittleEndian.Uint64(s[12:20]) + uint64(binary.LittleEndian.Uint32(s[20:24]))
	hi |= bar << ((m*ones>>56 + 12) & 63)
	return lo | hi<<((n+12)&63)
}

// Key returns the position key of a board that passes Check.
func (b *Board) Key() Key {
	opp, me := b.Opp.keyBits(), b.Me.keyBits()
	n := uint(b.Opp.OnBoard()) + 25
	var k Key
	binary.LittleEndian.PutUint64(k[0:8], opp|me<<(n&63))
	binary.LittleEndian.PutUint16(k[8:10], uint16(me>>((64-n)&63)))
	return k
}

// Reasons why bytes are not a position key or a board not a position. Errors
// that say on which side or point wrap one of these.
var (
	ErrTooManyCheckers = errors.New("more than 15 checkers")
	ErrSharedPoint     = errors.New("both sides on one point")
	ErrLeftOver        = errors.New("bits left over after the last point")
)

// Check returns an error when the board cannot be a position: more than 15
// checkers on a side, or both sides on one point.
func (b *Board) Check() error {
	if n := b.Opp.OnBoard(); n > Checkers {
		return fmt.Errorf("player not on roll: %w: %d", ErrTooManyCheckers, n)
	}
	if n := b.Me.OnBoard(); n > Checkers {
		return fmt.Errorf("player on roll: %w: %d", ErrTooManyCheckers, n)
	}
	for i := range Bar {
		if b.Me[i] != 0 && b.Opp[Bar-1-i] != 0 {
			return fmt.Errorf("%w: the %d-point of the player on roll", ErrSharedPoint, i+1)
		}
	}
	return nil
}

// Board decodes the key. It is an error when the key is not that of a board:
// more than 15 checkers on a side, both sides on one point, or 1-bits after
// the last point.
func (k Key) Board() (Board, error) {
	var b Board
	lo, hi := binary.LittleEndian.Uint64(k[0:8]), uint64(binary.LittleEndian.Uint16(k[8:10]))
	for side, s := range [2]*Side{&b.Opp, &b.Me} {
		total := 0
		for i := range s {
			// Past the end of the key come 0-bits: never more than 80 ones.
			n := bits.TrailingZeros64(^lo)
			total += n
			if total > Checkers {
				return Board{}, fmt.Errorf("%s: %w", sideNames[side], ErrTooManyCheckers)
			}
			s[i] = uint8(n)
			lo = lo>>(n+1) | hi<<(63-n)
			hi >>= n + 1
		}
	}
	if lo|hi != 0 {
		return Board{}, ErrLeftOver
	}
	if err := b.Check(); err != nil {
		return Board{}, err
	}
	return b, nil
}

var sideNames = [2]string{"player not on roll", "player on roll"}

// String returns the key as 20 letters A to P, two a byte, high nibble first:
// the form of GNU Backgammon's training and benchmark files.
func (k Key) String() string {
	var t [keyLetters]byte
	for i, c := range k {
		t[2*i], t[2*i+1] = 'A'+c>>4, 'A'+c&15
	}
	return string(t[:])
}

// PositionID returns the key as GNU Backgammon's 14-character Position ID:
// base64 without padding.
func (k Key) PositionID() string { return base64.RawStdEncoding.EncodeToString(k[:]) }

// ParseKey reads a key of 20 letters A to P or a Position ID of 14 characters,
// and checks that it is the key of a board.
func ParseKey(text string) (Key, error) {
	k, err := decodeKey(text)
	if err != nil {
		return Key{}, err
	}
	if _, err := k.Board(); err != nil {
		return Key{}, fmt.Errorf("position key %q: %w", text, err)
	}
	return k, nil
}

// decodeKey reads the text forms of a key without checking the board.
func decodeKey(text string) (k Key, err error) {
	switch len(text) {
	case keyLetters:
		for i := range text {
			c := text[i] - 'A'
			if c > 15 {
				return Key{}, fmt.Errorf("position key %q: %q at character %d is not a letter A to P", text, text[i], i+1)
			}
			k[i/2] = k[i/2]<<4 | c
		}
	case positionIDLen:
		n, err := base64.RawStdEncoding.Strict().Decode(k[:], []byte(text))
		if err != nil {
			return Key{}, fmt.Errorf("position ID %q: %w", text, err)
		}
		if n != len(k) { // base64 skips line breaks inside
			return Key{}, fmt.Errorf("position ID %q: %d bytes, not %d", text, n, len(k))
		}
	default:
		return Key{}, fmt.Errorf("position key %q: %d characters, neither %d letters nor a Position ID of %d", text, len(text), keyLetters, positionIDLen)
	}
	return k, nil
}
