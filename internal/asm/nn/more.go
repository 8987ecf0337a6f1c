package nn

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"

	. "bgtrain/internal/asm/simd"
)

// more adds to the sums of 16·b units for t vectors what some neighboring
// inputs give, none of them left out. The sums stay in registers meanwhile.
func more(t, b int) {
	Kernel(fmt.Sprintf("more%dx%d", t, b),
		"func(x *float32, stride, inputs int, w *float32, rowSize int, sums *float32, sumStride int)",
		fmt.Sprintf("continues, for %d vectors v and %d units u,", t, 16*b),
		"",
		"\tfor i below inputs { sums[v][u] = fma(x[v][i], w[i][u], sums[v][u]) }",
		"",
		"Strides and rowSize, from w[i] to w[i+1], are in bytes; inputs is at least 1.")
	x := vectors("x", "stride", t)
	w, sums, stride := Arg("w"), Arg("sums"), Arg("sumStride")
	at := GP64()
	MOVQ(sums, at)
	acc := accumulators(t, b, func(v, g int) Lanes {
		if g == 0 && v > 0 {
			ADDQ(stride, at)
		}
		return NewLanes().Load(Mem{Base: at, Disp: 64 * g})
	})
	size, n := Arg("rowSize"), Arg("inputs")
	off := Zero()
	Label("loop")
	fused.add(acc, x, off, Mem{Base: w})
	ADDQ(size, w)
	ADDQ(Imm(4), off)
	DECQ(n)
	JNE(LabelRef("loop"))
	storeSums(acc, sums, stride)
	Finish()
}
