package gemm

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "bgtrain/internal/asm/simd"
)

// sparseMultiply generates the forward pass of panels for sparse rows: of two, where
// there are registers for it, an entry is read once, and more sums are on their way.
func sparseMultiply(panels int) {
	begin(fmt.Sprintf("sparseMultiply%d", panels),
		"func(rows int, ends, off *uint32, val, w *float32, wstride uintptr, bias, c *float32, cstride uintptr)",
		"computes c's row r = bias + sum of val[e]·w's row at byte off[e],",
		"over the entries e of row r, which end before ends[r] and are a multiple of 2. Panels of w",
		fmt.Sprintf("and bias are wstride, those of c cstride bytes apart; it takes %d.", panels))
	rows, ends, off, val := Arg("rows"), Arg("ends"), Arg("off"), Arg("val")
	w, c := make([]reg.Register, panels), make([]reg.Register, panels)
	w[0], c[0] = Arg("w"), Arg("c")
	bias, wstride := Arg("bias"), Arg("wstride")
	per := panel / T.Width()
	b := Vectors(panels * per)
	for p := range panels {
		if p > 0 {
			ADDQ(wstride, bias)
			w[p], c[p] = GP64(), GP64()
			LEAQ(Mem{Base: w[p-1], Index: wstride, Scale: 1}, w[p])
			Load(Param("cstride"), c[p])
			ADDQ(c[p-1], c[p])
		}
		for j := range per {
			VMOVUPS(Mem{Base: bias, Disp: j * T.Bytes}, b[p*per+j])
		}
	}
	e, end := Zero(), GP64()
	Label("row")
	even, odd := Vectors(len(b)), Vectors(len(b))
	for j := range even {
		VMOVAPS(b[j], even[j])
		Clear(odd[j])
	}
	MOVL(Mem{Base: ends}, end.As32())
	CMPQ(e, end)
	JGE(LabelRef("store"))
	Label("entry")
	for u, v := range [][]reg.VecVirtual{even, odd} {
		o, x := GP64(), Vector()
		MOVL(Mem{Base: off, Index: e, Scale: 4, Disp: 4 * u}, o.As32())
		VBROADCASTSS(Mem{Base: val, Index: e, Scale: 4, Disp: 4 * u}, x)
		for j := range v {
			VFMADD231PS(Mem{Base: w[j/per], Index: o, Scale: 1, Disp: j % per * T.Bytes}, x, v[j])
		}
	}
	ADDQ(U32(2), e)
	CMPQ(e, end)
	JLT(LabelRef("entry"))
	Label("store")
	for j := range even {
		VADDPS(odd[j], even[j], even[j])
		VMOVUPS(even[j], Mem{Base: c[j/per], Disp: j % per * T.Bytes})
	}
	ADDQ(U32(4), ends)
	for _, p := range c {
		ADDQ(U32(panel*4), p)
	}
	DECQ(rows)
	JNZ(LabelRef("row"))
	finish()
}

// sparseAccumulate generates the weight gradient of a panel for sparse rows.
func sparseAccumulate() {
	begin("sparseAccumulate",
		"func(rows int, ends *uint32, off *uint32, val *float32, d *float32, grad *float32)",
		"adds val[e]·(d's row r) to grad's row at byte off[e], for the entries e",
		"of every row r.")
	rows, ends, off, val, d, g := Arg("rows"), Arg("ends"), Arg("off"), Arg("val"), Arg("d"), Arg("grad")
	per := panel / T.Width()
	e, end := Zero(), GP64()
	Label("row")
	dv := Vectors(per)
	for j := range dv {
		VMOVUPS(Mem{Base: d, Disp: j * T.Bytes}, dv[j])
	}
	MOVL(Mem{Base: ends}, end.As32())
	CMPQ(e, end)
	JGE(LabelRef("next"))
	Label("entry")
	o, x := GP64(), Vector()
	MOVL(Mem{Base: off, Index: e, Scale: 4}, o.As32())
	VBROADCASTSS(Mem{Base: val, Index: e, Scale: 4}, x)
	sum := Vectors(per)
	for j := range dv {
		m := Mem{Base: g, Index: o, Scale: 1, Disp: j * T.Bytes}
		VMOVUPS(m, sum[j])
		VFMADD231PS(x, dv[j], sum[j])
		VMOVUPS(sum[j], m)
	}
	INCQ(e)
	CMPQ(e, end)
	JLT(LabelRef("entry"))
	Label("next")
	ADDQ(U32(4), ends)
	ADDQ(U32(panel*4), d)
	DECQ(rows)
	JNZ(LabelRef("row"))
	finish()
}

// group is the number of panels that columnAccumulate takes: as many as there are
// registers for.
func group() int {
	if T.AVX512 {
		return 4
	}
	return 1
}

// columnAccumulate generates the weight gradient of several panels for columns of
// sparse rows. The sums of a column stay in registers, where sparseAccumulate loads
// and stores them with every entry.
func columnAccumulate() {
	begin("columnAccumulate",
		"func(columns int, ends *uint32, off *uint32, val *float32, d *float32, dstride uintptr, "+
			"grad *float32, gstride uintptr)",
		"adds val[e]·(d's row at byte off[e]) to row c of grad,",
		"for the entries e of every column c, which end before ends[c]; for "+fmt.Sprint(group())+" panels, dstride and",
		"gstride bytes apart.")
	columns, ends, off, val, d, g := Arg("columns"), Arg("ends"), Arg("off"), Arg("val"), Arg("d"), Arg("grad")
	var ds, ds3, gs, gs3 reg.Register
	if group() > 1 {
		ds, gs = Arg("dstride"), Arg("gstride")
		ds3, gs3 = GP64(), GP64()
		LEAQ(Mem{Base: ds, Index: ds, Scale: 2}, ds3)
		LEAQ(Mem{Base: gs, Index: gs, Scale: 2}, gs3)
	}
	at := func(base, step, step3 reg.Register, q, j int) Mem {
		switch q {
		case 0:
			return Mem{Base: base, Disp: j * T.Bytes}
		case 3:
			return Mem{Base: base, Index: step3, Scale: 1, Disp: j * T.Bytes}
		}
		return Mem{Base: base, Index: step, Scale: uint8(q), Disp: j * T.Bytes}
	}
	per := panel / T.Width()
	e, end := Zero(), GP64()
	Label("column")
	MOVL(Mem{Base: ends}, end.As32())
	CMPQ(e, end)
	JGE(LabelRef("next"))
	sums := make([][]reg.VecVirtual, group())
	for q := range sums {
		sums[q] = Vectors(per)
		for j, v := range sums[q] {
			VMOVUPS(at(g, gs, gs3, q, j), v)
		}
	}
	Label("entry")
	row, x := GP64(), Vector()
	MOVL(Mem{Base: off, Index: e, Scale: 4}, row.As32())
	VBROADCASTSS(Mem{Base: val, Index: e, Scale: 4}, x)
	ADDQ(d, row)
	for q := range sums {
		for j, v := range sums[q] {
			VFMADD231PS(at(row, ds, ds3, q, j), x, v)
		}
	}
	INCQ(e)
	CMPQ(e, end)
	JLT(LabelRef("entry"))
	for q := range sums {
		for j, v := range sums[q] {
			VMOVUPS(v, at(g, gs, gs3, q, j))
		}
	}
	Label("next")
	ADDQ(U32(4), ends)
	ADDQ(U32(panel*4), g)
	DECQ(columns)
	JNZ(LabelRef("column"))
	finish()
}

// compress generates the search for the non-zero inputs of a row.
func compress() {
	Kernel("compress",
		"func(x *float32, n int, first uint32, off *uint32, val *float32) (count int)",
		"writes value and byte offset (first + index·128) of the non-zero",
		"elements of x[:n], n > 0. It may write up to 16 entries past the last.")
	x, n := Arg("x"), GP64()
	Load(Param("n"), n)
	off, val := Arg("off"), Arg("val")
	index, step, zero := ZMM(), ZMM(), ZMM()
	GLOBL("ramp", RODATA|NOPTR)
	for i := 0; i < 16; i++ {
		DATA(4*i, U32(i*panel*4))
	}
	VMOVDQU32(NewDataAddr(NewStaticSymbol("ramp"), 0), index)
	s := GP32()
	Load(Param("first"), s)
	VPBROADCASTD(s, step)
	VPADDD(step, index, index)
	MOVL(U32(16*panel*4), s)
	VPBROADCASTD(s, step)
	VPXORD(zero, zero, zero)
	count := Zero()

	one := func(masked bool) {
		v, cv, ci, k, bits := ZMM(), ZMM(), ZMM(), K(), GP64()
		if masked {
			// The last n elements: mask (1<<n)-1.
			m, mk := GP64(), K()
			MOVL(I32(-1), m.As32())
			BZHIL(n.As32(), m.As32(), m.As32())
			KMOVW(m.As32(), mk)
			VMOVUPS_Z(Mem{Base: x}, mk, v)
		} else {
			VMOVUPS(Mem{Base: x}, v)
		}
		VCMPPS(Imm(4), zero, v, k) // not equal
		KMOVW(k, bits.As32())
		VCOMPRESSPS_Z(v, k, cv)
		VPCOMPRESSD_Z(index, k, ci)
		VMOVUPS(cv, Mem{Base: val, Index: count, Scale: 4})
		VMOVDQU32(ci, Mem{Base: off, Index: count, Scale: 4})
		POPCNTL(bits.As32(), bits.As32())
		ADDQ(bits, count)
	}
	Label("group")
	CMPQ(n, Imm(16))
	JLT(LabelRef("tail"))
	one(false)
	VPADDD(step, index, index)
	ADDQ(U32(64), x)
	SUBQ(Imm(16), n)
	JMP(LabelRef("group"))
	Label("tail")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	one(true)
	Label("done")
	Store(count, ReturnIndex(0))
	Finish()
}
