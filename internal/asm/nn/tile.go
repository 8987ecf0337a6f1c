package nn

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "bgtrain/internal/asm/simd"
)

// tile computes the sums of 16·b units for t input vectors: all of them stay in
// registers while the listed inputs are walked, so that a row of weights is
// loaded once for t vectors, and an input once for 16·b units.
func tile(t, b int) {
	TEXT(fmt.Sprintf("tile%dx%d%s", t, b, T.Suffix), NOSPLIT,
		"func(x *float32, stride int, list, rows *uint32, fused, rest int, w, bias, sums *float32, sumStride int)")
	Doc(fmt.Sprintf("tile%dx%d%s sets, for %d vectors v and %d units u,", t, b, T.Suffix, t, 16*b),
		"",
		"\tsums[v][u] = bias[u]; for i in list[:fused] { sums[v][u] = fma(x[v][i], w[i][u], sums[v][u]) }",
		"\tfor i in list[fused:][:rest] { sums[v][u] += round(x[v][i]·w[i][u]) }",
		"",
		"Strides are in bytes; list holds 4·i, rows the byte offsets of w[i].")
	Pragma("noescape")
	x := vectors("x", "stride", t)
	list := Load(Param("list"), GP64())
	rows := Load(Param("rows"), GP64())
	w := Load(Param("w"), GP64())
	bias := Load(Param("bias"), GP64())

	acc := make([][]Lanes, t)
	for v := range acc {
		acc[v] = make([]Lanes, b)
		for g := range acc[v] {
			acc[v][g] = NewLanes().Load(Mem{Base: bias, Disp: 64 * g})
		}
	}
	walk := func(name, after string, round bool) {
		n := Load(Param(name), GP64())
		// Count up to zero: one instruction, and not on a port that multiplies.
		LEAQ(Mem{Base: list, Index: n, Scale: 4}, list)
		LEAQ(Mem{Base: rows, Index: n, Scale: 4}, rows)
		NEGQ(n)
		JEQ(LabelRef(after))
		Label(name)
		off, row := GP64(), GP64()
		MOVL(Mem{Base: list, Index: n, Scale: 4}, off.As32())
		MOVL(Mem{Base: rows, Index: n, Scale: 4}, row.As32())
		at := Mem{Base: w, Index: row, Scale: 1}
		if T.AVX512 || b == 1 {
			tileRowWeights(acc, x, off, at, round)
		} else {
			tileRowInputs(acc, x, off, at, round)
		}
		INCQ(n)
		JNE(LabelRef(name))
		Label(after)
	}
	walk("fused", "fusedDone", false)
	walk("rest", "store", true)
	sums := Load(Param("sums"), GP64())
	stride := Load(Param("sumStride"), GP64())
	for v := range acc {
		for g := range acc[v] {
			acc[v][g].Store(Mem{Base: sums, Disp: 64 * g})
		}
		if v < t-1 {
			ADDQ(stride, sums)
		}
	}
	VZEROUPPER()
	RET()
}

// multiplyAdd adds the product of weights, in a register or memory, and an input
// to a sum; round says whether the product is rounded first.
func multiplyAdd(weights Op, in, sum reg.VecVirtual, round bool) {
	if !round {
		VFMADD231PS(weights, in, sum)
		return
	}
	product := Vector()
	VMULPS(weights, in, product)
	VADDPS(product, sum, sum)
}

// tileRowWeights holds the row of weights in registers.
func tileRowWeights(acc [][]Lanes, x []reg.Register, off reg.Register, row Mem, round bool) {
	weights := make([]Lanes, len(acc[0]))
	for g := range weights {
		weights[g] = NewLanes().Load(row.Offset(64 * g))
	}
	for v := range acc {
		in := Vector()
		VBROADCASTSS(Mem{Base: x[v], Index: off, Scale: 1}, in)
		for g := range acc[v] {
			for i := range acc[v][g] {
				multiplyAdd(weights[g][i], in, acc[v][g][i], round)
			}
		}
	}
}

// tileRowInputs holds the inputs in registers, where there are few.
func tileRowInputs(acc [][]Lanes, x []reg.Register, off reg.Register, row Mem, round bool) {
	in := make([]reg.VecVirtual, len(acc))
	for v := range in {
		in[v] = Vector()
		VBROADCASTSS(Mem{Base: x[v], Index: off, Scale: 1}, in[v])
	}
	for g := range acc[0] {
		for i := range acc[0][g] {
			var weights Op = Part(row.Offset(64*g), i)
			if !round { // else there is no register left
				r := Vector()
				VMOVUPS(weights, r)
				weights = r
			}
			for v := range acc {
				multiplyAdd(weights, in[v], acc[v][g][i], round)
			}
		}
	}
}
