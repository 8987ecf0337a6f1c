package nn

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "bgtrain/internal/asm/simd"
)

// index lists the inputs that are not zero in at least one of t vectors.
func index(t int) {
	Kernel(fmt.Sprintf("index%d", t),
		"func(x *float32, stride, groups int, list, rows *uint32, rowSize int) (listed, powers int)",
		fmt.Sprintf("lists which of 16·groups inputs are not zero in one of %d vectors, stride", t),
		"bytes apart: list gets 4·input, rows 4·input·rowSize. It returns their number and",
		"writes up to 16 words past the last. Of the first powers of them, all values are",
		"zero or a power of two.")
	x := vectors("x", "stride", t)
	groups, list, rows := Arg("groups"), Arg("list"), Arg("rows")
	size := Vector()
	broadcastParam("rowSize", size)
	count, powers := GP64(), GP64()
	XORQ(count, count)
	MOVQ(I32(-1), powers)
	l := indexLoop{x, groups, list, rows, count, powers, size}
	if T.AVX512 {
		l.avx512()
	} else {
		l.avx2()
	}
	CMPQ(powers, count)
	CMOVQHI(count, powers)
	Store(count, ReturnIndex(0))
	Store(powers, ReturnIndex(1))
	Finish()
}

// vectors loads the addresses of t vectors, stride bytes apart.
func vectors(base, stride string, t int) []reg.Register {
	x := []reg.Register{Load(Param(base), GP64())}
	s := Load(Param(stride), GP64())
	for range t - 1 {
		p := GP64()
		LEAQ(Mem{Base: x[len(x)-1], Index: s, Scale: 1}, p)
		x = append(x, p)
	}
	return x
}

type indexLoop struct {
	x                                 []reg.Register
	groups, list, rows, count, powers reg.Register
	size                              reg.VecVirtual
}

// broadcastParam brings the low 32 bits of a parameter to all lanes.
func broadcastParam(name string, to reg.VecVirtual) {
	at, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	VPBROADCASTD(at.Addr, to)
}

// fraction masks the bits of a float32 that are zero in powers of two.
const fraction Word = 0x7fffff

// limitPowers ends the first run of powers of two at count, if it has not ended
// yet and the zero flag means that there was a fraction.
func (l *indexLoop) limitPowers() {
	end := GP64()
	MOVQ(I32(-1), end) // leaves the flags alone
	CMOVQNE(l.count, end)
	CMPQ(l.powers, end)
	CMOVQHI(end, l.powers)
}

func (l *indexLoop) avx512() {
	offsets, step := ZMM(), Broadcast(64)
	VMOVDQU32(offsetTable(), offsets)
	off := Zero()
	Label("loop")
	any, k, packed, n := ZMM(), K(), ZMM(), GP64()
	VMOVDQU32(Mem{Base: l.x[0], Index: off, Scale: 1}, any)
	for _, p := range l.x[1:] {
		VPORD(Mem{Base: p, Index: off, Scale: 1}, any, any)
	}
	fractions := K()
	VPTESTMD_BCST(fraction.At(), any, fractions)
	KORTESTW(fractions, fractions)
	l.limitPowers()
	VPTESTMD(any, any, k)
	VPCOMPRESSD_Z(offsets, k, packed)
	VMOVDQU32(packed, Mem{Base: l.list, Index: l.count, Scale: 4})
	VPMULLD(l.size, packed, packed)
	VMOVDQU32(packed, Mem{Base: l.rows, Index: l.count, Scale: 4})
	KMOVW(k, n.As32())
	POPCNTL(n.As32(), n.As32())
	ADDQ(n, l.count)
	VPADDD(step, offsets, offsets)
	ADDQ(Imm(64), off)
	DECQ(l.groups)
	JNE(LabelRef("loop"))
}

func (l *indexLoop) avx2() {
	zero, offsets, step := YMM(), YMM(), Broadcast(32)
	VPXOR(zero, zero, zero)
	VPXOR(offsets, offsets, offsets)
	table := GP64()
	LEAQ(PackTable(), table)
	ADDQ(l.groups, l.groups)
	off := Zero()
	Label("loop")
	any, packed, mask, n := YMM(), YMM(), GP64(), GP64()
	VMOVDQU(Mem{Base: l.x[0], Index: off, Scale: 1}, any)
	for _, p := range l.x[1:] {
		VPOR(Mem{Base: p, Index: off, Scale: 1}, any, any)
	}
	VPTEST(fraction.At(), any)
	l.limitPowers()
	VPCMPEQD(zero, any, any)
	VMOVMSKPS(any, mask.As32())
	XORL(U32(0xff), mask.As32())
	VPMOVZXBD(Mem{Base: table, Index: mask, Scale: 8}, packed)
	VPADDD(offsets, packed, packed)
	VMOVDQU(packed, Mem{Base: l.list, Index: l.count, Scale: 4})
	VPMULLD(l.size, packed, packed)
	VMOVDQU(packed, Mem{Base: l.rows, Index: l.count, Scale: 4})
	POPCNTL(mask.As32(), n.As32())
	ADDQ(n, l.count)
	VPADDD(step, offsets, offsets)
	ADDQ(Imm(32), off)
	DECQ(l.groups)
	JNE(LabelRef("loop"))
}

// offsetTable holds the byte offsets of 16 inputs.
func offsetTable() Mem {
	return Table("offsets", func() {
		for i := range 16 {
			DATA(4*i, U32(4*i))
		}
	})
}
