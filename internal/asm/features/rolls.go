package features

import (
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"bgtrain/internal/asm/simd"
)

// The kernels of rolls keep both sides in a register, in lanes of 64 bits, and two
// rolls, four with AVX-512: lane 0 is the first side's first roll, lane 1 the second
// side's, lanes 2 and 3 are the second roll's. Each lane is an effect, see nextRoll in
// Go.

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

// dice are the numbers of a register's rolls: shift counts, and the points where they
// enter.
type dice struct{ shift, enter Mem }

// atOnce is the number of rolls in a register.
func atOnce() int { return simd.T.Bytes / 16 }

// numbers makes the tables of a register's rolls. Without a number, what they reach is
// shifted out.
func numbers(of []int) dice {
	of = append(slices.Clone(of), make([]int, atOnce())...)[:atOnce()]
	name := ""
	for _, n := range of {
		name += string(rune('0' + n))
	}
	d, ok := allNumbers[name]
	if !ok {
		table := func(name string, value func(number int) uint64) Mem {
			m := GLOBL(name, RODATA|NOPTR)
			for i, n := range of {
				DATA(16*i, U64(value(n)))
				DATA(16*i+8, U64(value(n)))
			}
			return m
		}
		d.shift = table("shift"+name, func(n int) uint64 {
			if n == 0 {
				return 64
			}
			return uint64(n)
		})
		d.enter = table("enter"+name, func(n int) uint64 {
			if n == 0 {
				return 0
			}
			return (1 + 1<<upperHalf) << (points - n)
		})
		allNumbers[name] = d
	}
	return d
}

var allNumbers = map[string]dice{}

// rollKernels generates the counting of rolls by what they do on each point: with
// nobody on the bar, and for any position.
func rollKernels() {
	for _, k := range []struct {
		name, when string
		entering   bool
	}{{"rolls", "with nobody on the bar", false}, {"enterRolls", "in any position", true}} {
		simd.Kernel(k.name, "func(sides *uint64, inputs *float32)",
			"writes the inputs that count rolls, "+k.when+".",
			"sides points to the first field of two nextRoll, inputs to two sides' inputs.")
		r := readSides(k.entering)
		c := &counter{}
		doubles := []int{1, 2, 3, 4, 5, 6}
		for some := range slices.Chunk(doubles, atOnce()) {
			c.add(0, r.double(numbers(some)))
		}
		var low, high []int
		for a := 1; a <= 6; a++ {
			for b := a + 1; b <= 6; b++ {
				low, high = append(low, a), append(high, b)
			}
		}
		for i := 0; i < len(low); i += atOnce() {
			end := min(i+atOnce(), len(low))
			c.add(1, r.mixed(numbers(low[i:end]), numbers(high[i:end])))
		}
		sums := c.sums()
		for n := atOnce(); n > 1; n /= 2 {
			sums = halves(sums, 2*n).sums()
		}
		write(sums)
		simd.Finish()
	}
}

// sides holds the masks of both sides, see nextRoll and keep.
type sides struct {
	from, open, blots, empty, pairs Op

	// With checkers on the bar, beside them:
	entering bool
	enters   Op    // open, for a side with a checker on the bar
	free     Op    // all bits, for one with none
	several  Op    // all bits, for one with two on the bar or more
	few      Op    // all bits, for one with two or fewer
	moves    Op    // from, for one with one on the bar or none
	hitsOn   Op    // blots, likewise
	openTo   [4]Op // open, to the step of a double with that index
}

func readSides(entering bool) *sides {
	at := simd.Arg("sides")
	both := func(offset int) reg.VecVirtual {
		x, y := XMM(), simd.Vector()
		VMOVQ(Mem{Base: at, Disp: offset}, x)
		VPINSRQ(Imm(1), Mem{Base: at, Disp: offset + nextRollSize}, x, x)
		if simd.T.AVX512 {
			VSHUFI64X2(Imm(0), x.AsZ(), x.AsZ(), y)
		} else {
			VINSERTI128(Imm(1), x, x.AsY(), y)
		}
		return y
	}
	s := &sides{entering: entering}
	from, open, blots := both(atFrom), both(atOpen), both(atBlots)
	s.from, s.open, s.blots = keep(from), keep(open), keep(blots)
	s.empty, s.pairs = keep(both(atEmpty)), keep(both(atPairs))
	if !entering {
		return s
	}
	bar, all, n := both(atBar), every("all", ^uint32(0)), every("zero", 0)
	// more has all bits set where there are more checkers on the bar than n.
	more := func() reg.VecVirtual {
		m := where(VPCMPGTQ, n, bar)
		VPSUBQ(all, n, n)
		return m
	}
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
	return either(VPSRLVQ, VPSRLVQ, number, load(from))
}

// mixed is the effect of two different numbers.
func (s *sides) mixed(a, b dice) reg.VecVirtual {
	if s.entering {
		return s.mixedEntering(a, b)
	}
	ra, rb := and(s.open, step(s.from, a.shift)), and(s.open, step(s.from, b.shift))
	hits := or(step(rb, a.shift), or3(ra, rb, step(ra, b.shift)))
	return orAnd(and(s.blots, hits), and(ra, rb), s.empty)
}

// mixedEntering is mixed for sides some of which have to enter. Where one does, the
// checker that enters takes the place of what a number reaches.
func (s *sides) mixedEntering(a, b dice) reg.VecVirtual {
	ra, rb := and(s.open, step(s.moves, a.shift)), and(s.open, step(s.moves, b.shift))
	inA := and(a.enter, load(s.enters))
	firstA, afterA := orAnd(inA, ra, s.free), without(rb, none(inA))
	inB := and(b.enter, load(s.enters))
	firstB := orAnd(inB, rb, s.free)
	// Others move with the number that the entering one leaves.
	others := orAndNot(afterA, ra, none(inB))
	makes := orAnd(and(firstA, rb), firstB, ra)
	hits := or3(others, step(firstA, b.shift), step(firstB, a.shift))
	entered := or(firstA, firstB)
	return orAnd(orAnd(and(s.empty, makes), hits, s.hitsOn), entered, s.blots)
}

// none has all bits set in lanes without any.
func none(m reg.VecVirtual) reg.VecVirtual {
	return where(VPCMPEQQ, constant("zero", func(int) uint32 { return 0 }), m)
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
	makes := or(step(p, a.shift), orAnd(p, r1, or(r2, r3)))
	hits := or(step(r3, a.shift), or3(r1, r2, r3))
	return orAnd(and(s.blots, hits), makes, s.empty)
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
	makes := orAnd(and(s.few, p), step(and(s.open, p), a.shift), s.free)
	makes = orAnd(makes, in, s.several)
	makes = orAnd(makes, one, orAnd(two, last, s.free))
	all := orAnd(and(s.blots, reached), makes, s.empty)
	return without(all, without(none(in), load(s.free)))
}
