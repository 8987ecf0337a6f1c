package simd

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Group is the number of values of a group: one zmm register, or two ymm registers.
const Group = 16

// Lanes is a group in registers, or several side by side. Its methods do the same
// arithmetic on every tier, so the tiers agree to the bit; they return v. An
// operand b is Lanes, memory, or a Word.
type Lanes []reg.VecVirtual

// GroupsAtOnce is the number of groups in new Lanes.
var GroupsAtOnce = 1

// NewLanes allocates the registers of GroupsAtOnce groups.
func NewLanes() Lanes {
	v := make(Lanes, Group/T.Width()*GroupsAtOnce)
	for i := range v {
		v[i] = Vector()
	}
	return v
}

// Part returns the address of register i of a group at m.
func Part(m Mem, i int) Mem { return m.Offset(i * T.Bytes) }

// Load reads the groups at m.
func (v Lanes) Load(m Mem) Lanes {
	for i := range v {
		VMOVUPS(Part(m, i), v[i])
	}
	return v
}

// Store writes the groups to m.
func (v Lanes) Store(m Mem) {
	for i := range v {
		VMOVUPS(v[i], Part(m, i))
	}
}

// Zero clears the registers.
func (v Lanes) Zero() Lanes {
	for i := range v {
		Clear(v[i])
	}
	return v
}

// instruction has three operands: dst = f(a, b), with b in registers or memory;
// broadcast takes b from one 32-bit word.
type instruction struct{ plain, broadcast func(...Op) }

func (v Lanes) op3(f instruction, a Lanes, b any) Lanes {
	for i := range v {
		switch b := b.(type) {
		case Lanes:
			f.plain(b[i], a[i], v[i])
		case Mem:
			f.plain(Part(b, i), a[i], v[i])
		case Word:
			if T.AVX512 {
				f.broadcast(b.At(), a[i], v[i])
			} else {
				f.plain(b.At(), a[i], v[i])
			}
		default:
			panic(fmt.Sprintf("operand %T", b))
		}
	}
	return v
}

// Add sets v to a + b.
func (v Lanes) Add(a Lanes, b any) Lanes { return v.op3(instruction{VADDPS, VADDPS_BCST}, a, b) }

// Sub sets v to a - b.
func (v Lanes) Sub(a Lanes, b any) Lanes { return v.op3(instruction{VSUBPS, VSUBPS_BCST}, a, b) }

// Mul sets v to a·b.
func (v Lanes) Mul(a Lanes, b any) Lanes { return v.op3(instruction{VMULPS, VMULPS_BCST}, a, b) }

// And sets v to the bits of both a and b.
func (v Lanes) And(a Lanes, b any) Lanes { return v.op3(instruction{VANDPS, VANDPS_BCST}, a, b) }

// Or sets v to the bits of a and of b.
func (v Lanes) Or(a Lanes, b any) Lanes { return v.op3(instruction{VORPS, VORPS_BCST}, a, b) }

// AddInteger adds 32-bit integers.
func (v Lanes) AddInteger(a Lanes, b any) Lanes {
	return v.op3(instruction{VPADDD, VPADDD_BCST}, a, b)
}

// Max sets v to the greater of a and b; b where they compare neither way (NaN, zeros).
func (v Lanes) Max(a Lanes, b any) Lanes { return v.op3(instruction{VMAXPS, VMAXPS_BCST}, a, b) }

// Min sets v to the smaller of a and b, likewise.
func (v Lanes) Min(a Lanes, b any) Lanes { return v.op3(instruction{VMINPS, VMINPS_BCST}, a, b) }

// Fma adds a·b to v, rounded once.
func (v Lanes) Fma(a Lanes, b any) Lanes {
	return v.op3(instruction{VFMADD231PS, VFMADD231PS_BCST}, a, b)
}

// Fnma subtracts a·b from v, rounded once.
func (v Lanes) Fnma(a Lanes, b any) Lanes {
	return v.op3(instruction{VFNMADD231PS, VFNMADD231PS_BCST}, a, b)
}

// Horner sets v to v·a + b, rounded once.
func (v Lanes) Horner(a Lanes, b any) Lanes {
	return v.op3(instruction{VFMADD213PS, VFMADD213PS_BCST}, a, b)
}

// Scale multiplies v by 2^n, a normal number; n is in the low 9 bits of bits.
func (v Lanes) Scale(bits Lanes) Lanes {
	for i := range v {
		VPSLLD(U8(23), bits[i], bits[i])
		VPADDD(bits[i], v[i], v[i])
	}
	return v
}

// Choose sets the lanes of v to those of a where x compares with y as said by
// the predicate of VCMPPS.
func (v Lanes) Choose(predicate uint8, x, y, a Lanes) Lanes {
	for i := range v {
		if T.AVX512 {
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

// Quarter returns the 16 values of a group added up to 4: the upper half to the
// lower, twice.
func (v Lanes) Quarter() reg.VecVirtual {
	half := YMM()
	if T.AVX512 {
		VEXTRACTF64X4(U8(1), v[0], half)
		VADDPS(half, v[0].AsY(), half)
	} else {
		VADDPS(v[1], v[0], half)
	}
	top := XMM()
	if T.AVX512 {
		VEXTRACTF32X4(U8(1), half, top) // takes registers from 16 on, too
	} else {
		VEXTRACTF128(U8(1), half, top)
	}
	VADDPS(top, half.AsX(), top)
	return top
}
