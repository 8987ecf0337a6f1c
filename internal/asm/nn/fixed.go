package nn

import (
	"fmt"

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
	Kernel(fmt.Sprintf("fixed%dx%d", t, b), "func(x *uint32, stride int, list, rows *uint32, n int, w *int16, "+
		"ones, scale, bias, sums *float32, sumStride int)",
		fmt.Sprintf("sets, for %d vectors v and %d units u,", t, 16*b),
		"",
		"\tsum = 0; for i in list[:n] { sum += x[v][i]·w[i][u] }",
		"\tsums[v][u] = fma(float(sum)·ones[v], scale[u], bias[u])",
		"",
		"of pairs x[v][i] and w[i][u], whose product is the sum of two. Strides are in bytes;",
		"list holds 4·i, rows the byte offsets of w[i].")
	x := vectors("x", "stride", t)
	list, rows, w := Arg("list"), Arg("rows"), Arg("w")
	acc := accumulators(t, b, func(int, int) Lanes { return NewLanes().Zero() })
	walk("n", list, rows, "pair", "store", func(off, row reg.Register) {
		pairs.add(acc, x, off, Mem{Base: w, Index: row, Scale: 1})
	})
	ones, scale, bias, sums, stride := Arg("ones"), Arg("scale"), Arg("bias"), Arg("sums"), Arg("sumStride")
	for v := range acc {
		one := Vector()
		VBROADCASTSS(Mem{Base: ones, Disp: 4 * v}, one)
		unscale(acc[v], one, Mem{Base: scale}, Mem{Base: bias}, Mem{Base: sums})
		if v < t-1 {
			ADDQ(stride, sums)
		}
	}
	Finish()
}

// quantize turns a vector into integers of 16 bits.
func quantize() {
	Kernel("quantize", "func(x *float32, blocks, stride, groups, most int, out *uint32) (exponent int)",
		"sets out[i] = x[i]·2^exponent, rounded, for 16·groups values in each of some",
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
	Label("roundBlock")
	MOVQ(x, at)
	MOVQ(groups, left)
	Label("round")
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
	ADDQ(Imm(64), at)
	ADDQ(Imm(32), out)
	DECQ(left)
	JNE(LabelRef("round"))
	ADDQ(stride, x)
	DECQ(blocks)
	JNE(LabelRef("roundBlock"))
	Finish()
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
