package gemm

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "bgtrain/internal/asm/simd"
)

// constant is x in all lanes: in a register where there are enough of them.
func constant(x float32) Op {
	if T.AVX512 {
		return Broadcast(Float(x))
	}
	return Float(x).At()
}

// vectorLoop generates a loop over n elements (n > 0, a multiple of 16) at the
// pointers of these names, which body reads through at.
func vectorLoop(pointers []string, body func(at func(name string) Mem)) {
	n := Load(Param("n"), GP64())
	base := map[string]reg.Register{}
	for _, p := range pointers {
		base[p] = Load(Param(p), GP64())
	}
	i := GP64()
	XORQ(i, i)
	Label("loop")
	body(func(name string) Mem { return Mem{Base: base[name], Index: i, Scale: 4} })
	ADDQ(U32(uint32(T.Width())), i)
	CMPQ(i, n)
	JLT(LabelRef("loop"))
	Finish()
}

// sigmoid holds the constants of 1/(1+e^-x).
type sigmoid struct {
	limit, minusLimit        reg.VecVirtual
	log2e, ln2hi, ln2lo, one Op
	two                      reg.VecVirtual
	poly                     []Op
}

func newSigmoid() *sigmoid {
	s := &sigmoid{
		limit: Broadcast(Float(87)), minusLimit: Broadcast(Float(-87)),
		log2e: constant(-math.Log2E),
		ln2hi: constant(0.693359375), ln2lo: constant(-2.12194440e-4),
		one: Broadcast(Float(1)),
	}
	if T.AVX512 {
		s.two = Broadcast(Float(2))
	}
	// e^r for |r| <= ln2/2 is 1 + r + r²·P(r), with the coefficients of Cephes.
	for _, c := range []float32{1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3,
		4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1} {
		s.poly = append(s.poly, constant(c))
	}
	return s
}

// apply replaces x by its sigmoid. NaN stays NaN: x is the second source of the
// minimum and maximum, which is what they return for a NaN.
func (s *sigmoid) apply(x reg.VecVirtual) {
	VMINPS(x, s.limit, x)
	VMAXPS(x, s.minusLimit, x)
	n, p, r2 := Vector(), Vector(), Vector()
	VMULPS(s.log2e, x, n)
	if T.AVX512 {
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
	if T.AVX512 {
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
func activations() {
	Kernel("sigmoid", "func(n int, x *float32)", "computes x[i] = 1/(1+e^-x[i]).")
	s := newSigmoid()
	vectorLoop([]string{"x"}, func(at func(string) Mem) {
		x := Vector()
		VMOVUPS(at("x"), x)
		s.apply(x)
		VMOVUPS(x, at("x"))
	})

	Kernel("tanh", "func(n int, x *float32)", "computes x[i] = tanh(x[i]) = 2/(1+e^-2x[i]) - 1.")
	s = newSigmoid()
	vectorLoop([]string{"x"}, func(at func(string) Mem) {
		x := Vector()
		VMOVUPS(at("x"), x)
		VADDPS(x, x, x)
		s.apply(x)
		VADDPS(x, x, x)
		VSUBPS(s.one, x, x)
		VMOVUPS(x, at("x"))
	})

	Kernel("relu", "func(n int, x *float32)", "computes x[i] = max(0, x[i]).")
	zero := Vector()
	Clear(zero)
	vectorLoop([]string{"x"}, func(at func(string) Mem) {
		x := Vector()
		VMOVUPS(at("x"), x)
		VMAXPS(x, zero, x)
		VMOVUPS(x, at("x"))
	})

	Kernel("sigmoidGradient", "func(n int, d, y *float32)", "computes d[i] *= y[i]·(1-y[i]).")
	vectorLoop([]string{"d", "y"}, func(at func(string) Mem) {
		y, f := Vector(), Vector()
		VMOVUPS(at("y"), y)
		VMOVAPS(y, f)
		VFNMADD213PS(y, y, f)
		VMULPS(at("d"), f, f)
		VMOVUPS(f, at("d"))
	})

	Kernel("tanhGradient", "func(n int, d, y *float32)", "computes d[i] *= 1-y[i]².")
	one := Broadcast(Float(1))
	vectorLoop([]string{"d", "y"}, func(at func(string) Mem) {
		y := Vector()
		VMOVUPS(at("y"), y)
		VFNMADD213PS(one, y, y)
		VMULPS(at("d"), y, y)
		VMOVUPS(y, at("d"))
	})

	Kernel("reluGradient", "func(n int, d, y *float32)", "clears d[i] where y[i] <= 0.")
	zero = Vector()
	Clear(zero)
	const less = 1
	vectorLoop([]string{"d", "y"}, func(at func(string) Mem) {
		d := Vector()
		if T.AVX512 {
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
