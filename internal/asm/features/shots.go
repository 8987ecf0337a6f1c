// Package features writes the kernels of the root folder features.
package features

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"bgtrain/internal/asm/simd"
)

// lanes of 32 bits in a register; each lane is a roll.
const lanes = 8

// never shifts every bit out of a lane: for the lanes without a roll.
const never = 32

// Kernels generates them. Those of shots are for AVX2: wider registers would be half
// empty.
func Kernels() {
	if simd.T.AVX512 {
		rollKernels()
		return
	}
	tables()
	free()
	oneOnBar()
	rollKernels()
}

// free generates the tally of shots with nobody on the bar. The Go code beside
// it, shots.free and shots.freeTwo, describes what is computed and why.
func free() {
	s := begin("freeAVX2", "tallies shots with nobody on the bar")
	total := YMM()
	VPXOR(total, total, total)
	for i := range rolls.low {
		s.mixed(total, rolls.low[i], rolls.high[i], rolls.sum[i])
	}
	VPADDD(total, total, total) // two ways to roll each
	s.doubles(total)
	finish(total)
}

// oneOnBar generates the tally of shots with one checker on the bar, like
// shots.tallyOneOnBarGo.
func oneOnBar() {
	s := begin("oneOnBarAVX2", "tallies shots with one checker on the bar")
	s.bar = YMM()
	VBROADCASTSS(barBit, s.bar)
	rest := YMM()
	VPANDN(s.hitters, s.bar, rest)
	s.hitters = rest
	total := YMM()
	VPXOR(total, total, total)
	for i := range rolls.low {
		s.mixedFromBar(total, rolls.low[i], rolls.high[i], rolls.sum[i])
	}
	VPADDD(total, total, total)
	s.doublesFromBar(total)
	finish(total)
}

// begin opens a kernel and loads its masks.
func begin(name, does string) *shots {
	TEXT(name, NOSPLIT, "func(targets, blots, open, hitters, single uint32) uint32")
	Doc(name+" "+does+": pips in bits 0 to 15 of the",
		"result, rolls that hit in bits 16 to 23, rolls that hit two in bits 24 to 31.")
	s := &shots{}
	for _, p := range []struct {
		name string
		v    *reg.VecVirtual
	}{{"targets", &s.targets}, {"blots", &s.blots}, {"open", &s.open}, {"hitters", &s.hitters}, {"single", &s.single}} {
		at, err := Param(p.name).Resolve()
		if err != nil {
			panic(err)
		}
		*p.v = YMM()
		VBROADCASTSS(at.Addr, *p.v)
	}
	s.zero = YMM()
	VPXOR(s.zero, s.zero, s.zero)
	return s
}

// finish returns the sum of the lanes.
func finish(total reg.VecVirtual) {
	x, y := XMM(), XMM()
	VEXTRACTI128(Imm(1), total, x)
	VPADDD(total.AsX(), x, x)
	VPSHUFD(Imm(0x4e), x, y)
	VPADDD(x, y, x)
	VPSHUFD(Imm(0xb1), x, y)
	VPADDD(x, y, x)
	result := GP32()
	VMOVD(x, result)
	VZEROUPPER()
	Store(result, ReturnIndex(0))
	RET()
}

// rolls holds shift counts, the pips of each lane's dice: the fifteen rolls of
// two different dice in two registers, and the doubles, by one to four steps.
var rolls struct {
	low, high, sum []Mem
	steps          [4]Mem
}

var barBit, exponent Mem

func tables() {
	var low, high, sum []uint32
	for a := uint32(1); a <= 6; a++ {
		for b := a + 1; b <= 6; b++ {
			low, high, sum = append(low, a), append(high, b), append(sum, a+b)
		}
	}
	for i := 0; i < len(low); i += lanes {
		n := string(rune('0' + i/lanes))
		rolls.low = append(rolls.low, table("low"+n, low[i:]))
		rolls.high = append(rolls.high, table("high"+n, high[i:]))
		rolls.sum = append(rolls.sum, table("sum"+n, sum[i:]))
	}
	for n := range uint32(4) {
		var pips []uint32
		for d := uint32(1); d <= 6; d++ {
			pips = append(pips, (n+1)*d)
		}
		rolls.steps[n] = table("steps"+string(rune('1'+n)), pips)
	}
	barBit = GLOBL("barBit", RODATA|NOPTR)
	DATA(0, U32(1<<24))
	exponent = GLOBL("exponent", RODATA|NOPTR)
	DATA(0, U32(126))
}

// table makes a table of shift counts, a lane each.
func table(name string, counts []uint32) Mem {
	t := GLOBL(name, RODATA|NOPTR)
	for i := range lanes {
		n := uint32(never)
		if i < len(counts) {
			n = counts[i]
		}
		DATA(4*i, U32(n))
	}
	return t
}

// shots holds the masks of package features' type shots, in every lane.
type shots struct {
	targets, blots, open, hitters, single, zero reg.VecVirtual

	bar reg.VecVirtual // the bit of the bar
}

// sub is x - y.
func sub(x, y Op) reg.VecVirtual { z := YMM(); VPSUBD(y, x, z); return z }

func right(x Op, n Mem) reg.VecVirtual { z := YMM(); VPSRLVD(n, x, z); return z }
func left(x Op, n Mem) reg.VecVirtual  { z := YMM(); VPSLLVD(n, x, z); return z }

// hit returns the targets hit from hitters n pips behind.
func (s *shots) hit(n Mem) reg.VecVirtual { return and(s.targets, right(s.hitters, n)) }

// passes is negative where the highest bit of m is one of onTheWay.
func passes(m, onTheWay reg.VecVirtual) reg.VecVirtual {
	u := and(m, onTheWay)
	return sub(without(m, onTheWay), u)
}

// mixed adds the rolls of two different dice to total.
func (s *shots) mixed(total reg.VecVirtual, low, high, sum Mem) {
	g, h := s.hit(low), s.hit(high)
	open := or(right(s.open, low), right(s.open, high))
	m := and(s.hit(sum), open)
	two := passes(m, or(right(s.blots, low), right(s.blots, high)))

	// The rearmost hitters of both dice are one single checker where the highest
	// bit of x|y is also one of x&y and of single.
	x, y := left(g, low), left(h, high)
	same := and(and(x, y), s.single)
	one := sub(without(or(x, y), same), same)
	both := and(s.some(g), s.some(h))
	two = or(two, without(both, one))
	s.add(total, or(or(g, h), m), two)
}

// doubles adds the doubles to total.
func (s *shots) doubles(total reg.VecVirtual) {
	steps := rolls.steps
	g := s.hit(steps[0])
	less := YMM()
	VPCMPEQD(less, less, less)
	VPADDD(g, less, less)
	two := s.some(and(g, less)) // more than one bit
	all := g
	var way, onTheWay reg.VecVirtual
	for n := range 3 {
		open, behind := right(s.open, steps[n]), right(s.blots, steps[n])
		if n == 0 {
			way, onTheWay = and(s.targets, open), behind
		} else {
			way, onTheWay = and(way, open), or(onTheWay, behind)
		}
		m := and(way, right(s.hitters, steps[n+1]))
		two = or(two, passes(m, onTheWay))
		all = or(all, m)
	}
	s.add(total, all, two)
}

// mixedFromBar adds the rolls of two different dice to total, with one checker
// on the bar, whose bit hitters lacks.
func (s *shots) mixedFromBar(total reg.VecVirtual, low, high, sum Mem) {
	entryLow, entryHigh := right(s.bar, low), right(s.bar, high)
	barLow, barHigh := and(s.targets, entryLow), and(s.targets, entryHigh)
	// Another checker hits with one die only where the other enters, and with
	// the high one only if it cannot with the low one.
	restLow := without(s.hit(low), empty(s, and(s.open, entryHigh)))
	restHigh := without(s.hit(high), empty(s, and(s.open, entryLow)))
	rest := or(restLow, and(restHigh, empty(s, restLow)))

	m := and(and(s.targets, right(s.bar, sum)), or(right(s.open, low), right(s.open, high)))
	two := or(and(s.some(barLow), s.some(barHigh)), and(s.some(or(barLow, barHigh)), s.some(rest)))
	// GNU Backgammon looks one point past those that the checker touches.
	passed := or(entryLow, entryHigh)
	VPSRLD(Imm(2), passed, passed)
	two = or(two, and(s.some(m), s.some(and(s.blots, passed))))
	s.add(total, or(or(barLow, barHigh), or(rest, m)), two)
}

// doublesFromBar adds the doubles to total, likewise.
func (s *shots) doublesFromBar(total reg.VecVirtual) {
	steps := rolls.steps
	entry := right(s.bar, steps[0])
	bar := and(s.targets, entry)
	// GNU Backgammon asks here whether twice the die enters.
	rest := without(s.hit(steps[0]), empty(s, and(s.open, right(s.bar, steps[1]))))
	two := and(s.some(bar), s.some(rest))
	all := or(bar, rest)
	way, passed := and(s.targets, right(s.open, steps[0])), entry
	for n := 1; n < 4; n++ {
		if n > 1 {
			way = and(way, right(s.open, steps[n-1]))
			passed = or(passed, right(s.bar, steps[n-1]))
		}
		m := and(way, right(s.bar, steps[n]))
		behind := YMM()
		VPSRLD(Imm(2), passed, behind)
		two = or(two, and(s.some(m), s.some(and(s.blots, behind))))
		all = or(all, m)
	}
	s.add(total, all, two)
}

// some is negative where a mask has any bit.
func (s *shots) some(m reg.VecVirtual) reg.VecVirtual { return sub(s.zero, m) }

// empty has all bits set where a mask has none.
func empty(s *shots, m reg.VecVirtual) reg.VecVirtual {
	z := YMM()
	VPCMPEQD(m, s.zero, z)
	return z
}

// add adds to total rolls that hit on the points of mask, and hit two checkers
// where two is negative.
func (s *shots) add(total, mask, two reg.VecVirtual) {
	one := s.some(mask)
	VPSRLD(Imm(31), one, one)
	VPSLLD(Imm(16), one, one)
	VPADDD(one, total, total)
	VPSRLD(Imm(31), two, two)
	VPSLLD(Imm(24), two, two)
	VPADDD(two, total, total)
	// The exponent of a number is 126 more than the length of its bits.
	pips := YMM()
	VCVTDQ2PS(mask, pips)
	VPSRLD(Imm(23), pips, pips)
	offset := YMM()
	VPBROADCASTD(exponent, offset)
	VPMAXSD(offset, pips, pips)
	VPSUBD(offset, pips, pips)
	VPADDD(pips, total, total)
}
