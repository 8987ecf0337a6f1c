package nn

import (
	"fmt"
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "bgtrain/internal/asm/simd"
)

// nearBlock is the number of vectors of a block.
const nearBlock = 16

// nearSums computes the sums of a hidden layer of 8·g units from those of a base.
func nearSums(g int) {
	Kernel(fmt.Sprintf("nearSums%d", 8*g),
		"func(vectors *byte, n, places int, base *byte, old *uint32, rows, baseSums, scratch, out *float32)",
		fmt.Sprintf("sets out[u][v], for %d units u and n vectors v, at most 8, of 32 to 64", 8*g),
		"places, to baseSums[u] plus what the bytes i that differ from base add: the row of i",
		"and the byte, less the row old[i] bytes into rows. scratch holds 8 vectors of sums; out",
		"gets 8 values every 64 bytes, those past n from what scratch held before.")
	vectors, n, base, old, rows := Arg("vectors"), Arg("n"), Arg("base"), Arg("old"), Arg("rows")
	scratch := Arg("scratch")
	to := GP64()
	MOVQ(scratch, to)
	// The last 32 of the bytes overlap the first: bits set twice are the same.
	second := Arg("places")
	SUBQ(Imm(32), second)
	first32, last32 := YMM(), YMM()
	VMOVDQU(Mem{Base: base}, first32)
	VMOVDQU(Mem{Base: base, Index: second, Scale: 1}, last32)
	baseSums := Arg("baseSums")
	start := make([]reg.VecVirtual, g)
	for i := range start {
		start[i] = YMM()
		VMOVUPS(Mem{Base: baseSums, Disp: 32 * i}, start[i])
	}
	Label("vector")
	more, less := make([]reg.VecVirtual, g), make([]reg.VecVirtual, g)
	for i := range more {
		more[i], less[i] = YMM(), YMM()
		VMOVAPS(start[i], more[i])
		VXORPS(less[i], less[i], less[i])
	}
	same, high, differ := YMM(), GP64(), GP64()
	VPCMPEQB(Mem{Base: vectors}, first32, same)
	VPMOVMSKB(same, differ.As32())
	VPCMPEQB(Mem{Base: vectors, Index: second, Scale: 1}, last32, same)
	VPMOVMSKB(same, high.As32())
	NOTL(differ.As32())
	NOTL(high.As32())
	SHLXQ(second, high, high)
	ORQ(high, differ)
	JEQ(LabelRef("store"))
	Label("count")
	i, row, count := GP64(), GP64(), GP64()
	TZCNTQ(differ, i)
	MOVBLZX(Mem{Base: vectors, Index: i, Scale: 1}, count.As32())
	ANDL(U8(15), count.As32())
	SHLL(U8(4+bits.TrailingZeros(uint(2*g))), count.As32())
	MOVL(Mem{Base: old, Index: i, Scale: 4}, row.As32())
	for k := range less {
		VADDPS(Mem{Base: rows, Index: row, Scale: 1, Disp: 32 * k}, less[k], less[k])
	}
	SHLL(U8(4+4+bits.TrailingZeros(uint(2*g))), i.As32())
	ADDL(i.As32(), count.As32())
	for k := range more {
		VADDPS(Mem{Base: rows, Index: count, Scale: 1, Disp: 32 * k}, more[k], more[k])
	}
	BLSRQ(differ, differ)
	JNE(LabelRef("count"))
	Label("store")
	for k := range more {
		VSUBPS(less[k], more[k], more[k])
		VMOVUPS(more[k], Mem{Base: to, Disp: 32 * k})
	}
	LEAQ(Mem{Base: vectors, Index: second, Scale: 1, Disp: 32}, vectors)
	ADDQ(U8(32*g), to)
	DECQ(n)
	JNE(LabelRef("vector"))
	out := Arg("out")
	for k := range g {
		Transpose(Mem{Base: scratch, Disp: 32 * k}, 32*g, Mem{Base: out, Disp: 64 * 8 * k}, 64)
	}
	Finish()
}

// nearOutputs computes the sums of five outputs from hidden units as nearSums
// orders them.
func nearOutputs() {
	const outputs = 5
	Kernel("nearOutputs", "func(hidden *float32, units, blocks int, w, bias, out *float32)",
		"sets out[b][o][v] = bias[o], to which it adds, fused, for each unit u",
		"hidden[b][u][v]·w[u][o], for blocks b of 16 vectors v and 5 outputs o.")
	hidden, units, blocks, w, bias := Arg("hidden"), Arg("units"), Arg("blocks"), Arg("w"), Arg("bias")
	out := Arg("out")
	Label("block")
	var sums [outputs][2]reg.VecVirtual
	for o := range sums {
		for k := range sums[o] {
			sums[o][k] = YMM()
			VBROADCASTSS(Mem{Base: bias, Disp: 4 * o}, sums[o][k])
		}
	}
	left, at := GP64(), GP64()
	MOVQ(units, left)
	MOVQ(w, at)
	Label("unit")
	x0, x1 := YMM(), YMM()
	VMOVUPS(Mem{Base: hidden}, x0)
	VMOVUPS(Mem{Base: hidden, Disp: 32}, x1)
	for o := range sums {
		weight := YMM()
		VBROADCASTSS(Mem{Base: at, Disp: 4 * o}, weight)
		VFMADD231PS(weight, x0, sums[o][0])
		VFMADD231PS(weight, x1, sums[o][1])
	}
	ADDQ(U8(4*nearBlock), hidden)
	ADDQ(U8(4*outputs), at)
	DECQ(left)
	JNE(LabelRef("unit"))
	for o := range sums {
		for k := range sums[o] {
			VMOVUPS(sums[o][k], Mem{Base: out, Disp: 64*o + 32*k})
		}
	}
	ADDQ(U32(64*outputs), out)
	DECQ(blocks)
	JNE(LabelRef("block"))
	Finish()
}
