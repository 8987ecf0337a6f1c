package features

import "math/bits"

// hits writes the pips that the opponent loses to hits, averaged over the
// rolls, and the shares of rolls that hit one checker or more, and two or more.
//
// A shot goes from a hitter to an opposing blot; all shots of one way to play a roll (6-4 played as ten pips, say)
// are found together, as a mask of the points on which they hit. The way "2-2 played as six pips", for example, is
//
//	targets & hitters>>6 & open>>2 & open>>4
//
// Points are numbered as the hitting side does.
func hits(f, o *facts, d *[contactSide]float32) {
	s := shots{targets: o.seenBlots, blots: o.seenBlots, open: ^o.seenMade, hitters: f.hitters, single: f.single}
	if bits.OnesCount32(f.occupied&0x3f) <= 2 {
		// Nor, with checkers on two home points or fewer, does anybody hit on the 1-point and 2-point. (Later
		// versions of GNU Backgammon count the points held instead; 1.07 does not.)
		s.targets &^= 3
	}
	// No hitter, or none beyond the first blot.
	if s.targets == 0 || s.hitters>>bits.TrailingZeros32(s.targets)>>1 == 0 {
		d[cPipLoss], d[cHit1], d[cHit2] = 0, 0, 0
		return
	}
	var t tally
	switch {
	case f.bar == 1:
		t = best.oneOnBar(s)
	case f.bar > 1:
		t = entryTallies[s.targets>>18&63]
	default:
		t = best.free(s)
	}
	d[cPipLoss] = float32(t.pips) * per432
	d[cHit1] = float32(t.one) * per36
	d[cHit2] = float32(t.two) * per36
}

// shots is what decides which rolls hit.
type shots struct {
	targets uint32 // blots worth hitting
	blots   uint32 // all blots
	open    uint32 // points that the opponent does not hold
	hitters uint32 // places to hit from, bit 24 the bar
	single  uint32 // places with just one checker
}

// tally counts over the 36 rolls.
type tally struct {
	pips int // pips lost to the most costly hit of each roll
	one  int // rolls that hit
	two  int // rolls that hit two checkers
}

// add counts a roll that hits on the points of mask, weight times.
func (t *tally) add(weight int, mask uint32) {
	// A checker hit on index i loses i+1 pips.
	t.pips += weight * bits.Len32(mask)
	t.one += weight * some(mask)
}

// some is 1 for a mask with any bit set, 0 without. Masks here are below 2^25.
func some(mask uint32) int { return int(-mask >> 31) }

// passes is 1 if the highest bit of mask, a hit with the rearmost hitter, is
// one of those from which a blot lies on the hitter's way.
func passes(mask, onTheWay uint32) int {
	return int((mask&^onTheWay - mask&onTheWay) >> 31)
}

// tallyFreeGo tallies, in portable Go, with nobody on the bar.
func (s *shots) tallyFreeGo() tally {
	t := s.free()
	t.two = s.freeTwo()
	return t
}

// free tallies pips and single hits with nobody on the bar.
func (s *shots) free() (t tally) {
	T, H, O := s.targets, s.hitters, s.open
	d1, d2, d3 := T&(H>>1), T&(H>>2), T&(H>>3)
	d4, d5, d6 := T&(H>>4), T&(H>>5), T&(H>>6)
	d8, d9, d10, d12 := T&(H>>8), T&(H>>9), T&(H>>10), T&(H>>12)
	o1, o2, o3, o4, o5, o6 := O>>1, O>>2, O>>3, O>>4, O>>5, O>>6

	// Doubles: every step but the last needs an open point.
	var u tally
	u.add(1, d1|o1&(d2|o2&(d3|o3&d4)))
	u.add(1, d2|o2&(d4|o4&(d6|o6&d8)))
	u.add(1, d3|o3&(d6|o6&(d9|O>>9&d12)))
	u.add(1, d4|o4&(d8|O>>8&(d12|O>>12&T&(H>>16))))
	u.add(1, d5|o5&(d10|O>>10&(T&(H>>15)|O>>15&T&(H>>20))))
	u.add(1, d6|o6&(d12|O>>12&(T&(H>>18)|O>>18&T&(H>>24))))

	// The others go by way of either of two points.
	t.add(1, d1|d2|d3&(o1|o2))
	t.add(1, d1|d3|d4&(o1|o3))
	t.add(1, d1|d4|d5&(o1|o4))
	t.add(1, d1|d5|d6&(o1|o5))
	d7 := T & (H >> 7)
	t.add(1, d1|d6|d7&(o1|o6))
	t.add(1, d2|d3|d5&(o2|o3))
	t.add(1, d2|d4|d6&(o2|o4))
	t.add(1, d2|d5|d7&(o2|o5))
	t.add(1, d2|d6|d8&(o2|o6))
	t.add(1, d3|d4|d7&(o3|o4))
	t.add(1, d3|d5|d8&(o3|o5))
	t.add(1, d3|d6|d9&(o3|o6))
	t.add(1, d4|d5|d9&(o4|o5))
	t.add(1, d4|d6|d10&(o4|o6))
	t.add(1, d5|d6|T&(H>>11)&(o5|o6))
	return tally{pips: u.pips + 2*t.pips, one: u.one + 2*t.one}
}

// freeTwo counts the rolls that hit two checkers or more, with nobody on the bar: with both dice, unless the same
// single checker would have to hit twice, or with one checker on its way to another hit.
func (s *shots) freeTwo() int {
	T, H := s.targets, s.hitters
	d1, d2, d3, d4, d5, d6 := T&(H>>1), T&(H>>2), T&(H>>3), T&(H>>4), T&(H>>5), T&(H>>6)
	if s.blots&(s.blots-1) == 0 {
		// One blot: any two dice that hit it hit it from two places, which GNU Backgammon counts as two.
		n := some(d1) + some(d2) + some(d3) + some(d4) + some(d5) + some(d6)
		return n * (n - 1)
	}
	B, O := s.blots, s.open
	b1, b2, b3, b4, b5, b6 := B>>1, B>>2, B>>3, B>>4, B>>5, B>>6
	n := s.doubleTwo(1, d1) + s.doubleTwo(2, d2) + s.doubleTwo(3, d3) +
		s.doubleTwo(4, d4) + s.doubleTwo(5, d5) + s.doubleTwo(6, d6)

	x := [...]direct{{}, s.direct(1, d1), s.direct(2, d2), s.direct(3, d3), s.direct(4, d4), s.direct(5, d5),
		s.direct(6, d6)}
	o1, o2, o3, o4, o5, o6 := O>>1, O>>2, O>>3, O>>4, O>>5, O>>6
	d7, d8, d9 := T&(H>>7), T&(H>>8), T&(H>>9)
	two := x[1].and(&x[2]) | passes(d3&(o1|o2), b1|b2)
	two += x[1].and(&x[3]) | passes(d4&(o1|o3), b1|b3)
	two += x[1].and(&x[4]) | passes(d5&(o1|o4), b1|b4)
	two += x[1].and(&x[5]) | passes(d6&(o1|o5), b1|b5)
	two += x[1].and(&x[6]) | passes(d7&(o1|o6), b1|b6)
	two += x[2].and(&x[3]) | passes(d5&(o2|o3), b2|b3)
	two += x[2].and(&x[4]) | passes(d6&(o2|o4), b2|b4)
	two += x[2].and(&x[5]) | passes(d7&(o2|o5), b2|b5)
	two += x[2].and(&x[6]) | passes(d8&(o2|o6), b2|b6)
	two += x[3].and(&x[4]) | passes(d7&(o3|o4), b3|b4)
	two += x[3].and(&x[5]) | passes(d8&(o3|o5), b3|b5)
	two += x[3].and(&x[6]) | passes(d9&(o3|o6), b3|b6)
	two += x[4].and(&x[5]) | passes(d9&(o4|o5), b4|b5)
	two += x[4].and(&x[6]) | passes(T&(H>>10)&(o4|o6), b4|b6)
	two += x[5].and(&x[6]) | passes(T&(H>>11)&(o5|o6), b5|b6)
	return n + 2*two
}

// doubleTwo is 1 if a double hits two checkers. hit is where one die hits.
func (s *shots) doubleTwo(d int, hit uint32) int {
	T, H, O, B := s.targets, s.hitters, s.open, s.blots
	two := some(hit & (hit - 1))
	way, onTheWay := T&(O>>(d&31)), B>>(d&31)
	two |= passes(way&(H>>(2*d&31)), onTheWay)
	way, onTheWay = way&(O>>(2*d&31)), onTheWay|B>>(2*d&31)
	two |= passes(way&(H>>(3*d&31)), onTheWay)
	way, onTheWay = way&(O>>(3*d&31)), onTheWay|B>>(3*d&31)
	return two | passes(way&(H>>(4*d&31)), onTheWay)
}

// direct is what a die hits by itself.
type direct struct {
	hits uint32 // all bits set if it hits
	only uint32 // the place of its rearmost hitter, if that is a single checker
}

func (s *shots) direct(d int, hit uint32) direct {
	from := uint32(1) << (bits.Len32(hit) & 31) >> 1 << (d & 31)
	return direct{hits: uint32(int32(-hit) >> 31), only: from & s.single}
}

// and is 1 if both dice hit, from two places or a place with more checkers.
func (a *direct) and(b *direct) int {
	both := a.hits & b.hits & 1
	return int(both) &^ some(a.only&b.only)
}

const barBit = 1 << 24

// tallyOneOnBarGo tallies, in portable Go, with one checker on the bar, which enters first: another
// checker hits only directly, and only where the other die enters.
func (s *shots) tallyOneOnBarGo() (t tally) {
	var bar, rest, enters [7]uint32
	for d := 1; d <= 6; d++ {
		at := uint32(barBit) >> d
		bar[d] = s.targets & at
		rest[d] = s.targets & ((s.hitters &^ barBit) >> d)
		enters[d] = -(s.open >> (24 - d) & 1)
	}
	for a := 1; a <= 6; a++ {
		mask, n := s.doubleFromBar(a, bar[a], rest[a])
		t.add(1, mask)
		if n > 1 {
			t.two++
		}
		for b := a + 1; b <= 6; b++ {
			ra := rest[a] & enters[b]
			rb := rest[b] & enters[a]
			if ra != 0 {
				rb = 0
			}
			sum := s.targets & (barBit >> (a + b)) & (s.open>>a | s.open>>b)
			t.add(2, bar[a]|bar[b]|ra|rb|sum)
			n := some(bar[a]) + some(bar[b]) + some(ra|rb)
			if sum != 0 {
				// GNU Backgammon looks one point past those that the checker touches.
				n = max(n, 1) + min(1, int(s.blots&(barBit>>(a+2)|barBit>>(b+2))))
			}
			if n > 1 {
				t.two += 2
			}
		}
	}
	return t
}

// doubleFromBar returns the points hit, and how many checkers are, by a double with one checker on the bar.
func (s *shots) doubleFromBar(d int, bar, rest uint32) (mask uint32, n int) {
	mask = bar
	n = some(bar)
	// GNU Backgammon checks here whether twice the die enters.
	if rest != 0 && s.open>>(24-2*d)&1 != 0 {
		mask |= rest
		n++
	}
	open := s.open >> d
	passed := uint32(barBit) >> (d + 2)
	for k := 2; k <= 4; k++ {
		if m := s.targets & (barBit >> (k * d)) & open; m != 0 {
			mask |= m
			n = max(n, 1) + min(1, int(s.blots&passed))
		}
		open &= s.open >> (k * d)
		passed |= barBit >> (k*d + 2)
	}
	return mask, n
}

// entryTallies holds the tallies with two or more on the bar, which hit only as they enter, by the targets on the
// opponent's home points: bit 0 the 6-point, bit 5 the 1-point.
var entryTallies = func() (all [64]tally) {
	for targets := range all {
		t := &all[targets]
		for a := 1; a <= 6; a++ {
			g := uint32(targets) << 18 & (barBit >> a)
			t.add(1, g)
			for b := 1; b < a; b++ {
				h := uint32(targets) << 18 & (barBit >> b)
				t.add(2, g|h)
				t.two += 2 * some(g) * some(h)
			}
		}
	}
	return all
}()
