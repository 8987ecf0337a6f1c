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
	begin(fmt.Sprintf("multiply%d", r),
		"func(runs, k int, a *float32, rs, cs, step uintptr, b *float32, ldb uintptr, "+
			"init *float32, ldinit uintptr, c *float32, ldc uintptr)",
		fmt.Sprintf("computes %d rows of %d columns: C = Init + A·B,", r, columns*T.Width()),
		"where A has runs of k columns. A's element (i, p) of run r is at a + i·rs + p·cs,",
		"and r·(step + k·cs) more; rows of B, Init and C are ldb, ldinit and ldc apart,",
		"all in bytes.")
	runs, k, left := Arg("runs"), Arg("k"), GP64()
	step := Arg("step")
	acc := Vectors(r * columns)
	loadInit(r, acc)

	pa, rs, cs, pb, ldb := Arg("a"), Arg("rs"), Arg("cs"), Arg("b"), Arg("ldb")
	a := newRows(r, pa, rs)
	bv := Vectors(columns)
	x := Vectors(2)
	Label("run")
	MOVQ(k, left)
	Label("loop")
	fuse(r, acc, bv, x, Mem{Base: pb}, a.at)
	a.advance(cs)
	ADDQ(ldb, pb)
	DECQ(left)
	JNZ(LabelRef("loop"))
	a.advance(step)
	DECQ(runs)
	JNZ(LabelRef("run"))

	eachRow("c", "ldc", r, acc, func(at Mem, v reg.VecVirtual) { VMOVUPS(v, at) })
	finish()
}

// unroll is the number of columns of A in a pass through the loops of panelRows and
// panelColumns: instructions that count and advance take the multiplications' ports.
const unroll = 4

// panelRows generates the tile of r rows where all matrices are in panels, so that
// the distances are constants.
func panelRows(r int) {
	begin(fmt.Sprintf("panelRows%d", r),
		"func(runs int, a *float32, step uintptr, b, init *float32, ldinit uintptr, c *float32)",
		fmt.Sprintf("is multiply%d%s with runs of 32 columns, step bytes beyond the end", r, T.Suffix),
		"of one, and rows of A, B and C a panel's apart.")
	runs, left := Arg("runs"), GP64()
	a, step, b := Arg("a"), Arg("step"), Arg("b")
	acc := Vectors(r * columns)
	loadInit(r, acc)
	bv, x := Vectors(columns), Vectors(2)
	// One base for 8 rows, so that distances from it fit a byte, scaled by 4: with
	// longer instructions the tile takes 5 % more time.
	bases := []reg.Register{a}
	ADDQ(U32(4*row), a)
	if r > 8 {
		bases = append(bases, GP64())
		LEAQ(Mem{Base: a, Disp: 8 * row}, bases[1])
	}
	Label("run")
	MOVQ(U32(panel/unroll), left)
	Label("loop")
	for u := range unroll {
		fuse(r, acc, bv, x, Mem{Base: b, Disp: u * row}, func(i int) Mem {
			return Mem{Base: bases[i/8], Disp: (i%8-4)*row + 4*u}
		})
	}
	for _, p := range bases {
		ADDQ(U32(4*unroll), p)
	}
	ADDQ(U32(unroll*row), b)
	DECQ(left)
	JNZ(LabelRef("loop"))
	for _, p := range bases {
		ADDQ(step, p)
	}
	DECQ(runs)
	JNZ(LabelRef("run"))
	storeTile(r, acc)
}

// panelColumns generates the tile of r rows for the transpose of a panel.
func panelColumns(r int) {
	begin(fmt.Sprintf("panelColumns%d", r),
		"func(groups int, a, b, init *float32, ldinit uintptr, c *float32)",
		fmt.Sprintf("is multiply%d%s of %d·groups columns, which are rows of a panel,", r, T.Suffix, unroll),
		"as those of B and C are.")
	groups, a, b := Arg("groups"), Arg("a"), Arg("b")
	acc := Vectors(r * columns)
	loadInit(r, acc)
	bv, x := Vectors(columns), Vectors(2)
	Label("loop")
	for u := range unroll {
		fuse(r, acc, bv, x, Mem{Base: b, Disp: u * row}, func(i int) Mem { return Mem{Base: a, Disp: 4*i + u*row} })
	}
	ADDQ(U32(unroll*row), a)
	ADDQ(U32(unroll*row), b)
	DECQ(groups)
	JNZ(LabelRef("loop"))
	storeTile(r, acc)
}

// row is the number of bytes of a panel's row.
const row = 4 * panel

// fuse generates what a tile does with one column of A, whose element in row i is at
// a(i), and the row of B at b.
func fuse(r int, acc, bv, x []reg.VecVirtual, b Mem, a func(i int) Mem) {
	for j := range bv {
		VMOVUPS(b.Offset(j*T.Bytes), bv[j])
	}
	for i := range r {
		VBROADCASTSS(a(i), x[i%len(x)])
		for j := range bv {
			VFMADD231PS(bv[j], x[i%len(x)], acc[i*columns+j])
		}
	}
}

func loadInit(r int, acc []reg.VecVirtual) {
	eachRow("init", "ldinit", r, acc, func(at Mem, v reg.VecVirtual) { VMOVUPS(at, v) })
}

// storeTile ends a tile by storing it to a panel.
func storeTile(r int, acc []reg.VecVirtual) {
	c := Arg("c")
	for i, v := range acc {
		VMOVUPS(v, Mem{Base: c, Disp: i/columns*row + i%columns*T.Bytes})
	}
	finish()
}

// eachRow goes through r rows of a matrix whose address and distance of rows are the
// parameters of those names, and moves their columns from or to v.
func eachRow(matrix, distance string, r int, v []reg.VecVirtual, move func(at Mem, v reg.VecVirtual)) {
	p, ld := Arg(matrix), Arg(distance)
	for i := 0; i < r; i++ {
		for j := 0; j < columns; j++ {
			move(Mem{Base: p, Disp: j * T.Bytes}, v[i*columns+j])
		}
		if i+1 < r {
			ADDQ(ld, p)
		}
	}
}

// rowsOfA addresses the rows of A from two pointers, far 7 rows after near.
type rowsOfA struct {
	near, far    reg.Register // far is nil where no row needs it
	rs, rs3, rs5 reg.Register // the distance of rows, and multiples of it where needed
}

// newRows returns the addresses of r rows, the first at near, rs apart.
func newRows(r int, near, rs reg.Register) *rowsOfA {
	a := &rowsOfA{near: near, rs: rs}
	if r > 3 {
		a.rs3 = GP64()
		LEAQ(Mem{Base: rs, Index: rs, Scale: 2}, a.rs3)
	}
	if r > 5 {
		a.rs5 = GP64()
		LEAQ(Mem{Base: rs, Index: rs, Scale: 4}, a.rs5)
	}
	if r > 7 {
		a.far = GP64()
		LEAQ(Mem{Base: near, Index: a.rs3, Scale: 2}, a.far)
		ADDQ(rs, a.far)
	}
	return a
}

// at returns the address of the present column in row i.
func (a *rowsOfA) at(i int) Mem {
	base := a.near
	if i >= 7 {
		base, i = a.far, i-7
	}
	switch i {
	case 0:
		return Mem{Base: base}
	case 3:
		return Mem{Base: base, Index: a.rs3, Scale: 1}
	case 5:
		return Mem{Base: base, Index: a.rs5, Scale: 1}
	case 6:
		return Mem{Base: base, Index: a.rs3, Scale: 2}
	}
	return Mem{Base: base, Index: a.rs, Scale: uint8(i)}
}

// advance goes on by so many bytes in all rows.
func (a *rowsOfA) advance(bytes Op) {
	ADDQ(bytes, a.near)
	if a.far != nil {
		ADDQ(bytes, a.far)
	}
}

// dots generates the forward pass of an output layer of five units.
func dots() {
	begin("dots5",
		"func(rows, panels int, h *float32, pstride uintptr, w *float32, wstride uintptr, bias *float32, z *float32)",
		"computes z[r*5+o] = bias[o] + h's row r · w's row o, for rows rows",
		"of h in panels pstride bytes apart, and w in panels of 5 rows wstride bytes apart.")
	rows, h, stride, z, wstride := Arg("rows"), Arg("h"), Arg("pstride"), Arg("z"), Arg("wstride")
	pb := Arg("bias")
	bias4, bias1 := XMM(), XMM()
	VMOVUPS(Mem{Base: pb}, bias4)
	VMOVSS(Mem{Base: pb, Disp: 16}, bias1)

	Label("row")
	sums := make([]Lanes, 5)
	for o := range sums {
		sums[o] = NewLanes().Zero()
	}
	panels, w := Arg("panels"), Arg("w")
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
	finish()
}

// columnSums generates the bias gradient of a panel.
func columnSums() {
	begin("columnSums", "func(rows int, x *float32, sum *float32)",
		"writes the sums of the 32 columns of x to sum.")
	rows, x := Arg("rows"), Arg("x")
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
	sum := Arg("sum")
	for j, v := range acc {
		VMOVUPS(v, Mem{Base: sum, Disp: j * T.Bytes})
	}
	finish()
}

// transpose generates the transposition of a panel's square.
func transpose() {
	Kernel("transpose", "func(to, from *float32)", "transposes 32 rows of 32 values.")
	to, from := Arg("to"), Arg("from")
	const block = 8
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
