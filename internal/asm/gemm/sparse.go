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
	return 2
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
	c := compressor{x: x, n: n, off: Arg("off"), val: Arg("val"), index: Vector(), zero: Vector()}
	s, step := GP32(), Vector()
	Load(Param("first"), s)
	spread(s, c.index)
	MOVL(U32(T.Width()*panel*4), s)
	spread(s, step)
	Clear(c.zero)
	next := c.avx2
	if T.AVX512 {
		next = c.avx512
	}
	one := next()
	c.count = Zero()
	Label("group")
	CMPQ(n, Imm(uint64(T.Width())))
	JLT(LabelRef("tail"))
	one(false)
	VPADDD(step, c.index, c.index)
	ADDQ(U32(T.Bytes), x)
	SUBQ(Imm(uint64(T.Width())), n)
	JMP(LabelRef("group"))
	Label("tail")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	one(true)
	Label("done")
	Store(c.count, ReturnIndex(0))
	Finish()
}

// spread copies a word to all lanes of a vector.
func spread(word, to reg.Register) {
	if T.AVX512 {
		VPBROADCASTD(word, to)
		return
	}
	low := XMM()
	VMOVD(word, low)
	VPBROADCASTD(low, to)
}

// compressor is what the kernel compress keeps in registers: index holds the offsets of the next
// elements, or of their first.
type compressor struct {
	x, n, off, val, count reg.Register
	index, zero           reg.VecVirtual
}

// avx512 returns what takes the next 16 elements, or as many of them as are left.
func (c *compressor) avx512() func(last bool) {
	ramp := Vector()
	VMOVDQU32(Table("ramp", func() {
		for i := range 16 {
			DATA(4*i, U32(i*panel*4))
		}
	}), ramp)
	VPADDD(ramp, c.index, c.index)
	return func(last bool) {
		v, cv, ci, k, bits := ZMM(), ZMM(), ZMM(), K(), GP64()
		if last {
			// The last n elements: mask (1<<n)-1.
			m, mk := GP64(), K()
			MOVL(I32(-1), m.As32())
			BZHIL(c.n.(reg.GPVirtual).As32(), m.As32(), m.As32())
			KMOVW(m.As32(), mk)
			VMOVUPS_Z(Mem{Base: c.x}, mk, v)
		} else {
			VMOVUPS(Mem{Base: c.x}, v)
		}
		VCMPPS(Imm(4), c.zero, v, k) // not equal
		KMOVW(k, bits.As32())
		VCOMPRESSPS_Z(v, k, cv)
		VPCOMPRESSD_Z(c.index, k, ci)
		VMOVUPS(cv, Mem{Base: c.val, Index: c.count, Scale: 4})
		VMOVDQU32(ci, Mem{Base: c.off, Index: c.count, Scale: 4})
		POPCNTL(bits.As32(), bits.As32())
		ADDQ(bits, c.count)
	}
}

// avx2 returns what takes the next 8 elements, or as many of them as are left.
func (c *compressor) avx2() func(last bool) {
	table := GP64()
	LEAQ(PackTable(), table)
	return func(last bool) {
		v, cv, ci, k, bits := YMM(), YMM(), YMM(), YMM(), GP64()
		if last {
			// The last n elements: from a table of eight words of ones, then zeros.
			ones, m := GP64(), YMM()
			LEAQ(Table("ones", func() {
				for i := range 16 {
					DATA(4*i, I32(-max(0, min(1, 8-i))))
				}
			}).Offset(32), ones)
			NEGQ(c.n)
			VMOVDQU(Mem{Base: ones, Index: c.n, Scale: 4}, m)
			VMASKMOVPS(Mem{Base: c.x}, m, v)
		} else {
			VMOVUPS(Mem{Base: c.x}, v)
		}
		VCMPPS(Imm(4), c.zero, v, k) // not equal
		VMOVMSKPS(k, bits.As32())
		VPMOVZXBD(Mem{Base: table, Index: bits, Scale: 8}, ci) // 4 times their indices
		VPSRLD(Imm(2), ci, cv)
		VPERMPS(v, cv, cv)
		VPSLLD(Imm(5), ci, ci)
		VPADDD(c.index, ci, ci)
		VMOVUPS(cv, Mem{Base: c.val, Index: c.count, Scale: 4})
		VMOVDQU(ci, Mem{Base: c.off, Index: c.count, Scale: 4})
		POPCNTL(bits.As32(), bits.As32())
		ADDQ(bits, c.count)
	}
}
