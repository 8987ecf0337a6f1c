package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// maxTile is the largest number of input vectors that a tile kernel takes.
const maxTile = 6

// instructionSet is what differs between the tiers in shape. A group is 16
// lanes: one zmm register, or two ymm registers.
type instructionSet struct {
	suffix    string
	parts     int // registers to a group
	bytes     int // bytes of a register
	copies    int // words of a constant in memory
	maxGroups [maxTile + 1]int
	dots      []dotShape
	// dotRounded lists the numbers of vectors that such kernels take.
	dotRounded []int
}

// dotShape is the number of input vectors and outputs of a dot kernel.
type dotShape struct{ vectors, outputs int }

var (
	isa    *instructionSet
	avx512 = &instructionSet{"AVX512", 1, 64, 1, [...]int{0, 4, 4, 4, 4, 4, 4}, []dotShape{{4, 5}, {1, 5}, {1, 1}}, []int{4, 1}}
	avx2   = &instructionSet{"AVX2", 2, 32, 8, [...]int{0, 4, 2, 2, 1, 1, 1}, []dotShape{{1, 5}, {1, 1}}, []int{4, 1}}
)

// lanes is one group, or more, in registers. Its methods do the same arithmetic
// on every tier, so the tiers agree to the bit.
type lanes []reg.VecVirtual

// groupsAtOnce is the number of groups in lanes.
var groupsAtOnce = 1

func newLanes() lanes {
	v := make(lanes, isa.parts*groupsAtOnce)
	for i := range v {
		v[i] = register()
	}
	return v
}

func register() reg.VecVirtual {
	if isa == avx512 {
		return ZMM()
	}
	return YMM()
}

// part returns the address of register i of a group at m.
func part(m Mem, i int) Mem { return m.Offset(i * isa.bytes) }

func (v lanes) load(m Mem) lanes {
	for i := range v {
		VMOVUPS(part(m, i), v[i])
	}
	return v
}

func (v lanes) store(m Mem) {
	for i := range v {
		VMOVUPS(v[i], part(m, i))
	}
}

func (v lanes) zero() lanes {
	for i := range v {
		if isa == avx512 {
			VPXORD(v[i], v[i], v[i])
		} else {
			VXORPS(v[i], v[i], v[i])
		}
	}
	return v
}

// instruction has three operands: dst = f(a, b), with b in registers or memory;
// broadcast takes b from one 32-bit word.
type instruction struct{ plain, broadcast func(...Op) }

func (v lanes) op3(f instruction, a lanes, b any) lanes {
	for i := range v {
		switch b := b.(type) {
		case lanes:
			f.plain(b[i], a[i], v[i])
		case Mem:
			f.plain(part(b, i), a[i], v[i])
		case word:
			if isa == avx512 {
				f.broadcast(b.at(), a[i], v[i])
			} else {
				f.plain(b.at(), a[i], v[i])
			}
		default:
			panic(fmt.Sprintf("operand %T", b))
		}
	}
	return v
}

func (v lanes) add(a lanes, b any) lanes { return v.op3(instruction{VADDPS, VADDPS_BCST}, a, b) }
func (v lanes) sub(a lanes, b any) lanes { return v.op3(instruction{VSUBPS, VSUBPS_BCST}, a, b) }
func (v lanes) mul(a lanes, b any) lanes { return v.op3(instruction{VMULPS, VMULPS_BCST}, a, b) }
func (v lanes) and(a lanes, b any) lanes { return v.op3(instruction{VANDPS, VANDPS_BCST}, a, b) }
func (v lanes) or(a lanes, b any) lanes  { return v.op3(instruction{VORPS, VORPS_BCST}, a, b) }

// addInteger adds 32-bit integers.
func (v lanes) addInteger(a lanes, b any) lanes {
	return v.op3(instruction{VPADDD, VPADDD_BCST}, a, b)
}

// max and min give b where the lanes compare neither way (NaN, zeros).
func (v lanes) max(a lanes, b any) lanes { return v.op3(instruction{VMAXPS, VMAXPS_BCST}, a, b) }
func (v lanes) min(a lanes, b any) lanes { return v.op3(instruction{VMINPS, VMINPS_BCST}, a, b) }

// fma adds a·b to v, rounded once.
func (v lanes) fma(a lanes, b any) lanes {
	return v.op3(instruction{VFMADD231PS, VFMADD231PS_BCST}, a, b)
}

// fnma subtracts a·b from v, rounded once.
func (v lanes) fnma(a lanes, b any) lanes {
	return v.op3(instruction{VFNMADD231PS, VFNMADD231PS_BCST}, a, b)
}

// horner sets v to v·a + b, rounded once.
func (v lanes) horner(a lanes, b any) lanes {
	return v.op3(instruction{VFMADD213PS, VFMADD213PS_BCST}, a, b)
}

// scale multiplies v by 2^n, a normal number; n is in the low 9 bits of bits.
func (v lanes) scale(bits lanes) lanes {
	for i := range v {
		VPSLLD(U8(23), bits[i], bits[i])
		VPADDD(bits[i], v[i], v[i])
	}
	return v
}

// choose sets the lanes of v to those of a where x compares with y as said by
// the predicate of VCMPPS.
func (v lanes) choose(predicate uint8, x, y, a lanes) lanes {
	for i := range v {
		if isa == avx512 {
			k := K()
			VCMPPS(U8(predicate), y[i], x[i], k)
			VBLENDMPS(a[i], v[i], k, v[i])
			continue
		}
		mask := YMM()
		VCMPPS(U8(predicate), y[i], x[i], mask)
		VBLENDVPS(mask, a[i], v[i], v[i])
	}
	return v
}

// word is a 32-bit constant in memory, as often as a register of the tier needs
// it: AVX-512 broadcasts one, AVX2 reads eight.
type word uint32

func constant(x float32) word { return word(math.Float32bits(x)) }

var words = map[word]Mem{}

func (w word) at() Mem {
	m, ok := words[w]
	if !ok {
		m = GLOBL(fmt.Sprintf("word%s_%08x", isa.suffix, uint32(w)), NOPTR|RODATA)
		for i := range isa.copies {
			DATA(4*i, U32(uint32(w)))
		}
		words[w] = m
	}
	return m
}

// set sets every lane to a constant.
func (v lanes) set(w word) lanes {
	for i := range v {
		v[i] = broadcast(w)
	}
	return v
}

// broadcast returns a register with a constant in every lane.
func broadcast(w word) reg.VecVirtual {
	r := register()
	VBROADCASTSS(w.at(), r)
	return r
}
