package gemm

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "bgtrain/internal/asm/simd"
)

// coefficients loads the float32 at p into registers, one in all lanes of each.
func coefficients(n int) []reg.VecVirtual {
	p := Arg("p")
	c := Vectors(n)
	for i := range c {
		VBROADCASTSS(Mem{Base: p, Disp: 4 * i}, c[i])
	}
	return c
}

// optimizers generates the weight updates.
func optimizers() {
	begin("adam", "func(n int, w, m, v, grad, p *float32)",
		"is a step of Adam; p holds",
		"beta1, 1-beta1, beta2, 1-beta2, -rate, epsilon, keep:",
		"m = beta1·m + (1-beta1)·grad; v = beta2·v + (1-beta2)·grad²; w = keep·w - rate·m/(√v + epsilon).")
	c := coefficients(7)
	beta1, gain1, beta2, gain2, rate, epsilon, keep := c[0], c[1], c[2], c[3], c[4], c[5], c[6]
	vectorLoop([]string{"w", "m", "v", "grad"}, func(at func(string) Mem) {
		g, m, v, w := Vector(), Vector(), Vector(), Vector()
		VMOVUPS(at("grad"), g)
		VMULPS(at("m"), beta1, m)
		VMULPS(at("v"), beta2, v)
		VFMADD231PS(gain1, g, m)
		VMULPS(g, g, g)
		VFMADD231PS(gain2, g, v)
		VMOVUPS(m, at("m"))
		VMOVUPS(v, at("v"))
		VSQRTPS(v, v)
		VADDPS(epsilon, v, v)
		VDIVPS(v, m, m)
		VMULPS(at("w"), keep, w)
		VFMADD231PS(rate, m, w)
		VMOVUPS(w, at("w"))
	})

	begin("momentum", "func(n int, w, m, grad, p *float32)",
		"is a step of gradient descent; p holds momentum, -rate, keep:",
		"m = momentum·m + grad; w = keep·w - rate·m.")
	c = coefficients(3)
	mu, rate, keep := c[0], c[1], c[2]
	vectorLoop([]string{"w", "m", "grad"}, func(at func(string) Mem) {
		m, w := Vector(), Vector()
		VMOVUPS(at("m"), m)
		VFMADD213PS(at("grad"), mu, m)
		VMOVUPS(m, at("m"))
		VMULPS(at("w"), keep, w)
		VFMADD231PS(rate, m, w)
		VMOVUPS(w, at("w"))
	})

	begin("average", "func(n int, e, w, p *float32)",
		"moves e towards w: e += p[0]·(w - e).")
	c = coefficients(1)
	vectorLoop([]string{"e", "w"}, func(at func(string) Mem) {
		e, d := Vector(), Vector()
		VMOVUPS(at("e"), e)
		VMOVUPS(at("w"), d)
		VSUBPS(e, d, d)
		VFMADD231PS(c[0], d, e)
		VMOVUPS(e, at("e"))
	})
}
