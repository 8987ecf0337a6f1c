package nn

import (
	"fmt"
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "bgtrain/internal/asm/simd"
)

// addPairs adds to the sums of integers, a unit a lane, the products of a pair of
// inputs, in every lane of in, with their weights, side by side in memory or in a
// register.
func addPairs(weights Op, in, sum reg.VecVirtual) {
	if T.VNNI {
		if m, ok := weights.(Mem); ok && !T.AVX512 { // by asVEX registers only
			weights = YMM()
			VMOVDQU(m, weights)
		}
		VPDPWSSD(weights, in, sum)
		return
	}
	products := Vector()
	VPMADDWD(weights, in, products)
	VPADDD(products, sum, sum)
}

// unscale turns sums of integers into those of the layer, and stores them:
// fma(sum·one, scale, bias).
func unscale(sums []Lanes, one reg.VecVirtual, scale, bias, out Mem) {
	for g := range sums {
		for i, s := range sums[g] {
			y := Vector()
			VCVTDQ2PS(s, y)
			VMULPS(one, y, y)
			sum := Vector()
			VMOVUPS(Part(bias.Offset(64*g), i), sum)
			VFMADD231PS(Part(scale.Offset(64*g), i), y, sum)
			VMOVUPS(sum, Part(out.Offset(64*g), i))
		}
	}
}

// chain computes the sums of 16·b units of a layer in fixed point for vectors
// that each differ from the one before in some pairs of inputs: the sums of
// integers go on from those of that vector.
func chain(b int) {
	Kernel(fmt.Sprintf("chain%d", b), "func(steps *uint32, n int, x, list *uint32, stride, listStride int, "+
		"w *int16, scale, bias, sums *float32, sumStride int)",
		fmt.Sprintf("sets, for n vectors v and %d units u,", 16*b),
		"",
		"\tsum[u] &= steps[v].keep; for i in list[v][:steps[v].listed] { sum[u] += x[v][i]·w[i][u] }",
		"\tsums[v][u] = fma(float(sum[u])·steps[v].one, scale[u], bias[u])",
		"",
		"of pairs x[v][i] and w[i][u], whose product is the sum of two; a step is three",
		"words, listed, keep and one. Strides are in bytes; a list holds 4·i, and from",
		"w[i] to w[i+1] it is 128 units.")
	steps, left, x, list, w, scale := Arg("steps"), Arg("n"), Arg("x"), Arg("list"), Arg("w"), Arg("scale")
	bias, out := Arg("bias"), Arg("sums")
	acc := make([]Lanes, b)
	for g := range acc {
		acc[g] = NewLanes().Zero()
	}
	Label("vector")
	keep := Vector()
	VPBROADCASTD(Mem{Base: steps, Disp: 4}, keep)
	for g := range acc {
		for _, s := range acc[g] {
			and(keep, s)
		}
	}
	n, listEnd := GP64(), GP64()
	MOVLQZX(Mem{Base: steps}, n)
	LEAQ(Mem{Base: list, Index: n, Scale: 4}, listEnd)
	NEGQ(n)
	JEQ(LabelRef("store"))
	Label("pair")
	off, row, in := GP64(), GP64(), Vector()
	MOVL(Mem{Base: listEnd, Index: n, Scale: 4}, off.As32())
	MOVQ(off, row)
	SHLQ(U8(7), row) // 4·128 bytes are from row to row
	VPBROADCASTD(Mem{Base: x, Index: off, Scale: 1}, in)
	for g := range acc {
		for i, s := range acc[g] {
			addPairs(Part(Mem{Base: w, Index: row, Scale: 1, Disp: 64 * g}, i), in, s)
		}
	}
	INCQ(n)
	JNE(LabelRef("pair"))
	Label("store")
	one := Vector()
	VBROADCASTSS(Mem{Base: steps, Disp: 8}, one)
	unscale(acc, one, Mem{Base: scale}, Mem{Base: bias}, Mem{Base: out})
	step := GP64()
	for _, p := range []struct {
		at   reg.Register
		name string
	}{{x, "stride"}, {list, "listStride"}, {out, "sumStride"}} {
		Load(Param(p.name), step)
		ADDQ(step, p.at)
	}
	ADDQ(Imm(12), steps)
	DECQ(left)
	JNE(LabelRef("vector"))
	Finish()
}

func and(mask, v reg.VecVirtual) {
	if T.AVX512 {
		VPANDD(mask, v, v)
	} else {
		VPAND(mask, v, v)
	}
}

// fixedTile computes the sums of 16·b units of a layer in fixed point for t
// vectors, as tile does.
func fixedTile(t, b int) {
	Kernel(fmt.Sprintf("fixed%dx%d", t, b), "func(x *uint32, stride int, rows *uint32, n int, w *int16, "+
		"ones, scale, bias, sums *float32, sumStride int)",
		fmt.Sprintf("sets, for %d vectors v and %d units u,", t, 16*b),
		"",
		"\tsum = 0; for i in 0 … n-1 { sum += x[v][i]·(w[rows[2·i]][u], w[rows[2·i+1]][u]) }",
		"\tsums[v][u] = fma(float(sum)·ones[v], scale[u], bias[u])",
		"",
		"of pairs x[v][i], whose product is the sum of two. Strides and rows are in bytes; in a",
		"row of weights the four from 4 on and those from 8 on of each 16 have changed places.")
	x := vectors("x", "stride", t)
	rows, w, n := Arg("rows"), Arg("w"), Arg("n")
	acc := accumulators(t, b, func(int, int) Lanes { return NewLanes().Zero() })
	for _, p := range x {
		LEAQ(Mem{Base: p, Index: n, Scale: 4}, p)
	}
	LEAQ(Mem{Base: rows, Index: n, Scale: 8}, rows)
	SHLQ(U8(2), n)
	NEGQ(n)
	JEQ(LabelRef("store"))
	Label("pair")
	one, other := GP64(), GP64()
	MOVL(Mem{Base: rows, Index: n, Scale: 2}, one.As32())
	MOVL(Mem{Base: rows, Index: n, Scale: 2, Disp: 4}, other.As32())
	for _, together := range weightsTogether(b) {
		first := together[0]
		weights := sideBySide(Mem{Base: w, Index: one, Scale: 1}.Offset(32*first),
			Mem{Base: w, Index: other, Scale: 1}.Offset(32*first), len(together))
		for v := range acc {
			in := Vector()
			VPBROADCASTD(Mem{Base: x[v], Index: n, Scale: 1}, in)
			for k, g := range together {
				for i, sum := range acc[v][g] {
					addPairs(weights[k][i], in, sum)
				}
			}
		}
	}
	ADDQ(Imm(4), n)
	JNE(LabelRef("pair"))
	Label("store")
	ones, scale, bias, sums, stride := Arg("ones"), Arg("scale"), Arg("bias"), Arg("sums"), Arg("sumStride")
	for v := range acc {
		inOrder(acc[v])
		one := Vector()
		VBROADCASTSS(Mem{Base: ones, Disp: 4 * v}, one)
		unscale(acc[v], one, Mem{Base: scale}, Mem{Base: bias}, Mem{Base: sums})
		if v < t-1 {
			ADDQ(stride, sums)
		}
	}
	Finish()
}

// weightsTogether returns the groups of units whose weights are in registers at a time:
// with AVX2 there is room for those of one.
func weightsTogether(b int) (together [][]int) {
	for g := range b {
		if g == 0 || !T.AVX512 {
			together = append(together, nil)
		}
		last := len(together) - 1
		together[last] = append(together[last], g)
	}
	return together
}

// sideBySide loads the weights of some groups of units from two rows into pairs. A register
// of AVX-512 has the first halves of two groups, the next their second halves, see inOrder.
func sideBySide(one, other Mem, groups int) []Lanes {
	weights := make([]Lanes, groups)
	for g := range weights {
		weights[g] = NewLanes()
	}
	switch {
	case !T.AVX512:
		for g, w := range weights {
			VMOVDQU(one.Offset(32*g), w[1])
			VPUNPCKLWD(other.Offset(32*g), w[1], w[0])
			VPUNPCKHWD(other.Offset(32*g), w[1], w[1])
		}
	case groups == 1:
		low, high := weights[0][0].AsY(), YMM()
		VMOVDQU32(one, high)
		VPUNPCKLWD(other, high, low)
		VPUNPCKHWD(other, high, high)
		VINSERTI64X4(U8(1), high, weights[0][0], weights[0][0])
	default:
		for g := 0; g < groups; g += 2 {
			low, high, second := weights[g][0], weights[g+1][0], ZMM()
			VMOVDQU32(one.Offset(32*g), high)
			VMOVDQU32(other.Offset(32*g), second)
			VPUNPCKLWD(second, high, low)
			VPUNPCKHWD(second, high, high)
		}
	}
	return weights
}

// inOrder brings sums by weights of sideBySide in the order of the units.
func inOrder(sums []Lanes) {
	for g := 0; T.AVX512 && g+1 < len(sums); g += 2 {
		first, second, t := sums[g][0], sums[g+1][0], ZMM()
		VSHUFI64X2(U8(0x44), second, first, t)
		VSHUFI64X2(U8(0xee), second, first, second)
		VMOVDQA32(t, first)
	}
}

// active lists the inputs of a layer in fixed point that are not zero in at least one of
// t vectors.
func active(t int) {
	Kernel(fmt.Sprintf("active%d", t),
		"func(x *float32, stride, groups, first, rowSize int, rows *uint32, masks *uint8) int",
		fmt.Sprintf("lists which of 16·groups inputs are not zero in one of %d vectors, stride bytes", t),
		"apart: rows gets first + 4·input·rowSize, masks their bits. It returns their number",
		"and writes up to 16 words past the last.")
	x := vectors("x", "stride", t)
	groups, rows, masks := Arg("groups"), Arg("rows"), Arg("masks")
	offsets, step, first := Vector(), Vector(), Vector()
	broadcastParam("rowSize", step)
	VPMULLD(offsetTable(), step, offsets)
	VPSLLD(U8(bits.TrailingZeros(uint(T.Bytes))), step, step)
	broadcastParam("first", first)
	VPADDD(first, offsets, offsets)
	count, at := Zero(), Zero()
	var zero reg.VecVirtual
	var table reg.Register
	if !T.AVX512 {
		zero, table = YMM(), GP64()
		VPXOR(zero, zero, zero)
		LEAQ(PackTable(), table)
		ADDQ(groups, groups)
	}
	Label("loop")
	any, packed, n := Vector(), Vector(), GP64()
	VMOVUPS(Mem{Base: x[0], Index: at, Scale: 1}, any)
	for _, p := range x[1:] {
		or(Mem{Base: p, Index: at, Scale: 1}, any)
	}
	if T.AVX512 {
		k := K()
		VPTESTMD(any, any, k)
		VPCOMPRESSD_Z(offsets, k, packed)
		VMOVDQU32(packed, Mem{Base: rows, Index: count, Scale: 4})
		KMOVW(k, n.As32())
		MOVW(n.As16(), Mem{Base: masks})
	} else {
		VPCMPEQD(zero, any, any)
		VMOVMSKPS(any, n.As32())
		XORL(U32(0xff), n.As32())
		MOVB(n.As8(), Mem{Base: masks})
		pack(table, n, offsets, packed)
		VMOVDQU(packed, Mem{Base: rows, Index: count, Scale: 4})
	}
	POPCNTL(n.As32(), n.As32())
	ADDQ(n, count)
	VPADDD(step, offsets, offsets)
	ADDQ(Imm(uint64(T.Width()/8)), masks)
	ADDQ(Imm(uint64(T.Bytes)), at)
	DECQ(groups)
	JNE(LabelRef("loop"))
	Store(count, ReturnIndex(0))
	Finish()
}

func or(v Op, to reg.VecVirtual) {
	if T.AVX512 {
		VPORD(v, to, to)
	} else {
		VPOR(v, to, to)
	}
}

// pack moves the words of a mask to the front.
func pack(table, mask reg.Register, from, to reg.VecVirtual) {
	VPMOVZXBD(Mem{Base: table, Index: mask, Scale: 8}, to)
	VPSRLD(U8(2), to, to)
	VPERMD(from, to, to)
}

// quantize turns a vector into integers of 16 bits: all of it, or what is active.
func quantize(all bool) {
	name, param, which := "quantize", "", "16·groups values in each"
	if !all {
		name, param, which = "quantizeActive", ", masks *uint8", "those of 16·groups values that masks have, in each"
	}
	Kernel(name, "func(x *float32, blocks, stride, groups, most int"+param+", out *uint32) (exponent int)",
		"sets out[i] = x[i]·2^exponent, rounded, for "+which+" of some",
		"blocks, stride bytes apart, two a word, and returns exponent: (156 - e)/2, rounded",
		"down, but not above most, where e is the exponent in the bits of the sum of the",
		"squares of x: 64 partial sums, the first 16 of which take the groups beyond a",
		"multiple of four in a block too, added up.")
	const partial = 4
	x, groups, blocks, stride := Arg("x"), Arg("groups"), Arg("blocks"), Arg("stride")
	at, left, from, more := GP64(), GP64(), GP64(), GP64()
	MOVQ(x, from)
	MOVQ(blocks, more)
	sums := make([]Lanes, partial)
	for i := range sums {
		sums[i] = NewLanes().Zero()
	}
	add := func(k int) {
		v := NewLanes().Load(Mem{Base: at, Disp: 64 * k})
		sums[k].Fma(v, v)
	}
	Label("block")
	MOVQ(from, at)
	MOVQ(groups, left)
	Label("four")
	CMPQ(left, Imm(partial))
	JLT(LabelRef("rest"))
	for k := range sums {
		add(k)
	}
	ADDQ(U32(64*partial), at)
	SUBQ(Imm(partial), left)
	JMP(LabelRef("four"))
	Label("rest")
	TESTQ(left, left)
	JEQ(LabelRef("added"))
	add(0)
	ADDQ(Imm(64), at)
	DECQ(left)
	JMP(LabelRef("rest"))
	Label("added")
	ADDQ(stride, from)
	DECQ(more)
	JNE(LabelRef("block"))
	sums[0].Add(sums[0], sums[1])
	sums[2].Add(sums[2], sums[3])
	sums[0].Add(sums[0], sums[2])
	square := sum1(sums[0])
	bits, exponent, most := GP32(), GP64(), Arg("most")
	VMOVD(square, bits)
	SHRL(Imm(23), bits)
	MOVQ(U32(156), exponent)
	SUBQ(bits.As64(), exponent)
	SARQ(Imm(1), exponent)
	CMPQ(most, exponent)
	CMOVQLT(most, exponent)
	Store(exponent, ReturnIndex(0))
	ADDQ(Imm(127), exponent)
	SHLQ(Imm(23), exponent)
	low, scale := XMM(), Vector()
	VMOVD(exponent.As32(), low)
	VBROADCASTSS(low, scale)
	out := Arg("out")
	round := roundAll
	var masks, table reg.Register
	if !all {
		round, masks = roundActive, Arg("masks")
		if !T.AVX512 {
			table = GP64()
			LEAQ(PackTable(), table)
		}
	}
	Label("roundBlock")
	MOVQ(x, at)
	MOVQ(groups, left)
	Label("round")
	round(at, out, scale, masks, table)
	ADDQ(Imm(64), at)
	DECQ(left)
	JNE(LabelRef("round"))
	ADDQ(stride, x)
	DECQ(blocks)
	JNE(LabelRef("roundBlock"))
	if !all {
		MOVW(U16(0), Mem{Base: out}) // of a pair's second, where their number is odd
	}
	Finish()
}

// roundAll turns the 16 values at a place into integers of 16 bits.
func roundAll(at, out reg.Register, scale reg.VecVirtual, _, _ reg.Register) {
	v := NewLanes()
	for i := range v {
		VMULPS(Part(Mem{Base: at}, i), scale, v[i])
		VCVTPS2DQ(v[i], v[i])
	}
	if T.AVX512 {
		VPMOVSDW(v[0], Mem{Base: out})
	} else {
		VPACKSSDW(v[1], v[0], v[0])
		VPERMQ(U8(0xd8), v[0], v[0]) // it packs each half by itself
		VMOVDQU(v[0], Mem{Base: out})
	}
	ADDQ(Imm(32), out)
}

// roundActive does so with those of the next 16 bits of masks.
func roundActive(at, out reg.Register, scale reg.VecVirtual, masks, table reg.Register) {
	for i, v := range NewLanes() {
		VMULPS(Part(Mem{Base: at}, i), scale, v)
		VCVTPS2DQ(v, v)
		mask := GP64()
		if T.AVX512 {
			k := K()
			MOVWLZX(Mem{Base: masks}, mask.As32())
			KMOVW(mask.As32(), k)
			VPCOMPRESSD_Z(v, k, v)
			VPMOVSDW(v, Mem{Base: out})
		} else {
			packed := YMM()
			MOVBLZX(Mem{Base: masks, Disp: i}, mask.As32())
			pack(table, mask, v, packed)
			VPACKSSDW(packed, packed, packed)
			VPERMQ(U8(8), packed, packed) // it packs each half by itself
			VMOVDQU(packed.AsX(), Mem{Base: out})
		}
		POPCNTL(mask.As32(), mask.As32())
		LEAQ(Mem{Base: out, Index: mask, Scale: 2}, out)
	}
	ADDQ(Imm(2), masks)
}

// differ subtracts vectors of integers of 16 bits. It takes AVX2 on every tier.
func differ() {
	Kernel("differ", "func(x, y *uint32, groups int, out *uint32) (overflow bool)",
		"sets out = x - y, each of 16·groups integers of 16 bits, two a word, and says",
		"whether a difference is beyond 16 bits.")
	x, y, groups, out := Arg("x"), Arg("y"), Arg("groups"), Arg("out")
	beyond := YMM()
	VPXOR(beyond, beyond, beyond)
	Label("loop")
	a, b, plain, saturated := YMM(), YMM(), YMM(), YMM()
	VMOVDQU(Mem{Base: x}, a)
	VMOVDQU(Mem{Base: y}, b)
	VPSUBW(b, a, plain)
	VPSUBSW(b, a, saturated)
	VMOVDQU(plain, Mem{Base: out})
	VPXOR(plain, saturated, saturated)
	VPOR(saturated, beyond, beyond)
	for _, p := range []reg.Register{x, y, out} {
		ADDQ(Imm(32), p)
	}
	DECQ(groups)
	JNE(LabelRef("loop"))
	VPTEST(beyond, beyond)
	overflow := GP8()
	SETNE(overflow)
	Store(overflow, ReturnIndex(0))
	Finish()
}
