package gemm

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "bgtrain/internal/asm/simd"
)

// vectorLoop generates a loop over n elements (n > 0, a multiple of 16) at the
// pointers of these names, which body reads through at.
func vectorLoop(pointers []string, body func(at func(name string) Mem)) {
	n := Arg("n")
	base := map[string]reg.Register{}
	for _, p := range pointers {
		base[p] = Load(Param(p), GP64())
	}
	i := Zero()
	Label("loop")
	body(func(name string) Mem { return Mem{Base: base[name], Index: i, Scale: 4} })
	ADDQ(U32(uint32(T.Width())), i)
	CMPQ(i, n)
	JLT(LabelRef("loop"))
	finish()
}

// gradients generates the derivatives of the activations.
func gradients() {
	begin("sigmoidGradient", "func(n int, d, y *float32)", "computes d[i] *= y[i]·(1-y[i]).")
	vectorLoop([]string{"d", "y"}, func(at func(string) Mem) {
		y, f := Vector(), Vector()
		VMOVUPS(at("y"), y)
		VMOVAPS(y, f)
		VFNMADD213PS(y, y, f)
		VMULPS(at("d"), f, f)
		VMOVUPS(f, at("d"))
	})

	begin("tanhGradient", "func(n int, d, y *float32)", "computes d[i] *= 1-y[i]².")
	one := Broadcast(Float(1))
	vectorLoop([]string{"d", "y"}, func(at func(string) Mem) {
		y := Vector()
		VMOVUPS(at("y"), y)
		VFNMADD213PS(one, y, y)
		VMULPS(at("d"), y, y)
		VMOVUPS(y, at("d"))
	})

	begin("squaredReLUGradient", "func(n int, d, y *float32)", "computes d[i] *= 2·√y[i].")
	vectorLoop([]string{"d", "y"}, func(at func(string) Mem) {
		root := Vector()
		VSQRTPS(at("y"), root)
		VADDPS(root, root, root)
		VMULPS(at("d"), root, root)
		VMOVUPS(root, at("d"))
	})

	begin("reluGradient", "func(n int, d, y *float32)", "clears d[i] where y[i] <= 0.")
	zero := Vector()
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
