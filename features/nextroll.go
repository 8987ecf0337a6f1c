package features

import "bgtrain/internal/bg"

// An effect holds points, as the side on roll numbers them, in its lower half those on which it hits, from bit 32
// on those that it makes: covers a blot of its own, or brings two checkers to. What a number reaches is kept
// likewise, in the lower half for any checker, in the upper half for those to spare. A shift takes some of the
// upper half's bits into the lower half's highest, which open leaves out.
type effect = uint64

const upper = 32

// nextRoll is what decides what a side's next roll does on each point.
//
// Each roll's plays are found together, as masks of the points that a checker reaches. Whether the rules then
// demand another play is not looked at. The kernels depend on the order of the fields.
type nextRoll struct {
	from  effect // points with a checker; points with one to spare: exactly one, or three or more
	open  effect // points that the other side does not hold, in both halves
	blots effect // the other side's blots; its own
	empty effect // upper half only: open points without a checker of the side
	pairs effect // upper half only: points with two checkers or more
	bar   int
}

func (n *nextRoll) read(f, o *facts) {
	const points = 1<<bg.Bar - 1
	w := &f.words
	all := f.occupied & points
	single, open := all&^f.made, points&^o.seenMade
	spare := single | atLeast(w[0], 3) | atLeast(w[1], 3)<<8 | atLeast(w[2], 3)<<16
	n.from = effect(all) | effect(spare)<<upper
	n.open = effect(open) | effect(open)<<upper
	n.blots = effect(o.seenBlots) | effect(single)<<upper
	n.empty = effect(open&^all) << upper
	n.pairs = effect(f.made) << upper
	n.bar = f.bar
}

// count counts the 36 rolls by their effects.
func (n *nextRoll) count(t *rollCounts) {
	if n.bar > 0 {
		n.countEntering(t)
		return
	}
	// What each number reaches.
	r1, r2, r3 := n.from>>1&n.open, n.from>>2&n.open, n.from>>3&n.open
	r4, r5, r6 := n.from>>4&n.open, n.from>>5&n.open, n.from>>6&n.open
	t.set(
		[15]effect{
			n.roll(r1, r2, 1, 2), n.roll(r1, r3, 1, 3), n.roll(r1, r4, 1, 4), n.roll(r1, r5, 1, 5), n.roll(r1, r6, 1, 6),
			n.roll(r2, r3, 2, 3), n.roll(r2, r4, 2, 4), n.roll(r2, r5, 2, 5), n.roll(r2, r6, 2, 6),
			n.roll(r3, r4, 3, 4), n.roll(r3, r5, 3, 5), n.roll(r3, r6, 3, 6),
			n.roll(r4, r5, 4, 5), n.roll(r4, r6, 4, 6), n.roll(r5, r6, 5, 6),
		},
		[6]effect{
			n.double(r1, 1), n.double(r2, 2), n.double(r3, 3), n.double(r4, 4), n.double(r5, 5), n.double(r6, 6),
		})
}

// roll is the effect of two different numbers that reach ra and rb.
func (n *nextRoll) roll(ra, rb effect, a, b int) effect {
	return (ra|rb|ra>>b|rb>>a)&n.blots | ra&rb&n.empty
}

// double is the effect of a double that reaches r1 in one step.
func (n *nextRoll) double(r1 effect, a int) effect {
	r2 := r1 >> a & n.open
	r3 := r2 >> a & n.open
	// Two checkers come from one place in one step or two, or from two places in three steps or four.
	p := n.pairs >> a & n.open
	return (r1|r2|r3|r3>>a)&n.blots | (p|p>>a|r1&(r2|r3))&n.empty
}

// countEntering is count with checkers on the bar.
func (n *nextRoll) countEntering(t *rollCounts) {
	var different [15]effect
	var doubles [6]effect
	k := 0
	for a := 1; a <= 6; a++ {
		doubles[a-1] = n.enterDouble(a)
		for b := 1; b < a; b++ {
			if n.bar == 1 {
				different[k] = n.enter(a, b) | n.enter(b, a)
			} else {
				different[k] = (entered(a) | entered(b)) & n.open & n.blots
			}
			k++
		}
	}
	t.set(different, doubles)
}

// entered is where a checker enters, in both halves.
func entered(number int) effect { return (1 + 1<<upper) << (bg.Bar - number) }

// enter is the effect of entering the only checker on the bar with one number and playing the other with any.
func (n *nextRoll) enter(first, second int) effect {
	in := entered(first) & n.open
	if in == 0 {
		return 0
	}
	return (in|(n.from|in)>>second)&n.blots | in&(n.from>>second)&n.empty
}

// enterDouble is the effect of a double, of which each checker on the bar takes one step.
func (n *nextRoll) enterDouble(a int) effect {
	in := entered(a) & n.open
	if in == 0 {
		return 0
	}
	reached, r := in, n.from|in
	for range 4 - n.bar {
		r = r >> a & n.open
		reached |= r
	}
	one := n.from >> a & n.open
	two := one >> a & n.open
	var pair effect
	switch n.bar {
	case 1:
		pair = n.pairs>>a | one&two // who could join the checker that enters would be on the bar, too
	case 2:
		pair = n.pairs>>a | in
	default:
		pair = in
	}
	return reached&n.blots | pair&n.empty
}

// rollCounts holds a number from 0 to 36 for each bit of an effect, in binary: bit i
// of plane k is bit k of number i.
type rollCounts [6]uint64

// set counts the effects of different numbers twice, those of doubles once.
func (t *rollCounts) set(different [15]effect, doubles [6]effect) {
	d := &different
	// Carry-save: three numbers of one weight become one of it and one of twice that.
	s0, c0 := add3(d[0], d[1], d[2])
	s1, c1 := add3(d[3], d[4], d[5])
	s2, c2 := add3(d[6], d[7], d[8])
	s3, c3 := add3(d[9], d[10], d[11])
	s4, c4 := add3(d[12], d[13], d[14])
	s0, c5 := add3(s0, s1, s2)
	two, c6 := add3(s0, s3, s4)
	c0, e0 := add3(c0, c1, c2)
	c3, e1 := add3(c3, c4, c5)
	four, e2 := add3(c0, c3, c6)
	eight, sixteen := add3(e0, e1, e2)

	e := &doubles
	u0, v0 := add3(e[0], e[1], e[2])
	u1, v1 := add3(e[3], e[4], e[5])
	one, v2 := u0^u1, u0&u1
	v, w := add3(v0, v1, v2)

	two, x := two^v, two&v
	four, y := add3(four, w, x)
	eight, z := eight^y, eight&y
	sixteen, thirtyTwo := sixteen^z, sixteen&z
	*t = rollCounts{one, two, four, eight, sixteen, thirtyTwo}
}

// add3 adds three bits.
func add3(a, b, c uint64) (sum, carry uint64) {
	x := a ^ b
	return x ^ c, a&b | x&c
}

// write writes the numbers of the lower half's points, then of the upper half's.
func (t *rollCounts) write(d *[2 * bg.Bar]float32) {
	for k := range 6 {
		at := 8 * k
		if k >= 3 {
			at += upper - bg.Bar
		}
		w := spread[uint8(t[0]>>at)] | spread[uint8(t[1]>>at)]<<1 | spread[uint8(t[2]>>at)]<<2 |
			spread[uint8(t[3]>>at)]<<3 | spread[uint8(t[4]>>at)]<<4 | spread[uint8(t[5]>>at)]<<5
		p := (*[8]float32)(d[8*k:])
		p[0] = twelfths[uint8(w)]
		p[1] = twelfths[uint8(w>>8)]
		p[2] = twelfths[uint8(w>>16)]
		p[3] = twelfths[uint8(w>>24)]
		p[4] = twelfths[uint8(w>>32)]
		p[5] = twelfths[uint8(w>>40)]
		p[6] = twelfths[uint8(w>>48)]
		p[7] = twelfths[uint8(w>>56)]
	}
}

// spread has bit k of a byte as byte k.
var spread = func() (t [256]uint64) {
	for b := range t {
		for k := range 8 {
			t[b] |= uint64(b>>k&1) << (8 * k)
		}
	}
	return t
}()
