package barrage

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"

	"bgtrain/internal/splitmix"
)

// rng makes random numbers fast; the seed gives their order.
type rng struct{ state uint64 }

func (r *rng) next64() uint64 {
	r.state++
	return splitmix.Seed(r.state)
}

// below returns a number of 0 to n-1; 0 for n = 0.
func (r *rng) below(n int) int {
	hi, _ := bits.Mul64(r.next64(), uint64(n))
	return int(hi)
}

// chunk returns a range of n bytes, mostly a short one.
func (r *rng) chunk(n int) (from, to int) {
	if n == 0 {
		return 0, 0
	}
	size := 1 + r.below(min(n, 2<<r.below(12)))
	from = r.below(n - size + 1)
	return from, from + size
}

// interesting are numbers at the edges of types; the larger ones are cut to size.
var interesting = []uint64{0, 1, 2, 0x0a, 0x20, 0x7f, 0x80, 0xff, 0x100, 0x3ff, 0x400, 0x1000, 0x7fff, 0x8000, 0xffff,
	0x10000, 0x7f800000, 0x7fc00000, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0x7ff0000000000000,
	0x7ff8000000000000, 0x7fffffffffffffff, 0x8000000000000000, 0xfffffffffffffffe, 0xffffffffffffffff}

// numerals are numbers as text, and what parsers of them look at.
var numerals = []string{"0", "-0", "1", "-1", "00", "+", "-", ".", "e", "0.5", ".5", "1.", "1e9", "1e-9", "1e309", "1e-400",
	"0x1p-2", "0x", "1_0", "inf", "-Inf", "nan", "15", "16", "24", "25", "26", "31", "63", "64", "127", "128", "255",
	"256", "32767", "32768", "65535", "65536", "2147483647", "2147483648", "-2147483648", "4294967295", "4294967296",
	"9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551615",
	"18446744073709551616", "99999999999999999999999999"}

// marks are the bytes that text formats are made of.
const marks = " \t\n\r,.:;-+*/\\'\"()[]{}<>=#%&|_0159azAZ\x00\x7f\x80\xff"

// A mutator changes inputs, and keeps them from growing beyond max.
type mutator struct {
	rng
	max int
	tmp []byte
}

// mutateNumber changes a number of so many bits.
func (m *mutator) mutateNumber(n uint64, size int) uint64 {
	switch m.below(4) {
	case 0:
		return n ^ 1<<m.below(size)
	case 1:
		return n + uint64(m.below(33)) - 16
	case 2:
		return interesting[m.below(len(interesting))]
	}
	return m.next64() >> m.below(64)
}

// insert puts text at i, as much as there is room for.
func (m *mutator) insert(b []byte, i int, text []byte) []byte {
	text = text[:min(len(text), max(m.max-len(b), 0))]
	return slices.Insert(b, i, text...)
}

// replace puts text in the place of b[from:to].
func (m *mutator) replace(b []byte, from, to int, text []byte) []byte {
	return m.insert(slices.Delete(b, from, to), from, text)
}

// copied copies text that may be part of the input, which is about to move.
func (m *mutator) copied(text []byte) []byte {
	m.tmp = append(m.tmp[:0], text...)
	return m.tmp
}

// mutate changes b in one place; other is where text of other inputs comes from.
func (m *mutator) mutate(b, other []byte) []byte {
	if len(b) == 0 {
		from, to := m.chunk(len(other))
		return m.insert(m.insert(b, 0, other[from:to]), 0, m.random())
	}
	i := m.below(len(b))
	switch m.below(20) {
	case 0:
		b[i] ^= 1 << m.below(8)
	case 1:
		b[i] = byte(m.next64())
	case 2:
		b[i] = marks[m.below(len(marks))]
	case 3:
		b[i] += byte(m.below(33) - 16)
	case 4, 5:
		m.integer(b)
	case 6, 7:
		from, to := m.chunk(len(b))
		b = slices.Delete(b, from, to)
	case 8: // twice, or elsewhere as well
		from, to := m.chunk(len(b))
		b = m.insert(b, i, m.copied(b[from:to]))
	case 9: // moved
		from, to := m.chunk(len(b))
		text := m.copied(b[from:to])
		b = slices.Delete(b, from, to)
		b = m.insert(b, m.below(len(b)+1), text)
	case 10:
		b = m.insert(b, i, m.random())
	case 11:
		from, to := m.chunk(len(other))
		copy(b[i:], other[from:to])
	case 12:
		from, to := m.chunk(len(other))
		b = m.insert(b, i, other[from:to])
	case 13: // two inputs, cut where each has its own place, or both the same
		j := m.below(len(other) + 1)
		if m.below(2) == 0 {
			j = min(i, len(other))
		}
		b = m.insert(b[:i], i, other[j:])
	case 14:
		b = b[:i]
	case 15, 16: // a number, where one is if there is one
		from, to := i, i
		if at := bytes.IndexAny(b[i:min(i+64, len(b))], "0123456789"); at >= 0 {
			from, to = word(b, i+at)
		}
		b = m.replace(b, from, to, []byte(numerals[m.below(len(numerals))]))
	case 17: // a word for another one
		if len(other) > 0 {
			f, t := word(other, m.below(len(other)))
			from, to := word(b, i)
			b = m.replace(b, from, to, other[f:t])
		}
	case 18: // lines
		from, to := line(b, i)
		text := m.copied(b[from:to])
		switch m.below(3) {
		case 0:
			b = slices.Delete(b, from, to)
		case 1:
			b = m.insert(b, from, text)
		case 2:
			b = slices.Delete(b, from, to)
			if len(b) > 0 {
				at, _ := line(b, m.below(len(b)))
				b = m.insert(b, at, text)
			}
		}
	case 19:
		from, to := m.chunk(len(b))
		fill := byte(interesting[m.below(8)])
		for k := range b[from:to] {
			b[from+k] = fill
		}
	}
	return b
}

// integer changes an integer of 1 to 8 bytes, of either order of bytes.
func (m *mutator) integer(b []byte) {
	size := min(1<<m.below(4), len(b))
	i := m.below(len(b) - size + 1)
	var buf [8]byte
	copy(buf[:], b[i:i+size])
	r := m.next64()
	big := r&1 == 0
	if big {
		slices.Reverse(buf[:size])
	}
	v := binary.LittleEndian.Uint64(buf[:])
	if r&2 == 0 {
		v += uint64(m.below(33)) - 16
	} else {
		v = interesting[m.below(len(interesting))]
	}
	binary.LittleEndian.PutUint64(buf[:], v)
	if big {
		slices.Reverse(buf[:size])
	}
	copy(b[i:], buf[:size])
}

// random returns a few bytes: any, of text, or one of them repeated.
func (m *mutator) random() []byte {
	n := 1 + m.below(1<<m.below(6))
	m.tmp = m.tmp[:0]
	mode := m.below(3)
	first := byte(m.next64())
	if m.below(2) == 0 {
		first = marks[m.below(len(marks))]
	}
	for range n {
		switch mode {
		case 0:
			m.tmp = append(m.tmp, byte(m.next64()))
		case 1:
			m.tmp = append(m.tmp, marks[m.below(len(marks))])
		case 2:
			m.tmp = append(m.tmp, first)
		}
	}
	return m.tmp
}

// word returns the letters and digits around i, at most 32 each way.
func word(b []byte, i int) (from, to int) {
	inside := func(c byte) bool {
		return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '.' || c == '-'
	}
	from, to = i, i+1
	for from > 0 && i-from < 32 && inside(b[from-1]) {
		from--
	}
	for to < len(b) && to-i < 32 && inside(b[to]) {
		to++
	}
	return from, to
}

// line returns the line that i is in, with its end.
func line(b []byte, i int) (from, to int) {
	from = bytes.LastIndexByte(b[:i], '\n') + 1
	if to = bytes.IndexByte(b[i:], '\n'); to < 0 {
		return from, len(b)
	}
	return from, i + to + 1
}
