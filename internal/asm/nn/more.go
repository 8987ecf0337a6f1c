package nn

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"

	. "bgtrain/internal/asm/simd"
)

// more adds to the sums of 16·b units for t vectors what some neighbouring
// inputs give, none of them left out. The sums stay in registers meanwhile.
func more(t, b int) {
	TEXT(fmt.Sprintf("more%dx%d%s", t, b, T.Suffix), NOSPLIT,
		"func(x *float32, stride, inputs int, w *float32, rowSize int, sums *float32, sumStride int)")
	Doc(fmt.Sprintf("more%dx%d%s continues, for %d vectors v and %d units u,", t, b, T.Suffix, t, 16*b),
		"",
		"\tfor i below inputs { sums[v][u] = fma(x[v][i], w[i][u], sums[v][u]) }",
		"",
		"Strides and rowSize, from w[i] to w[i+1], are in bytes; inputs is at least 1.")
	Pragma("noescape")
	x := vectors("x", "stride", t)
	w := Load(Param("w"), GP64())
	sums := Load(Param("sums"), GP64())
	stride := Load(Param("sumStride"), GP64())
	acc := make([][]Lanes, t)
	at := GP64()
	MOVQ(sums, at)
	for v := range acc {
		acc[v] = make([]Lanes, b)
		for g := range acc[v] {
			acc[v][g] = NewLanes().Load(Mem{Base: at, Disp: 64 * g})
		}
		if v < t-1 {
			ADDQ(stride, at)
		}
	}
	size := Load(Param("rowSize"), GP64())
	n := Load(Param("inputs"), GP64())
	off := GP64()
	XORQ(off, off)
	Label("loop")
	if T.AVX512 || b == 1 {
		tileRowWeights(acc, x, off, Mem{Base: w}, false)
	} else {
		tileRowInputs(acc, x, off, Mem{Base: w}, false)
	}
	ADDQ(size, w)
	ADDQ(Imm(4), off)
	DECQ(n)
	JNE(LabelRef("loop"))
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
