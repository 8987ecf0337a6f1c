package features

import "math/bits"

// hits writes the pips that the opponent loses to hits, averaged over the
// rolls, and the shares of rolls that hit one checker or more, and two or more.
//
// A shot goes from a hitter to an opposing blot; all shots of one way to roll
// them (6-4 played as ten pips, say) are found together, as a mask of the
// points on which they hit. The way "2-2 played as six pips", for example, is
//
//	targets & hitters>>6 & open>>2 & open>>4
//
// Points are numbered as the hitting side does.
func hits(f, o *facts, d *[contactSide]float32) {
	targets := o.seenBlots
	if bits.OnesCount32(f.occupied&0x3f) <= 2 {
		// Nor, with checkers on two home points or fewer, does anybody hit on
		// the 1-point and 2-point. (Later versions of GNU Backgammon count the
		// points held instead; 1.07 does not.)
		targets &^= 3
	}
	// The nearest hitter to any blot is beyond the first one.
	if targets == 0 || f.hitters>>bits.TrailingZeros32(targets)>>1 == 0 {
		d[cPipLoss], d[cHit1], d[cHit2] = 0, 0, 0
		return
	}
	sh := shots{targets: targets, hitters: f.hitters, open: ^o.seenMade, blots: o.seenBlots, single: f.single}
	var t tally
	switch f.bar {
	case 0:
		sh.free(&t)
	case 1:
		sh.oneOnBar(&t)
	default:
		sh.moreOnBar(&t)
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

// add counts a roll that hits on the points of mask, of weight 1 or 2.
func (t *tally) add(weight int, mask uint32, two bool) {
	if mask != 0 {
		// A checker hit on index i loses i+1 pips.
		t.pips += weight * bits.Len32(mask)
		t.one += weight
	}
	if two {
		t.two += weight
	}
}

// direct returns the points hit with one die.
func (s *shots) direct(d int) uint32 { return s.targets & (s.hitters >> d) }

// sum returns the points hit with both of two different dice.
func (s *shots) sum(a, b int) uint32 {
	return s.targets & (s.hitters >> (a + b)) & (s.open>>a | s.open>>b)
}

// multiple returns the points hit with n steps of die d, 2 to 4.
func (s *shots) multiple(d, n int) uint32 {
	m := s.targets & (s.hitters >> (d * n))
	for k := 1; k < n; k++ {
		m &= s.open >> (d * k)
	}
	return m
}

// onTheWay returns the points from which a blot lies 1 to n-1 steps of die d
// behind.
func (s *shots) onTheWay(d, n int) (m uint32) {
	for k := 1; k < n; k++ {
		m |= s.blots >> (d * k)
	}
	return m
}

// top keeps the highest bit of a mask.
func top(m uint32) uint32 {
	if m == 0 {
		return 0
	}
	return 1 << (bits.Len32(m) - 1)
}

// free tallies with nobody on the bar.
func (s *shots) free(t *tally) {
	for a := 1; a <= 6; a++ {
		g := s.direct(a)
		two := g&(g-1) != 0
		mask := g
		for n := 2; n <= 4; n++ {
			m := s.multiple(a, n)
			mask |= m
			two = two || top(m)&s.onTheWay(a, n) != 0
		}
		t.add(1, mask, two)

		for b := 1; b < a; b++ {
			h := s.direct(b)
			m := s.sum(a, b)
			two := top(m)&(s.blots>>a|s.blots>>b) != 0
			if g != 0 && h != 0 {
				// Two direct shots hit two checkers unless they are the same
				// single checker's.
				from := top(g) << a
				two = two || from != top(h)<<b || from&s.single == 0
			}
			t.add(2, g|h|m, two)
		}
	}
}

// oneOnBar tallies with one checker on the bar, which enters first: another
// checker hits only directly, and only where the other die enters.
func (s *shots) oneOnBar(t *tally) {
	const bar = 1 << 24
	enters := func(d int) bool { return s.open>>(24-d)&1 != 0 }
	onBar, rest := *s, *s
	onBar.hitters &= bar
	rest.hitters &^= bar
	for a := 1; a <= 6; a++ {
		n := 0
		mask := onBar.direct(a)
		if mask != 0 {
			n++
		}
		// GNU Backgammon asks here whether twice the die enters.
		if m := rest.direct(a); m != 0 && enters(2*a) {
			n++
			mask |= m
		}
		for k := 2; k <= 4; k++ {
			m := onBar.multiple(a, k)
			if m == 0 {
				continue
			}
			mask |= m
			n = max(n, 1)
			var passed uint32
			for j := 1; j < k; j++ {
				passed |= bar >> (a*j + 2)
			}
			if s.blots&passed != 0 {
				n++
			}
		}
		t.add(1, mask, n >= 2)

		for b := a + 1; b <= 6; b++ {
			t.add(s.oneOnBarTwoDice(&onBar, &rest, a, b))
		}
	}
}

// oneOnBarTwoDice returns the weight, the points hit and whether two checkers
// are hit for the roll of dice a < b.
func (s *shots) oneOnBarTwoDice(onBar, rest *shots, a, b int) (weight int, mask uint32, two bool) {
	const bar = 1 << 24
	enters := func(d int) bool { return s.open>>(24-d)&1 != 0 }
	n := 0
	used := false
	for _, dice := range [2][2]int{{a, b}, {b, a}} {
		if m := onBar.direct(dice[0]); m != 0 {
			n++
			mask |= m
		}
		if m := rest.direct(dice[0]); m != 0 && !used && enters(dice[1]) {
			used = true
			n++
			mask |= m
		}
	}
	if m := onBar.sum(a, b); m != 0 {
		mask |= m
		n = max(n, 1)
		// GNU Backgammon looks one point past those that the checker touches.
		if s.blots&(bar>>(a+2)|bar>>(b+2)) != 0 {
			n++
		}
	}
	return 2, mask, n >= 2
}

// moreOnBar tallies with two or more on the bar: they hit only as they enter.
func (s *shots) moreOnBar(t *tally) {
	const bar = 1 << 24
	onBar := *s
	onBar.hitters &= bar
	for a := 1; a <= 6; a++ {
		g := onBar.direct(a)
		t.add(1, g, false)
		for b := 1; b < a; b++ {
			h := onBar.direct(b)
			t.add(2, g|h, g != 0 && h != 0)
		}
	}
}
