package features

import (
	"math/bits"

	"bgtrain/internal/bg"
)

// The sets of the Computational Backgammon blog (Mark Higgins, 2012, players 2 to 2.4 and 3.5): Tesauro's inputs
// and what each player added to them, as its author describes it. A side's block is Tesauro's 98, then its
// measures; the player on roll comes first.

// measureKind is a measure of a side.
type measureKind uint8

const (
	safeMeasure measureKind = iota
	hitMeasure
	runMeasure
	runMeasures
	escapeMeasures
	barMeasure
)

var measureNames = [...][]string{
	safeMeasure:    {"cannot lose a backgammon"},
	hitMeasure:     {"rolls that hit"},
	runMeasure:     {"longest prime"},
	runMeasures:    {"longest prime to 3", "longest prime >=4", "longest prime >=5", "longest prime above 5"},
	escapeMeasures: {"escapes from 16 to 24", "escapes from 2 to 16"},
	barMeasure:     {"escapes from the bar"},
}

// write writes a measure's inputs.
func (f *blogSide) write(kind measureKind, d []float32) {
	switch kind {
	case safeMeasure:
		d[0] = f.safe()
	case hitMeasure:
		d[0] = float32(f.hitRolls()) * per36
	case runMeasure:
		d[0] = float32(min(f.longestPrime(), 6)) * per6
	case runMeasures:
		n := f.longestPrime()
		d[0] = float32(min(n, 3)) * per3
		d[1], d[2] = float32(some(uint32(max(0, n-3)))), float32(some(uint32(max(0, n-4))))
		d[3] = float32(max(0, n-5))
	case escapeMeasures:
		d[0], d[1] = float32(f.fewestEscapes(15, 23))*per36, float32(f.fewestEscapes(1, 15))*per36
	case barMeasure:
		d[0] = float32(f.barEscapes()) * per216
	}
}

const per216 float32 = 1. / 216 // rolls from six points

// The sets, by the player that introduced them.
var (
	Blog2  = blogSet("blog-2", "Tesauro's, and whether a backgammon can be lost", safeMeasure)
	Blog21 = blogSet("blog-2.1", "blog-2 and hitting shots", safeMeasure, hitMeasure)
	Blog22 = blogSet("blog-2.2", "blog-2.1 and the longest prime", safeMeasure, hitMeasure, runMeasure)
	Blog23 = blogSet("blog-2.3", "blog-2.1 and the longest prime in four", safeMeasure, hitMeasure, runMeasures)
	Blog24 = blogSet("blog-2.4", "blog-2.1 and Berliner's escapes", safeMeasure, hitMeasure, escapeMeasures)
	Blog35 = blogSet("blog-3.5", "blog-2.4 and escapes from the bar", safeMeasure, hitMeasure, escapeMeasures,
		barMeasure)
)

func blogSet(name, about string, measures ...measureKind) *Set {
	block := tesauroSide
	var names []string
	for _, m := range measures {
		block += len(measureNames[m])
		names = append(names, measureNames[m]...)
	}
	return register(&Set{
		Name: name, Version: 1, Size: 2 * block, About: about + "; player on roll first",
		Encode: func(b *bg.Board, dst []float32) {
			var me, opp blogSide
			me.read(&b.Me, &b.Opp)
			opp.read(&b.Opp, &b.Me)
			for k, s := range [2]*blogSide{&me, &opp} {
				d := dst[k*block : (k+1)*block]
				encodeTesauro(s.own, (*[tesauroSide]float32)(d[:tesauroSide]))
				at := tesauroSide
				for _, m := range measures {
					s.write(m, d[at:])
					at += len(measureNames[m])
				}
			}
		},
		inputName: func(i int) string {
			if at := i % block; at >= tesauroSide {
				return sides[1-i/block] + " " + names[at-tesauroSide]
			}
			return tesauroName(i/block*tesauroSide + i%block)
		},
	})
}

// blogSide is what the measures need of one side. Masks number the points as the side does, bit 0 its 1-point.
type blogSide struct {
	own, other *bg.Side
	bar        int
	places     uint32 // points with a checker of the side, without the bar
	made       uint32 // points with two or more
	blots      uint32 // points with a single checker of the other side
	blocked    uint32 // points that the other side holds
}

func (f *blogSide) read(own, other *bg.Side) {
	f.own, f.other, f.bar = own, other, int(own[bg.Bar])
	f.places, f.made, f.blots, f.blocked = 0, 0, 0, 0
	for i := range bg.Bar {
		bit := uint32(1) << i
		if own[i] > 0 {
			f.places |= bit
		}
		if own[i] > 1 {
			f.made |= bit
		}
		switch n := other[bg.Bar-1-i]; {
		case n == 1:
			f.blots |= bit
		case n > 1:
			f.blocked |= bit
		}
	}
}

// safe is 1 where the side cannot lose a backgammon any more: a checker is off, or
// nobody can hit, and none of its checkers is in the other side's home board.
func (f *blogSide) safe() float32 {
	if f.own.Off() > 0 {
		return 1
	}
	if f.own.Back()+f.other.Back() <= 22 && f.places>>18 == 0 && f.bar == 0 {
		return 1
	}
	return 0
}

// longestPrime is the longest run of held points from the 1-point to the 12-point.
func (f *blogSide) longestPrime() int {
	n := 0
	for run := f.made & 0xfff; run != 0; run &= run >> 1 {
		n++
	}
	return n
}

// fewestEscapes is the least number of rolls with which a checker of the side
// escapes (see escapes) from where it stands between two points; 36 without one.
func (f *blogSide) fewestEscapes(from, to int) int {
	least := 36
	for m := f.places >> from << from & (1<<(to+1) - 1); m != 0; m &= m - 1 {
		least = min(least, int(f.escapesFrom(bits.TrailingZeros32(m))))
	}
	return least
}

// escapesFrom is the number of rolls with which a checker on point i escapes.
func (f *blogSide) escapesFrom(i int) uint8 {
	// Bit k of the window is the point k+1 pips ahead; what lies off the board is open.
	return escapes[bits.Reverse32(f.blocked)>>(32-i)&0xfff]
}

// barEscapes sums the escaping rolls from the points where a checker enters.
func (f *blogSide) barEscapes() int {
	n := 0
	for i := 18; i < 24; i++ {
		if f.blocked>>i&1 == 0 {
			n += int(f.escapesFrom(i))
		}
	}
	return n
}

// hitRolls is the number of the 36 rolls with which the side can hit a blot: by one die, by both with one checker
// where it may land between, by up to four steps of a double; checkers on the bar enter first. Whether the rules
// then demand another play is not asked.
func (f *blogSide) hitRolls() int {
	if f.blots == 0 {
		return 0
	}
	n := 0
	for d1 := 1; d1 <= 6; d1++ {
		n += some(f.doubleHits(d1))
		for d2 := 1; d2 < d1; d2++ {
			n += 2 * some(f.rollHits(d1, d2)|f.rollHits(d2, d1))
		}
	}
	return n
}

// rollHits is not 0 if first and then second hit something.
func (f *blogSide) rollHits(first, second int) uint32 {
	from := f.places
	if f.bar > 0 {
		enter := uint32(1) << (24 - first) &^ f.blocked
		if enter == 0 || enter&f.blots != 0 || f.bar > 1 {
			return enter & f.blots
		}
		return (from | enter) >> second & f.blots
	}
	return from>>first&f.blots | from>>first&^f.blocked>>second&f.blots
}

// doubleHits is not 0 if up to four steps of d hit something.
func (f *blogSide) doubleHits(d int) uint32 {
	from, steps := f.places, 4
	if f.bar > 0 {
		enter := uint32(1) << (24 - d) &^ f.blocked
		if enter == 0 || enter&f.blots != 0 {
			return enter & f.blots
		}
		from |= enter
		steps -= f.bar
	}
	var hits uint32
	for ; steps > 0; steps-- {
		from = from >> d &^ f.blocked
		hits |= from & f.blots
	}
	return hits
}
