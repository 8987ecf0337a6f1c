package features

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The kernels of rolls keep both sides in a register, in lanes of 64 bits, and two
// rolls: lane 0 is the first side's first roll, lane 1 the second side's, lanes 2 and
// 3 are the second roll's. Each lane is an effect, see nextRoll in Go.

// Offsets within nextRoll, in bytes, and its size.
const (
	atFrom = 8 * iota
	atOpen
	atBlots
	atEmpty
	atPairs
	atBar
	nextRollSize
)

// points is the number of points, sideBytes the size of a side's inputs.
const (
	points    = 24
	upperHalf = 32
	sideBytes = 4 * (2*points + 19)
)

// dice are two rolls' numbers: shift counts, and the points where they enter.
type dice struct{ shift, enter Mem }

// number makes the tables of a number of two rolls, 0 for none.
func number(a, b int) dice {
	name := string(rune('0'+a)) + string(rune('0'+b))
	if d, ok := numbers[name]; ok {
		return d
	}
	d := dice{GLOBL("shift"+name, RODATA|NOPTR), Mem{}}
	for lane, n := range []int{a, a, b, b} {
		count := 64 // shifts everything out
		if n > 0 {
			count = n
		}
		DATA(8*lane, U64(count))
	}
	d.enter = GLOBL("enter"+name, RODATA|NOPTR)
	for lane, n := range []int{a, a, b, b} {
		at := uint64(0)
		if n > 0 {
			at = (1 + 1<<upperHalf) << (points - n)
		}
		DATA(8*lane, U64(at))
	}
	numbers[name] = d
	return d
}

var numbers = map[string]dice{}

// rollKernels generates the counting of rolls by what they do on each point: with
// nobody on the bar, and for any position.
func rollKernels() {
	for _, k := range []struct {
		name, when string
		entering   bool
	}{{"rollsAVX2", "with nobody on the bar", false}, {"enterRollsAVX2", "in any position", true}} {
		TEXT(k.name, NOSPLIT, "func(sides *uint64, inputs *float32)")
		Pragma("noescape")
		Doc(k.name+" writes the inputs that count rolls, "+k.when+". sides points to the",
			"first field of two nextRoll, inputs to two sides' inputs.")
		r := readSides(k.entering)
		c := &counter{top: 5}
		for i := range 3 {
			c.add(0, r.double(number(2*i+1, 2*i+2)))
		}
		var low, high []int
		for a := 1; a <= 6; a++ {
			for b := a + 1; b <= 6; b++ {
				low, high = append(low, a), append(high, b)
			}
		}
		low, high = append(low, 0), append(high, 0)
		for i := 0; i < len(low); i += 2 {
			c.add(1, r.mixed(number(low[i], low[i+1]), number(high[i], high[i+1])))
		}
		write(halves(c.sums()).sums())
		VZEROUPPER()
		RET()
	}
}

// sides holds the masks of both sides in memory, see nextRoll.
type sides struct {
	from, open, blots, empty, pairs Mem

	// With checkers on the bar, beside them:
	entering bool
	enters   Mem    // open, for a side with a checker on the bar
	free     Mem    // all bits, for one with none
	several  Mem    // all bits, for one with two on the bar or more
	few      Mem    // all bits, for one with two or fewer
	moves    Mem    // from, for one with one on the bar or none
	hitsOn   Mem    // blots, likewise
	openTo   [4]Mem // open, to the step of a double with that index
}

func readSides(entering bool) *sides {
	at := Load(Param("sides"), GP64())
	both := func(offset int) reg.VecVirtual {
		x, y := XMM(), YMM()
		VMOVQ(Mem{Base: at, Disp: offset}, x)
		VPINSRQ(Imm(1), Mem{Base: at, Disp: offset + nextRollSize}, x, x)
		VINSERTI128(Imm(1), x, x.AsY(), y)
		return y
	}
	keep := func(v reg.VecVirtual) Mem {
		m := AllocLocal(32)
		VMOVDQU(v, m)
		return m
	}
	s := &sides{entering: entering}
	from, open, blots := both(atFrom), both(atOpen), both(atBlots)
	s.from, s.open, s.blots = keep(from), keep(open), keep(blots)
	s.empty, s.pairs = keep(both(atEmpty)), keep(both(atPairs))
	if !entering {
		return s
	}
	bar, n, all := both(atBar), YMM(), YMM()
	VPCMPEQD(all, all, all)
	VPXOR(n, n, n)
	// more has all bits set where there are more checkers on the bar than n.
	more := func() reg.VecVirtual { m := YMM(); VPCMPGTQ(n, bar, m); VPSUBQ(all, n, n); return m }
	any := more()
	s.enters = keep(and(open, any))
	s.free = keep(without(all, any))
	s.openTo[3] = keep(without(open, any))
	several := more()
	s.openTo[2] = keep(without(open, several))
	s.moves, s.hitsOn, s.several = keep(without(from, several)), keep(without(blots, several)), keep(several)
	three := more()
	s.openTo[1], s.few = keep(without(open, three)), keep(without(all, three))
	s.openTo[0] = keep(without(open, more()))
	return s
}

// step shifts points by a number.
func step(from, number Op) reg.VecVirtual {
	if m, ok := from.(Mem); ok {
		from = load(m)
	}
	z := YMM()
	VPSRLVQ(number, from, z)
	return z
}

// load reads a register.
func load(m Mem) reg.VecVirtual { z := YMM(); VMOVDQU(m, z); return z }

// mixed is the effect of two different numbers.
func (s *sides) mixed(a, b dice) reg.VecVirtual {
	if s.entering {
		return s.mixedEntering(a, b)
	}
	ra, rb := and(s.open, step(s.from, a.shift)), and(s.open, step(s.from, b.shift))
	hits := or(or(ra, rb), or(step(ra, b.shift), step(rb, a.shift)))
	return or(and(s.blots, hits), and(s.empty, and(ra, rb)))
}

// mixedEntering is mixed for sides some of which have to enter. Where one does, the
// checker that enters takes the place of what a number reaches.
func (s *sides) mixedEntering(a, b dice) reg.VecVirtual {
	ra, rb := and(s.open, step(s.moves, a.shift)), and(s.open, step(s.moves, b.shift))
	inA := and(a.enter, load(s.enters))
	firstA, afterA := or(inA, and(s.free, ra)), without(rb, none(inA))
	inB := and(b.enter, load(s.enters))
	firstB, afterB := or(inB, and(s.free, rb)), without(ra, none(inB))
	// Others move with the number that the entering one leaves.
	others := or(afterA, afterB)
	makes := and(s.empty, or(and(firstA, rb), and(firstB, ra)))
	hits := and(s.hitsOn, or(others, or(step(firstA, b.shift), step(firstB, a.shift))))
	return or(or(makes, hits), and(s.blots, or(firstA, firstB)))
}

// none has all bits set in lanes without any.
func none(m reg.VecVirtual) reg.VecVirtual {
	z := YMM()
	VPCMPEQQ(constant("zero", func(int) uint32 { return 0 }), m, z)
	return z
}

// double is the effect of a double.
func (s *sides) double(a dice) reg.VecVirtual {
	if s.entering {
		return s.doubleEntering(a)
	}
	r1 := and(s.open, step(s.from, a.shift))
	r2 := and(s.open, step(r1, a.shift))
	r3 := and(s.open, step(r2, a.shift))
	p := and(s.open, step(s.pairs, a.shift))
	makes := or(or(p, step(p, a.shift)), and(r1, or(r2, r3)))
	hits := or(or(r1, r2), or(r3, step(r3, a.shift)))
	return or(and(s.blots, hits), and(s.empty, makes))
}

// doubleEntering is double for sides some of which have to enter.
func (s *sides) doubleEntering(a dice) reg.VecVirtual {
	in := and(a.enter, load(s.enters))
	r := or(s.from, in)
	reached := in
	var last reg.VecVirtual
	for _, open := range s.openTo {
		last = r
		r = and(open, step(r, a.shift))
		reached = or(reached, r)
	}
	one := and(s.open, step(s.moves, a.shift))
	two := and(s.open, step(one, a.shift))
	p := step(s.pairs, a.shift)
	makes := or(and(s.few, p), and(s.free, step(and(s.open, p), a.shift)))
	makes = or(makes, and(s.several, in))
	makes = or(makes, and(one, or(two, and(s.free, last))))
	all := or(and(s.blots, reached), and(s.empty, makes))
	return without(all, without(none(in), load(s.free)))
}
