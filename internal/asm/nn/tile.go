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
	Kernel(fmt.Sprintf("tile%dx%d", t, b),
		"func(x *float32, stride int, list, rows *uint32, fused, rest int, w, bias, sums *float32, sumStride int)",
		fmt.Sprintf("sets, for %d vectors v and %d units u,", t, 16*b),
		"",
		"\tsums[v][u] = bias[u]; for i in list[:fused] { sums[v][u] = fma(x[v][i], w[i][u], sums[v][u]) }",
		"\tfor i in list[fused:][:rest] { sums[v][u] += round(x[v][i]·w[i][u]) }",
		"",
		"Strides are in bytes; list holds 4·i, rows the byte offsets of w[i].")
	x := vectors("x", "stride", t)
	list, rows, w, bias := Arg("list"), Arg("rows"), Arg("w"), Arg("bias")
	acc := accumulators(t, b, func(_, g int) Lanes { return NewLanes().Load(Mem{Base: bias, Disp: 64 * g}) })
	walk("fused", list, rows, "fused", "fusedDone", func(off, row reg.Register) {
		fused.add(acc, x, off, Mem{Base: w, Index: row, Scale: 1})
	})
	walk("rest", list, rows, "rest", "store", func(off, row reg.Register) {
		rounded.add(acc, x, off, Mem{Base: w, Index: row, Scale: 1})
	})
	sums, stride := Arg("sums"), Arg("sumStride")
	storeSums(acc, sums, stride)
	Finish()
}

// accumulators returns the sums of 16·b units for t vectors, each group as begin sets it.
func accumulators(t, b int, begin func(v, g int) Lanes) [][]Lanes {
	acc := make([][]Lanes, t)
	for v := range acc {
		for g := range b {
			acc[v] = append(acc[v], begin(v, g))
		}
	}
	return acc
}

// storeSums writes the sums of vectors stride bytes apart.
func storeSums(acc [][]Lanes, sums, stride reg.Register) {
	for v := range acc {
		for g := range acc[v] {
			acc[v][g].Store(Mem{Base: sums, Disp: 64 * g})
		}
		if v < len(acc)-1 {
			ADDQ(stride, sums)
		}
	}
}

// walk generates a loop over the next listed inputs, whose number is the parameter count:
// body gets their offsets in a vector and in the weights. begin and end become labels.
func walk(count string, list, rows reg.Register, begin, end string, body func(off, row reg.Register)) {
	n := Arg(count)
	// Count up to zero: one instruction, and not on a port that multiplies.
	LEAQ(Mem{Base: list, Index: n, Scale: 4}, list)
	LEAQ(Mem{Base: rows, Index: n, Scale: 4}, rows)
	NEGQ(n)
	JEQ(LabelRef(end))
	Label(begin)
	off, row := GP64(), GP64()
	MOVL(Mem{Base: list, Index: n, Scale: 4}, off.As32())
	MOVL(Mem{Base: rows, Index: n, Scale: 4}, row.As32())
	body(off, row)
	INCQ(n)
	JNE(LabelRef(begin))
	Label(end)
}

// product is a way to add products of weights, in registers or memory, and inputs to sums.
type product struct {
	plus func(weights Op, in, sum reg.VecVirtual)
	load bool // weights go through a register where inputs are held: the others have none left
}

// The products of layers that do not round them, and of those that do.
var (
	fused   = product{func(w Op, in, sum reg.VecVirtual) { VFMADD231PS(w, in, sum) }, true}
	rounded = product{addRounded, false}
)

// addRounded adds a product, rounded before.
func addRounded(weights Op, in, sum reg.VecVirtual) {
	product := Vector()
	VMULPS(weights, in, product)
	VADDPS(product, sum, sum)
}

// add adds the products of an input of each vector with a row of weights.
func (p *product) add(acc [][]Lanes, x []reg.Register, off reg.Register, row Mem) {
	if T.AVX512 || len(acc[0]) == 1 {
		p.addHeldWeights(acc, x, off, row)
	} else {
		p.addHeldInputs(acc, x, off, row)
	}
}

// addHeldWeights holds the row of weights in registers.
func (p *product) addHeldWeights(acc [][]Lanes, x []reg.Register, off reg.Register, row Mem) {
	weights := make([]Lanes, len(acc[0]))
	for g := range weights {
		weights[g] = NewLanes().Load(row.Offset(64 * g))
	}
	for v := range acc {
		in := Vector()
		VBROADCASTSS(Mem{Base: x[v], Index: off, Scale: 1}, in)
		for g := range acc[v] {
			for i, sum := range acc[v][g] {
				p.plus(weights[g][i], in, sum)
			}
		}
	}
}

// addHeldInputs holds the inputs in registers, where there are few.
func (p *product) addHeldInputs(acc [][]Lanes, x []reg.Register, off reg.Register, row Mem) {
	in := make([]reg.VecVirtual, len(acc))
	for v := range in {
		in[v] = Vector()
		VBROADCASTSS(Mem{Base: x[v], Index: off, Scale: 1}, in[v])
	}
	for g := range acc[0] {
		for i := range acc[0][g] {
			var weights Op = Part(row.Offset(64*g), i)
			if p.load {
				r := Vector()
				VMOVUPS(weights, r)
				weights = r
			}
			for v := range acc {
				p.plus(weights, in[v], acc[v][g][i])
			}
		}
	}
}
