package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// memory is read-only data that holds x in all lanes of a register.
func (t *tier) memory(x float32) Mem {
	name := fmt.Sprintf("const%08x%s", math.Float32bits(x), t.suffix)
	if !defined[name] {
		defined[name] = true
		GLOBL(name, RODATA|NOPTR)
		for i := 0; i < t.lanes(); i++ {
			DATA(4*i, F32(x))
		}
	}
	return NewDataAddr(NewStaticSymbol(name), 0)
}

var defined = map[string]bool{}

// register is a register that holds x in all lanes.
func (t *tier) register(x float32) reg.VecVirtual {
	v := t.vec()
	VMOVUPS(t.memory(x), v)
	return v
}

// constant is x in all lanes: in a register where there are enough of them.
func (t *tier) constant(x float32) Op {
	if t.avx512 {
		return t.register(x)
	}
	return t.memory(x)
}

// vectorLoop generates a loop over n elements (n > 0, a multiple of 16) at the
// pointers of these names, which body reads through at.
func (t *tier) vectorLoop(pointers []string, body func(at func(name string) Mem)) {
	n := Load(Param("n"), GP64())
	base := map[string]reg.Register{}
	for _, p := range pointers {
		base[p] = Load(Param(p), GP64())
	}
	i := GP64()
	XORQ(i, i)
	Label("loop")
	body(func(name string) Mem { return Mem{Base: base[name], Index: i, Scale: 4} })
	ADDQ(U32(uint32(t.lanes())), i)
	CMPQ(i, n)
	JLT(LabelRef("loop"))
	t.finish()
}

// sigmoid holds the constants of 1/(1+e^-x).
type sigmoid struct {
	t                        *tier
	limit, minusLimit        reg.VecVirtual
	log2e, ln2hi, ln2lo, one Op
	two                      reg.VecVirtual
	poly                     []Op
}

func (t *tier) newSigmoid() *sigmoid {
	s := &sigmoid{
		t: t, limit: t.register(87), minusLimit: t.register(-87),
		log2e: t.constant(-math.Log2E),
		ln2hi: t.constant(0.693359375), ln2lo: t.constant(-2.12194440e-4),
		one: t.register(1),
	}
	if t.avx512 {
		s.two = t.register(2)
	}
	// e^r for |r| <= ln2/2 is 1 + r + r²·P(r), with the coefficients of Cephes.
	for _, c := range []float32{1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3,
		4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1} {
		s.poly = append(s.poly, t.constant(c))
	}
	return s
}

// apply replaces x by its sigmoid. NaN stays NaN: x is the second source of the
// minimum and maximum, which is what they return for a NaN.
func (s *sigmoid) apply(x reg.VecVirtual) {
	t := s.t
	VMINPS(x, s.limit, x)
	VMAXPS(x, s.minusLimit, x)
	n, p, r2 := t.vec(), t.vec(), t.vec()
	VMULPS(s.log2e, x, n)
	if t.avx512 {
		VRNDSCALEPS(Imm(0), n, n)
	} else {
		VROUNDPS(Imm(0), n, n)
	}
	r := x // r = -x - n·ln2
	VFNMSUB231PS(s.ln2hi, n, r)
	VFNMADD231PS(s.ln2lo, n, r)
	VMOVUPS(s.poly[0], p)
	for _, c := range s.poly[1:] {
		VFMADD213PS(c, r, p)
	}
	VMULPS(r, r, r2)
	VFMADD213PS(r, r2, p)
	VADDPS(s.one, p, p) // e^r
	if t.avx512 {
		VSCALEFPS(n, p, p)
		VADDPS(s.one, p, p)
		// 1/p: an approximation to 14 bits and a step of Newton's method.
		VRCP14PS(p, x)
		VFNMADD213PS(s.two, x, p)
		VMULPS(p, x, x)
		return
	}
	VCVTPS2DQ(n, n)
	VPSLLD(Imm(23), n, n)
	VPADDD(n, p, p)
	VADDPS(s.one, p, p)
	VDIVPS(p, s.one.(reg.VecVirtual), x)
}

// activations generates the activation functions and their derivatives.
func (t *tier) activations() {
	t.function("sigmoid", "func(n int, x *float32)", "computes x[i] = 1/(1+e^-x[i]).")
	s := t.newSigmoid()
	t.vectorLoop([]string{"x"}, func(at func(string) Mem) {
		x := t.vec()
		VMOVUPS(at("x"), x)
		s.apply(x)
		VMOVUPS(x, at("x"))
	})

	t.function("tanh", "func(n int, x *float32)", "computes x[i] = tanh(x[i]) = 2/(1+e^-2x[i]) - 1.")
	s = t.newSigmoid()
	t.vectorLoop([]string{"x"}, func(at func(string) Mem) {
		x := t.vec()
		VMOVUPS(at("x"), x)
		VADDPS(x, x, x)
		s.apply(x)
		VADDPS(x, x, x)
		VSUBPS(s.one, x, x)
		VMOVUPS(x, at("x"))
	})

	t.function("relu", "func(n int, x *float32)", "computes x[i] = max(0, x[i]).")
	zero := t.vec()
	t.zero(zero)
	t.vectorLoop([]string{"x"}, func(at func(string) Mem) {
		x := t.vec()
		VMOVUPS(at("x"), x)
		VMAXPS(x, zero, x)
		VMOVUPS(x, at("x"))
	})

	t.function("sigmoidGradient", "func(n int, d, y *float32)", "computes d[i] *= y[i]·(1-y[i]).")
	t.vectorLoop([]string{"d", "y"}, func(at func(string) Mem) {
		y, f := t.vec(), t.vec()
		VMOVUPS(at("y"), y)
		VMOVAPS(y, f)
		VFNMADD213PS(y, y, f)
		VMULPS(at("d"), f, f)
		VMOVUPS(f, at("d"))
	})

	t.function("tanhGradient", "func(n int, d, y *float32)", "computes d[i] *= 1-y[i]².")
	one := t.register(1)
	t.vectorLoop([]string{"d", "y"}, func(at func(string) Mem) {
		y := t.vec()
		VMOVUPS(at("y"), y)
		VFNMADD213PS(one, y, y)
		VMULPS(at("d"), y, y)
		VMOVUPS(y, at("d"))
	})

	t.function("reluGradient", "func(n int, d, y *float32)", "clears d[i] where y[i] <= 0.")
	zero = t.vec()
	t.zero(zero)
	const less = 1
	t.vectorLoop([]string{"d", "y"}, func(at func(string) Mem) {
		d := t.vec()
		if t.avx512 {
			k := K()
			VCMPPS(Imm(less), at("y"), zero, k)
			VMOVUPS_Z(at("d"), k, d)
		} else {
			VCMPPS(Imm(less), at("y"), zero, d)
			VANDPS(at("d"), d, d)
		}
		VMOVUPS(d, at("d"))
	})
}
