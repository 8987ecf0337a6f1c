package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Predicates of VCMPPS: ordered, false for NaN.
const (
	lessThan    = 0x11
	lessOrEqual = 0x12
)

// activation generates a kernel that sets x[i] to the function of beta·x[i] that
// body computes, in place.
func activation(name string, doc []string, setup func(), body func(x lanes) lanes) {
	TEXT(name+isa.suffix, NOSPLIT, "func(x *float32, groups int, beta float32)")
	Doc(append([]string{name + isa.suffix + doc[0]}, doc[1:]...)...)
	Pragma("noescape")
	x := Load(Param("x"), GP64())
	groups := Load(Param("groups"), GP64())
	beta := register()
	at, err := Param("beta").Resolve()
	if err != nil {
		panic(err)
	}
	VBROADCASTSS(at.Addr, beta)
	setup()
	Label("loop")
	v := newLanes()
	for i := range v {
		VMULPS(part(Mem{Base: x}, i), beta, v[i])
	}
	body(v).store(Mem{Base: x})
	ADDQ(Imm(64), x)
	DECQ(groups)
	JNE(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// exp returns e^y, relative error below 2e-7, for y clamped to ±87; NaN stays.
// e^y = 2^n·e^r with |r| at most ln(2)/2, and a polynomial for e^r.
func exp(y lanes) lanes {
	y.max(newLanes().set(constant(-87)), y)
	y.min(newLanes().set(constant(87)), y)
	n := newLanes().mul(y, constant(math.Log2E))
	n.round(0, n)
	// ln(2) in two parts: n·high is exact.
	y.fnma(n, constant(0.693359375))
	y.fnma(n, constant(-2.12194440e-4))
	p := newLanes().set(constant(expPolynomial[0]))
	for _, c := range expPolynomial[1:] {
		p.horner(y, constant(c))
	}
	square := newLanes().mul(y, y)
	p.horner(square, y)
	p.add(p, constant(1))
	return p.scale(n)
}

// expPolynomial is (e^r - 1 - r) / r² for |r| at most ln(2)/2, the highest power
// first: the coefficients of the Cephes library.
var expPolynomial = [...]float32{
	1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3,
	4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1,
}

func sigmoid() {
	activation("sigmoid", []string{" sets x[i] = 1 / (1 + e^(-beta·x[i])) for 16·groups values."},
		func() {}, func(x lanes) lanes {
			e := exp(x.xor(x, word(0x80000000)))
			e.add(e, constant(1))
			one := newLanes().set(constant(1))
			return e.div(one, e)
		})
}

func tanh() {
	activation("tanh", []string{" sets x[i] = tanh(x[i]) for 16·groups values; beta must be 1."},
		func() {}, func(x lanes) lanes {
			x.add(x, constant(0)) // no negative zero
			sign := newLanes().and(x, word(0x80000000))
			y := newLanes().or(x, word(0x80000000)) // -|x|
			y.add(y, y)
			e := exp(y)
			one := newLanes().set(constant(1))
			below := newLanes().sub(one, e)
			e.add(e, one)
			return below.or(below.div(below, e), sign)
		})
}

func relu() {
	activation("relu", []string{" sets x[i] = max(0, x[i]) for 16·groups values; beta must be 1."},
		func() {}, func(x lanes) lanes {
			x.add(x, constant(0)) // no negative zero
			zero := newLanes().zero()
			return x.max(zero, x) // NaN stays
		})
}

// sigmoidGNUbg needs e^(k/10)/10 for k below 101: AVX-512 holds it in eight
// registers and looks up by permutation, AVX2 gathers from memory.
func sigmoidGNUbg() {
	var table [8]reg.VecVirtual
	var base reg.GPVirtual
	setup := func() {
		if isa == avx2 {
			base = GP64()
			LEAQ(expTenths(), base)
			return
		}
		for i := range table {
			table[i] = ZMM()
			VMOVUPS(expTenths().Offset(64*i), table[i])
		}
	}
	activation("sigmoidGNUbg", []string{" sets x[i] to GNU Backgammon's approximation of",
		"1 / (1 + e^(-beta·x[i])) for 16·groups values."},
		setup, func(x lanes) lanes {
			size := newLanes().and(x, word(0x7fffffff))
			tenths := newLanes().mul(size, constant(10))
			k := newLanes().round(3, tenths)
			e := lookup(k, table, base)
			ten := newLanes().set(constant(10))
			k.sub(ten, k)
			k.add(k, tenths)
			k.mul(k, e)
			k.add(k, constant(1))
			d := newLanes().set(constant(19931.370438230298))
			d.choose(lessThan, size, ten, k)
			one := newLanes().set(constant(1))
			d.div(one, d)
			y := newLanes().sub(one, d)
			zero := newLanes().zero()
			return y.choose(lessOrEqual, x, zero, d)
		})
}

// lookup returns expTenths[k] for the lanes of k from 0 to 127, anything for others.
func lookup(k lanes, table [8]reg.VecVirtual, base reg.Register) lanes {
	v := newLanes()
	if isa == avx2 {
		for i := range v {
			at, mask := YMM(), YMM()
			VMINPS(constant(100).at(), k[i], at)
			VCVTTPS2DQ(at, at)
			VPCMPEQD(mask, mask, mask)
			VXORPS(v[i], v[i], v[i])
			VGATHERDPS(mask, Mem{Base: base, Index: at, Scale: 4}, v[i])
		}
		return v
	}
	at := ZMM()
	VCVTTPS2DQ(k[0], at)
	var quarters [4]reg.VecVirtual
	for q := range quarters {
		quarters[q] = ZMM()
		VMOVDQA32(at, quarters[q])
		VPERMI2PS(table[2*q+1], table[2*q], quarters[q])
	}
	bit5, bit6 := K(), K()
	VPTESTMD_BCST(word(32).at(), at, bit5)
	VPTESTMD_BCST(word(64).at(), at, bit6)
	VBLENDMPS(quarters[1], quarters[0], bit5, quarters[0])
	VBLENDMPS(quarters[3], quarters[2], bit5, quarters[2])
	VBLENDMPS(quarters[2], quarters[0], bit6, v[0])
	return v
}

// expTenths holds e^(k/10)/10, rounded, for k below 100, then the last again.
func expTenths() Mem {
	m, ok := tables["expTenths"]
	if !ok {
		m = GLOBL("expTenths"+isa.suffix, NOPTR|RODATA)
		for k := range 128 {
			DATA(4*k, F32(float32(math.Exp(float64(min(k, 99))/10)/10)))
		}
		tables["expTenths"] = m
	}
	return m
}
