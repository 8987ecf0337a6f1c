package gemm

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "bgtrain/internal/asm/simd"
)

// multiply generates the tile of r rows: C = Init + A·B. The accumulators stay
// in registers for the whole of k; each is a single chain of FMAs in the order
// of k, so that an element comes out the same whatever tile it is in.
func multiply(r int) {
	Kernel(fmt.Sprintf("multiply%d", r),
		"func(runs, k int, a *float32, rs, cs, step uintptr, b *float32, ldb uintptr, init *float32, ldinit uintptr, c *float32, ldc uintptr)",
		fmt.Sprintf("computes %d rows of %d columns: C = Init + A·B,", r, columns*T.Width()),
		"where A has runs of k columns. A's element (i, p) of run r is at a + i·rs + p·cs,",
		"and r·(step + k·cs) more; rows of B, Init and C are ldb, ldinit and ldc apart,",
		"all in bytes.")
	runs, k, left := Load(Param("runs"), GP64()), Load(Param("k"), GP64()), GP64()
	step := Load(Param("step"), GP64())

	// Accumulators from Init.
	pi, ldi := Load(Param("init"), GP64()), Load(Param("ldinit"), GP64())
	acc := Vectors(r * columns)
	for i := 0; i < r; i++ {
		for j := 0; j < columns; j++ {
			VMOVUPS(Mem{Base: pi, Disp: j * T.Bytes}, acc[i*columns+j])
		}
		if i+1 < r {
			ADDQ(ldi, pi)
		}
	}

	// Rows of A are addressed from two pointers, 7 rows apart.
	pa, rs, cs := Load(Param("a"), GP64()), Load(Param("rs"), GP64()), Load(Param("cs"), GP64())
	pb, ldb := Load(Param("b"), GP64()), Load(Param("ldb"), GP64())
	var rs3, rs5, pa2 reg.GPVirtual
	if r > 3 {
		rs3 = GP64()
		LEAQ(Mem{Base: rs, Index: rs, Scale: 2}, rs3)
	}
	if r > 5 {
		rs5 = GP64()
		LEAQ(Mem{Base: rs, Index: rs, Scale: 4}, rs5)
	}
	if r > 7 {
		pa2 = GP64()
		LEAQ(Mem{Base: pa, Index: rs3, Scale: 2}, pa2)
		ADDQ(rs, pa2)
	}
	row := func(i int) Mem {
		base := pa
		if i >= 7 {
			base, i = pa2, i-7
		}
		switch i {
		case 0:
			return Mem{Base: base}
		case 3:
			return Mem{Base: base, Index: rs3, Scale: 1}
		case 5:
			return Mem{Base: base, Index: rs5, Scale: 1}
		case 6:
			return Mem{Base: base, Index: rs3, Scale: 2}
		}
		return Mem{Base: base, Index: rs, Scale: uint8(i)}
	}

	bv := Vectors(columns)
	x := Vectors(2)
	Label("run")
	MOVQ(k, left)
	Label("loop")
	for j := range bv {
		VMOVUPS(Mem{Base: pb, Disp: j * T.Bytes}, bv[j])
	}
	for i := 0; i < r; i++ {
		VBROADCASTSS(row(i), x[i%2])
		for j := range bv {
			VFMADD231PS(bv[j], x[i%2], acc[i*columns+j])
		}
	}
	ADDQ(cs, pa)
	if r > 7 {
		ADDQ(cs, pa2)
	}
	ADDQ(ldb, pb)
	DECQ(left)
	JNZ(LabelRef("loop"))
	ADDQ(step, pa)
	if r > 7 {
		ADDQ(step, pa2)
	}
	DECQ(runs)
	JNZ(LabelRef("run"))

	pc, ldc := Load(Param("c"), GP64()), Load(Param("ldc"), GP64())
	for i := 0; i < r; i++ {
		for j := 0; j < columns; j++ {
			VMOVUPS(acc[i*columns+j], Mem{Base: pc, Disp: j * T.Bytes})
		}
		if i+1 < r {
			ADDQ(ldc, pc)
		}
	}
	Finish()
}

// dots generates the forward pass of an output layer of five units.
func dots() {
	Kernel("dots5",
		"func(rows, panels int, h *float32, pstride uintptr, w *float32, wstride uintptr, bias *float32, z *float32)",
		"computes z[r*5+o] = bias[o] + h's row r · w's row o, for rows rows",
		"of h in panels pstride bytes apart, and w in panels of 5 rows wstride bytes apart.")
	rows, h := Load(Param("rows"), GP64()), Load(Param("h"), GP64())
	stride, z := Load(Param("pstride"), GP64()), Load(Param("z"), GP64())
	wstride := Load(Param("wstride"), GP64())
	pb := Load(Param("bias"), GP64())
	bias4, bias1 := XMM(), XMM()
	VMOVUPS(Mem{Base: pb}, bias4)
	VMOVSS(Mem{Base: pb, Disp: 16}, bias1)

	Label("row")
	sums := make([]Lanes, 5)
	for o := range sums {
		sums[o] = NewLanes().Zero()
	}
	panels, w := Load(Param("panels"), GP64()), Load(Param("w"), GP64())
	p := GP64()
	MOVQ(h, p)
	Label("panel")
	for j := 0; j < panel; j += Group {
		x := NewLanes().Load(Mem{Base: p, Disp: 4 * j})
		for o := range sums {
			sums[o].Fma(x, Mem{Base: w, Disp: 4 * (o*panel + j)})
		}
	}
	ADDQ(stride, p)
	ADDQ(wstride, w)
	DECQ(panels)
	JNZ(LabelRef("panel"))

	// Sums across each group.
	quads := make([]reg.VecVirtual, 5)
	for o := range sums {
		quads[o] = sums[o].Quarter()
	}
	VHADDPS(quads[1], quads[0], quads[0])
	VHADDPS(quads[3], quads[2], quads[2])
	VHADDPS(quads[2], quads[0], quads[0])
	VHADDPS(quads[4], quads[4], quads[4])
	VHADDPS(quads[4], quads[4], quads[4])
	VADDPS(bias4, quads[0], quads[0])
	VADDSS(bias1, quads[4], quads[4])
	VMOVUPS(quads[0], Mem{Base: z})
	VMOVSS(quads[4], Mem{Base: z, Disp: 16})
	ADDQ(U32(20), z)
	ADDQ(U32(panel*4), h)
	DECQ(rows)
	JNZ(LabelRef("row"))
	Finish()
}

// columnSums generates the bias gradient of a panel.
func columnSums() {
	Kernel("columnSums", "func(rows int, x *float32, sum *float32)",
		"writes the sums of the 32 columns of x to sum.")
	rows, x := Load(Param("rows"), GP64()), Load(Param("x"), GP64())
	per := panel / T.Width()
	acc := Vectors(per)
	for _, v := range acc {
		Clear(v)
	}
	Label("row")
	for j, v := range acc {
		VADDPS(Mem{Base: x, Disp: j * T.Bytes}, v, v)
	}
	ADDQ(U32(panel*4), x)
	DECQ(rows)
	JNZ(LabelRef("row"))
	sum := Load(Param("sum"), GP64())
	for j, v := range acc {
		VMOVUPS(v, Mem{Base: sum, Disp: j * T.Bytes})
	}
	Finish()
}

// transpose generates the transposition of a panel's square.
func transpose() {
	Kernel("transpose", "func(to, from *float32)", "transposes 32 rows of 32 values.")
	to, from := Load(Param("to"), GP64()), Load(Param("from"), GP64())
	const row, block = 4 * panel, 8
	n := GP64()
	MOVQ(U32(panel/block), n)
	Label("rows")
	for j := range panel / block {
		Transpose(Mem{Base: from, Disp: 4 * block * j}, row, Mem{Base: to, Disp: block * j * row}, row)
	}
	ADDQ(U32(block*row), from)
	ADDQ(U32(4*block), to)
	DECQ(n)
	JNZ(LabelRef("rows"))
	Finish()
}
