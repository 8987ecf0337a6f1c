package features

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"bgtrain/internal/asm/simd"
)

// counter counts bits at the same place of several registers: carry-save, three
// registers of one weight become one of it and one of twice that.
type counter struct{ waiting [top + 1][]reg.VecVirtual }

// top is the highest weight: 2^6 is more than there are rolls, so that it carries nothing.
const top = 5

// add counts the bits of v 2^weight times.
func (c *counter) add(weight int, v reg.VecVirtual) {
	w := append(c.waiting[weight], v)
	if len(w) == 3 {
		sum, carry := add3(w[0], w[1], w[2])
		if weight < top {
			c.add(weight+1, carry())
		}
		w = []reg.VecVirtual{sum}
	}
	c.waiting[weight] = w
}

// sums returns the numbers in binary, a register for each weight.
func (c *counter) sums() (all []reg.VecVirtual) {
	for weight, w := range c.waiting[:] {
		switch len(w) {
		case 1:
			all = append(all, w[0])
		case 2:
			if weight < top {
				c.add(weight+1, and(w[0], w[1]))
			}
			all = append(all, xor(w[0], w[1]))
		}
	}
	return all
}

// halves adds the upper half of so many lanes to the lower.
func halves(numbers []reg.VecVirtual, lanes int) *counter {
	c := &counter{}
	for weight, v := range numbers {
		high := simd.Vector()
		switch {
		case !simd.T.AVX512:
			VEXTRACTI128(Imm(1), v, high.AsX())
		case lanes == 8:
			VEXTRACTI64X4(Imm(1), v, high.AsY())
		default:
			VEXTRACTI32X4(Imm(1), v, high.AsX())
		}
		c.add(weight, v)
		c.add(weight, high)
	}
	return c
}

// write writes numbers of both sides, in lanes 0 and 1, as inputs.
func write(numbers []reg.VecVirtual) {
	inputs := simd.Arg("inputs")
	if simd.T.AVX512 {
		writeByMask(numbers, inputs)
		return
	}
	// A byte of a mask becomes eight lanes of 32 bits: four such bytes a register, the
	// first in the lowest bytes of the lanes.
	const groups = points / 8
	var source []int // of each eight inputs, the byte of the mask
	for side := range 2 {
		for i := range 2 * groups {
			source = append(source, 8*side+i/groups*upperHalf/8+i%groups)
		}
	}
	var shuffles [2 * 2 * groups / 4]Mem
	for k := range shuffles {
		shuffles[k] = constant("spread"+string(rune('0'+k)), func(lane int) uint32 {
			s := source[4*k:]
			return uint32(s[0] | s[1]<<8 | s[2]<<16 | s[3]<<24)
		})
	}
	bits := load(constant("spreadBit", func(lane int) uint32 { return 0x01010101 << lane }))
	var counts [len(shuffles)]reg.VecVirtual
	for weight, v := range numbers {
		both := YMM()
		VINSERTI128(Imm(1), v.AsX(), v, both)
		value := every("bytes"+string(rune('0'+weight)), 0x01010101<<weight)
		for k := range counts {
			set := YMM()
			VPSHUFB(shuffles[k], both, set)
			VPAND(bits, set, set)
			VPCMPEQB(bits, set, set)
			VPAND(value, set, set)
			if weight == 0 {
				counts[k] = set
			} else {
				VPOR(set, counts[k], counts[k])
			}
		}
	}
	t := newTwelfths()
	mask := every("lowByte", 0xff)
	for group := range source {
		n := YMM()
		switch v := counts[group/4]; group % 4 {
		case 0:
			VPAND(mask, v, n)
		case 3:
			VPSRLD(Imm(24), v, n)
		default:
			VPSRLD(Imm(uint64(8*(group%4))), v, n)
			VPAND(mask, n, n)
		}
		side, i := group/(2*groups), group%(2*groups)
		VMOVUPS(t.of(n), Mem{Base: inputs, Disp: side*sideBytes + 32*i})
	}
}

// writeByMask is write for AVX-512, where a bit may report whether a byte is added to.
func writeByMask(numbers []reg.VecVirtual, inputs reg.Register) {
	masks := AllocLocal(16 * len(numbers))
	for weight, v := range numbers {
		VMOVDQU32(v.AsX(), masks.Offset(16*weight))
	}
	t := newTwelfths()
	for side := range 2 {
		counts := ZMM()
		for weight := range numbers {
			k := K()
			KMOVQ(masks.Offset(16*weight+8*side), k)
			value := constant("bytes"+string(rune('0'+weight)), func(int) uint32 { return 0x01010101 << weight })
			if weight == 0 {
				VMOVDQU8_Z(value, k, counts)
			} else {
				VPADDB(value, counts, k, counts)
			}
		}
		bytes := AllocLocal(64)
		VMOVDQU8(counts, bytes)
		// Behind the points of each half are eight bytes of zeros, whose place the next
		// half takes, or inputs that are still to be written.
		for i, to := range []int{0, 16, points, points + 16} {
			n := ZMM()
			VPMOVZXBD(bytes.Offset(16*i), n)
			VMOVUPS(t.of(n), Mem{Base: inputs, Disp: side*sideBytes + 4*to})
		}
	}
}

// twelfths turns numbers of rolls into inputs.
type twelfths struct{ high, low reg.VecVirtual }

func newTwelfths() *twelfths {
	const twelfth = 1. / 12
	const rest = twelfth - float64(float32(twelfth))
	return &twelfths{every("twelfth", math.Float32bits(twelfth)), every("twelfthRest", math.Float32bits(float32(rest)))}
}

// of returns n/12. The product with the reciprocal in two parts is the quotient's
// float32 for every number of rolls.
func (t *twelfths) of(n reg.VecVirtual) reg.VecVirtual {
	x := simd.Vector()
	VCVTDQ2PS(n, n)
	VMULPS(t.low, n, x)
	VFMADD231PS(t.high, n, x)
	return x
}

var constants = map[string]Mem{}

// constant returns a register's worth of memory.
func constant(name string, word func(lane int) uint32) Mem {
	m, ok := constants[name]
	if !ok {
		m = GLOBL(name, RODATA|NOPTR)
		for lane := range simd.T.Width() {
			DATA(4*lane, U32(word(lane)))
		}
		constants[name] = m
	}
	return m
}
