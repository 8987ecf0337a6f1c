package features

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// counter counts bits at the same place of several registers: carry-save, three
// registers of one weight become one of it and one of twice that.
type counter struct {
	waiting [6][]reg.VecVirtual
	top     int // there is nothing to carry from this weight
}

// add counts the bits of v 2^weight times.
func (c *counter) add(weight int, v reg.VecVirtual) {
	w := append(c.waiting[weight], v)
	if len(w) == 3 {
		x := xor(w[0], w[1])
		if weight < c.top {
			c.add(weight+1, or(and(w[0], w[1]), and(x, w[2])))
		}
		w = []reg.VecVirtual{xor(x, w[2])}
	}
	c.waiting[weight] = w
}

// sums returns the numbers in binary, a register for each weight.
func (c *counter) sums() (all []reg.VecVirtual) {
	for weight, w := range c.waiting[:c.top+1] {
		switch len(w) {
		case 1:
			all = append(all, w[0])
		case 2:
			if weight < c.top {
				c.add(weight+1, and(w[0], w[1]))
			}
			all = append(all, xor(w[0], w[1]))
		}
	}
	return all
}

// halves adds the upper half of the registers to the lower.
func halves(numbers []reg.VecVirtual) *counter {
	c := &counter{top: 5}
	for weight, v := range numbers {
		high := YMM()
		VEXTRACTI128(Imm(1), v, high.AsX())
		c.add(weight, v)
		c.add(weight, high)
	}
	return c
}

func xor(x, y Op) reg.VecVirtual { z := YMM(); VPXOR(x, y, z); return z }

// write writes numbers of both sides, in lanes 0 and 1, as inputs.
func write(numbers []reg.VecVirtual) {
	inputs := Load(Param("inputs"), GP64())
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
	for weight := len(numbers) - 1; weight >= 0; weight-- {
		both := YMM()
		VINSERTI128(Imm(1), numbers[weight].AsX(), numbers[weight], both)
		for k := range counts {
			set := YMM()
			VPSHUFB(shuffles[k], both, set)
			VPAND(bits, set, set)
			VPCMPEQB(bits, set, set)
			if weight == len(numbers)-1 {
				counts[k] = YMM()
				VPABSB(set, counts[k])
				continue
			}
			VPADDB(counts[k], counts[k], counts[k])
			VPSUBB(set, counts[k], counts[k]) // set is -1
		}
	}

	// The product with the reciprocal in two parts is the quotient's float32, for
	// every number of rolls.
	const twelfth = 1. / 12
	every := func(name string, word uint32) reg.VecVirtual {
		return load(constant(name, func(int) uint32 { return word }))
	}
	high := every("twelfth", math.Float32bits(twelfth))
	low := every("twelfthRest", math.Float32bits(float32(twelfth-float64(float32(twelfth)))))
	mask := every("lowByte", 0xff)
	for group := range source {
		n, x := YMM(), YMM()
		switch v := counts[group/4]; group % 4 {
		case 0:
			VPAND(mask, v, n)
		case 3:
			VPSRLD(Imm(24), v, n)
		default:
			VPSRLD(Imm(uint64(8*(group%4))), v, n)
			VPAND(mask, n, n)
		}
		VCVTDQ2PS(n, n)
		VMULPS(low, n, x)
		VFMADD231PS(high, n, x)
		side, i := group/(2*groups), group%(2*groups)
		VMOVUPS(x, Mem{Base: inputs, Disp: side*sideBytes + 32*i})
	}
}

var constants = map[string]Mem{}

// constant returns a register's worth of memory.
func constant(name string, word func(lane int) uint32) Mem {
	m, ok := constants[name]
	if !ok {
		m = GLOBL(name, RODATA|NOPTR)
		for lane := range lanes {
			DATA(4*lane, U32(word(lane)))
		}
		constants[name] = m
	}
	return m
}
