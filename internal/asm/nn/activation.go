package nn

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "bgtrain/internal/asm/simd"
)

// Predicates of VCMPPS: ordered, false for NaN, but the last, true for it.
const (
	lessThan       = 0x11
	lessOrEqual    = 0x12
	notLessOrEqual = 0x16
)

// activation generates a kernel that sets x[i] to what body makes of beta·x[i],
// in place. setup loads what the loop keeps in registers; it may change beta. Where
// there are registers enough, unroll groups go side by side.
func activation(name string, doc []string, unroll int, setup func(beta reg.VecVirtual), body func(x Lanes) Lanes) {
	if !T.AVX512 {
		unroll = 1 // a group is two registers, and there are only 16
	}
	Kernel(name, "func(x *float32, groups int, beta float32)", doc...)
	x, groups := Arg("x"), Arg("groups")
	beta := Vector()
	at, err := Param("beta").Resolve()
	if err != nil {
		panic(err)
	}
	VBROADCASTSS(at.Addr, beta)
	setup(beta)
	if unroll > 1 {
		// Chains of dependent instructions side by side.
		Label("several")
		CMPQ(groups, Imm(uint64(unroll)))
		JLT(LabelRef("rest"))
		GroupsAtOnce = unroll
		activationBody(x, beta, body)
		GroupsAtOnce = 1
		SUBQ(Imm(uint64(unroll)), groups)
		JMP(LabelRef("several"))
	}
	Label("rest")
	TESTQ(groups, groups)
	JEQ(LabelRef("done"))
	activationBody(x, beta, body)
	DECQ(groups)
	JMP(LabelRef("rest"))
	Label("done")
	Finish()
}

func activationBody(x reg.Register, beta reg.VecVirtual, body func(x Lanes) Lanes) {
	v := NewLanes()
	for i := range v {
		VMULPS(Part(Mem{Base: x}, i), beta, v[i])
	}
	body(v).Store(Mem{Base: x})
	ADDQ(U32(64*GroupsAtOnce), x)
}

func nothing(reg.VecVirtual) {}

// exp returns e^y, relative error below 1.5e-7, for y clamped to ±87; NaN stays.
// e^y = 2^n·e^r with |r| at most ln(2)/2, and a polynomial for e^r.
func exp(y Lanes) Lanes {
	y.Max(NewLanes().Set(Float(-87)), y)
	y.Min(NewLanes().Set(Float(87)), y)
	// Adding 1.5·2^23 rounds to an integer, which the low bits then hold.
	bits := NewLanes().Set(Float(0x1.8p23)).Fma(y, Float(math.Log2E))
	n := NewLanes().Sub(bits, Float(0x1.8p23))
	y.Fnma(n, Float(math.Ln2)) // as float32 it is 2e-9 off: 126 times that is little
	p := NewLanes().Set(Float(expPolynomial[0]))
	for _, c := range expPolynomial[1:] {
		p.Horner(y, Float(c))
	}
	return p.Scale(bits)
}

// expPolynomial is e^r for |r| at most ln(2)/2, the highest power first: least
// greatest relative error with the constant term 1, 2.6e-9.
var expPolynomial = [...]float32{
	0.001406124095, 0.008379011415, 0.04166477546, 0.1666636616, 0.5000000596, 1, 1,
}

// reciprocal returns 1/d, at most one unit in the last place off, for d from 1
// to 1 + e^87: faster than a division. Subtracting the bits of d gives 5 % error,
// then each step raises it to the power 2 and 3.
func reciprocal(d Lanes) Lanes {
	r := NewLanes().Set(0x7ef31200)
	for i := range r {
		VPSUBD(d[i], r[i], r[i])
	}
	off := NewLanes().Set(Float(1)).Fnma(d, r)
	r.Fma(r, off)
	off = NewLanes().Set(Float(1)).Fnma(d, r)
	off.Fma(off, off)
	return r.Fma(r, off)
}

// division returns 1/d, rounded once.
func division(d Lanes) Lanes {
	one := NewLanes().Set(Float(1))
	for i := range d {
		VDIVPS(d[i], one[i], d[i])
	}
	return d
}

// rcpps returns 1/d as Intel's instruction of that name does, see package nn. Two
// cubic steps are exact enough for that; the tests try every segment.
func rcpps(d Lanes) Lanes {
	d.And(d, Word(0xfffff000))
	d.Or(d, Word(0x7ff))
	r := NewLanes().Set(0x7ef31200)
	for i := range r {
		VPSUBD(d[i], r[i], r[i])
	}
	for range 2 {
		off := NewLanes().Set(Float(1)).Fnma(d, r)
		off.Fma(off, off)
		r.Fma(r, off)
	}
	r.AddInteger(r, Word(0x3ff))
	return r.And(r, Word(0xfffff800))
}

func sigmoid() {
	flip := func(beta reg.VecVirtual) { VXORPS(Broadcast(0x80000000), beta, beta) }
	activation("sigmoid", []string{"sets x[i] = 1 / (1 + e^(-beta·x[i])) for 16·groups values."},
		4, flip, func(x Lanes) Lanes {
			e := exp(x)
			return reciprocal(e.Add(e, Float(1)))
		})
}

func tanh() {
	activation("tanh", []string{"sets x[i] = tanh(x[i]) for 16·groups values; beta must be 1."},
		4, nothing, func(x Lanes) Lanes {
			x.Add(x, Float(0)) // no negative zero
			sign := NewLanes().And(x, Word(0x80000000))
			y := NewLanes().Or(x, Word(0x80000000)) // -|x|
			y.Add(y, y)
			e := exp(y)
			below := NewLanes().Set(Float(1))
			below.Sub(below, e)
			e.Add(e, Float(1))
			return below.Or(below.Mul(below, reciprocal(e)), sign)
		})
}

func relu() {
	activation("relu", []string{"sets x[i] = max(0, x[i]) for 16·groups values; beta must be 1."},
		4, nothing, rectified)
	activation("squaredReLU", []string{"sets x[i] = max(0, x[i])² for 16·groups values; beta must be 1."},
		4, nothing, func(x Lanes) Lanes {
			x = rectified(x)
			return x.Mul(x, x)
		})
}

// coarseSquaredReLU generates the square of a rectified unit before fixed point.
func coarseSquaredReLU() {
	var least reg.VecVirtual
	setup := func(reg.VecVirtual) {
		least = NewLanes().Set(Float(coarseLeast))[0]
	}
	activation("coarseSquaredReLU", []string{"sets x[i] = x[i]², or 0 where x[i] is at most coarseLeast, for",
		"16·groups values; beta must be 1."}, 4, setup, func(x Lanes) Lanes {
		for i := range x {
			if T.AVX512 {
				k := K()
				VCMPPS(U8(notLessOrEqual), least, x[i], k)
				VMULPS_Z(x[i], x[i], k, x[i])
				continue
			}
			mask := YMM()
			VCMPPS(U8(notLessOrEqual), least, x[i], mask)
			VMULPS(x[i], x[i], x[i])
			VANDPS(mask, x[i], x[i])
		}
		return x
	})
}

func rectified(x Lanes) Lanes {
	x.Add(x, Float(0)) // no negative zero
	zero := NewLanes().Zero()
	return x.Max(zero, x) // NaN stays
}

// sigmoidGNUbg generates GNU Backgammon's sigmoid with one of its two kinds of
// reciprocal. It needs e^(k/10)/10 for k below 101: AVX-512 holds it in eight
// registers and looks up by permutation, AVX2 gathers from memory.
func sigmoidGNUbg(name, where string, reciprocal func(d Lanes) Lanes) {
	var table [8]reg.VecVirtual
	var base reg.GPVirtual
	setup := func(reg.VecVirtual) {
		if !T.AVX512 {
			base = GP64()
			LEAQ(expTenths(), base)
			return
		}
		for i := range table {
			table[i] = ZMM()
			VMOVUPS(expTenths().Offset(64*i), table[i])
		}
	}
	activation(name, []string{"sets x[i] to GNU Backgammon's approximation of",
		"1 / (1 + e^(-beta·x[i])) " + where + ", for 16·groups values."},
		2, setup, func(x Lanes) Lanes {
			size := NewLanes().And(x, Word(0x7fffffff))
			tenths := NewLanes().Mul(size, Float(10))
			tenths.Min(tenths, Float(100)) // and beyond: the last of the table
			k, e := lookup(tenths, table, base)
			d := NewLanes().Set(Float(10))
			d.Sub(d, k)
			d.Add(d, tenths)
			d.Mul(d, e)
			d.Add(d, Float(1))
			d = reciprocal(d)
			y := NewLanes().Set(Float(1))
			y.Sub(y, d)
			zero := NewLanes().Zero()
			return y.Choose(lessOrEqual, x, zero, d)
		})
}

// lookup returns k, the integer part of x from 0 to 100, and expTenths[k].
func lookup(x Lanes, table [8]reg.VecVirtual, base reg.Register) (k, v Lanes) {
	k, v = NewLanes(), NewLanes()
	at := NewLanes()
	for i := range x {
		VCVTTPS2DQ(x[i], at[i])
		VCVTDQ2PS(at[i], k[i])
	}
	if !T.AVX512 {
		for i := range v {
			mask := YMM()
			VPCMPEQD(mask, mask, mask)
			VXORPS(v[i], v[i], v[i])
			VGATHERDPS(mask, Mem{Base: base, Index: at[i], Scale: 4}, v[i])
		}
		return k, v
	}
	for i := range v {
		var quarters [4]reg.VecVirtual
		for q := range quarters {
			quarters[q] = ZMM()
			VMOVDQA32(at[i], quarters[q])
			VPERMI2PS(table[2*q+1], table[2*q], quarters[q])
		}
		bit5, bit6 := K(), K()
		VPTESTMD_BCST(Word(32).At(), at[i], bit5)
		VPTESTMD_BCST(Word(64).At(), at[i], bit6)
		VBLENDMPS(quarters[1], quarters[0], bit5, quarters[0])
		VBLENDMPS(quarters[3], quarters[2], bit5, quarters[2])
		VBLENDMPS(quarters[2], quarters[0], bit6, v[i])
	}
	return k, v
}

// expTenths holds e^(k/10)/10, rounded, for k below 100, then the last again.
func expTenths() Mem {
	return Table("expTenths", func() {
		for k := range 128 {
			DATA(4*k, F32(float32(math.Exp(float64(min(k, 99))/10)/10)))
		}
	})
}
