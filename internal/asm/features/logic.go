package features

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"bgtrain/internal/asm/simd"
)

// AVX-512 has one instruction for each function of three bits.

// add3 adds three bits; the carry is computed when it is asked for.
func add3(x, y, z reg.VecVirtual) (sum reg.VecVirtual, carry func() reg.VecVirtual) {
	if simd.T.AVX512 {
		return ternary(0x96, x, y, z), func() reg.VecVirtual { return ternary(0xe8, x, y, z) }
	}
	both := xor(x, y)
	return xor(both, z), func() reg.VecVirtual { return or(and(x, y), and(both, z)) }
}

// or3 is x | y | z.
func or3(x, y reg.VecVirtual, z Op) reg.VecVirtual {
	if simd.T.AVX512 {
		return ternary(0xfe, x, y, z)
	}
	return or(z, or(x, y))
}

// orAnd is x | y&z.
func orAnd(x, y reg.VecVirtual, z Op) reg.VecVirtual {
	if simd.T.AVX512 {
		return ternary(0xf8, x, y, z)
	}
	return or(x, and(z, y))
}

// orAndNot is x | y&^z.
func orAndNot(x, y, z reg.VecVirtual) reg.VecVirtual {
	if simd.T.AVX512 {
		return ternary(0xf4, x, y, z)
	}
	return or(x, without(y, z))
}

// ternary looks up the bits of x, y and z in a table of eight, x the highest.
func ternary(table uint8, x, y reg.VecVirtual, z Op) reg.VecVirtual {
	r := ZMM()
	VMOVDQA64(x, r)
	VPTERNLOGQ(U8(table), z, y, r)
	return r
}

// either is the instruction of a tier; the last operand, a new register, gets the
// result.
func either(avx2, avx512 func(...Op), operands ...Op) reg.VecVirtual {
	z := simd.Vector()
	if !simd.T.AVX512 {
		avx512 = avx2
	}
	avx512(append(operands, z)...)
	return z
}

func and(x, y Op) reg.VecVirtual { return either(three(VPAND), VPANDQ, x, y) }
func or(x, y Op) reg.VecVirtual  { return either(three(VPOR), VPORQ, x, y) }
func xor(x, y Op) reg.VecVirtual { return either(three(VPXOR), VPXORQ, x, y) }

// without is x &^ y.
func without(x, y Op) reg.VecVirtual { return either(three(VPANDN), VPANDNQ, x, y) }

func three(f func(x, y, z Op)) func(...Op) { return func(o ...Op) { f(o[0], o[1], o[2]) } }

// load reads a register, unless it is one.
func load(m Op) reg.VecVirtual {
	if v, ok := m.(reg.VecVirtual); ok {
		return v
	}
	z := simd.Vector()
	VMOVUPS(m, z)
	return z
}

// keep puts a register away, with AVX2, which has few, into memory.
func keep(v reg.VecVirtual) Op {
	if simd.T.AVX512 {
		return v
	}
	m := AllocLocal(simd.T.Bytes)
	VMOVUPS(v, m)
	return m
}

// where has all bits set in the lanes for which a comparison of 64 bits holds.
func where(compare func(...Op), x, y Op) reg.VecVirtual {
	z := simd.Vector()
	if !simd.T.AVX512 {
		compare(x, y, z)
		return z
	}
	k := K()
	compare(x, y, k)
	VPMOVM2Q(k, z)
	return z
}

// every has a word in every lane of 32 bits.
func every(name string, word uint32) reg.VecVirtual {
	return load(constant(name, func(int) uint32 { return word }))
}
