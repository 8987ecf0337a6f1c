package bg

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

// Key is GNU Backgammon's position key: 80 bits, filled from the lowest bit of the first byte. For the player not
// on roll, then for the player on roll, each of the 25 points from that player's own 1-point to the bar is written
// as one 1-bit a checker and a closing 0-bit.
//
// Two valid boards are equal exactly when their keys are. Not every key is a board: Board checks.
type Key [10]byte

const (
	keyLetters    = 20 // length of Key.String
	positionIDLen = 14 // length of Key.PositionID
)

// unary returns the key bits of one side, the 1-point lowest, and their number, 25 to 40.
//
// The closing 0-bit of point i comes after i others and all the checkers up to i, so the places of the 0-bits
// follow from running sums, eight at a time: in w*ones every byte is the sum of those of w up to it.
func (s *Side) unary() (code uint64, n uint) {
	const index = 0x0706050403020100
	w0, w1, w2 := s.Words()
	z0 := w0*ones + index
	z1 := w1*ones + index + (z0>>56+1)*ones
	z2 := w2*ones + index + (z1>>56+1)*ones
	n = uint(z2>>56) + 2 + uint(s[Bar])
	return (1<<((n-1)&63) - 1) &^ (bitsAt(z0) | bitsAt(z1) | bitsAt(z2)), n
}

// bitsAt sets the bits whose numbers are the bytes of places.
func bitsAt(places uint64) uint64 {
	return 1<<(places&63) | 1<<(places>>8&63) | 1<<(places>>16&63) | 1<<(places>>24&63) |
		1<<(places>>32&63) | 1<<(places>>40&63) | 1<<(places>>48&63) | 1<<(places>>56&63)
}

// Key returns the position key of a board, which must pass Check.
func (b *Board) Key() Key {
	opp, n := b.Opp.unary()
	me, _ := b.Me.unary()
	var k Key
	binary.LittleEndian.PutUint64(k[0:8], opp|me<<(n&63))
	binary.LittleEndian.PutUint16(k[8:10], uint16(me>>((64-n)&63)))
	return k
}

// Reasons why bytes are not a position key or a board not a position. Errors that name the side or point wrap one
// of these.
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
	if shared := b.Me.occupied() & heldBy(&b.Opp); shared != 0 {
		return fmt.Errorf("%w: the %d-point of the player on roll", ErrSharedPoint, bits.TrailingZeros32(shared)+1)
	}
	return nil
}

// Board decodes the key. It is an error when the key is not that of a board: more than 15 checkers on a side, both
// sides on one point, or 1-bits after the last point.
func (k Key) Board() (Board, error) {
	var b Board
	lo, hi := binary.LittleEndian.Uint64(k[0:8]), uint64(binary.LittleEndian.Uint16(k[8:10]))
	n := b.Opp.setUnary(lo)
	if n > 25+Checkers {
		return Board{}, fmt.Errorf("player not on roll: %w", ErrTooManyCheckers)
	}
	rest := lo>>n | hi<<(64-n)
	n = b.Me.setUnary(rest)
	if n > 25+Checkers {
		return Board{}, fmt.Errorf("player on roll: %w", ErrTooManyCheckers)
	}
	if rest>>n != 0 {
		return Board{}, ErrLeftOver
	}
	if err := b.Check(); err != nil {
		return Board{}, err
	}
	return b, nil
}

// setUnary is the inverse of unary: it reads 25 points from code and returns how many bits they take. More than 40
// mean too many checkers; s is of no use then.
func (s *Side) setUnary(code uint64) uint {
	next := 0 // where the current point's bits begin
	for i := range s {
		zero := bits.TrailingZeros64(^code) // 64 when no 0-bit is left
		s[i] = uint8(zero - next)
		next = zero + 1
		code |= code + 1
	}
	return uint(next)
}

// String returns the key as 20 letters A to P, two a byte, high nibble first:
// the form of GNU Backgammon's training and benchmark files.
func (k Key) String() string {
	var t [keyLetters]byte
	for i, c := range k {
		t[2*i], t[2*i+1] = 'A'+c>>4, 'A'+c&15
	}
	return string(t[:])
}

// PositionID returns the key as GNU Backgammon's 14-character Position ID: base64 without padding.
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
				return Key{}, fmt.Errorf("position key %q: %q at character %d is not a letter A to P", text, text[i],
					i+1)
			}
			k[i/2] = k[i/2]<<4 | c
		}
	case positionIDLen:
		n, err := base64.RawStdEncoding.Strict().Decode(k[:], []byte(text))
		var at base64.CorruptInputError
		if errors.As(err, &at) {
			return Key{}, fmt.Errorf("position ID %q: no position is written so, from character %d on", text, at+1)
		}
		if n != len(k) { // base64 skips line breaks inside
			return Key{}, fmt.Errorf("position ID %q: %d bytes, not %d", text, n, len(k))
		}
	default:
		return Key{}, fmt.Errorf("position key %q: %d characters, neither %d letters nor a Position ID of %d", text,
			len(text), keyLetters, positionIDLen)
	}
	return k, nil
}
