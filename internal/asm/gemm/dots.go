package gemm

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "bgtrain/internal/asm/simd"
)

// vectors are the registers that multiplyDots names, as bytes are written before avo
// chooses any.
var vectors = []reg.VecPhysical{
	reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7, reg.Z8, reg.Z9, reg.Z10, reg.Z11, reg.Z12, reg.Z13,
	reg.Z14, reg.Z15, reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20, reg.Z21, reg.Z22, reg.Z23, reg.Z24, reg.Z25,
}

// multiplyDots generates r rows of the product of squares by AVX-512 BF16.
func multiplyDots(r int) {
	Kernel(fmt.Sprintf("multiplyDots%d", r),
		"func(steps int, a *uint16, astep uintptr, b *uint16, init, c *float32)",
		fmt.Sprintf("computes %d rows of a panel, C = Init + A·B, over steps squares", r),
		"of A, astep bytes apart, and of B; Init is a row.")
	a, b, astep, steps, left := reg.RSI, reg.RDI, reg.RDX, reg.R8, reg.R9
	init, c := reg.R12, reg.R13
	Load(Param("steps"), steps)
	Load(Param("a"), a)
	Load(Param("astep"), astep)
	Load(Param("b"), b)
	Load(Param("init"), init)
	Load(Param("c"), c)
	bv, x, acc := vectors[:columns], vectors[columns:][:2], vectors[columns+2:]
	for i := range columns * r {
		VMOVUPS(Mem{Base: init, Disp: i % columns * line}, acc[i])
	}
	SUBQ(U32(line), astep) // the pairs of a row are passed one by one
	Label("step")
	MOVQ(U32(line/4/unroll), left)
	Label("pairs")
	for u := range unroll {
		for j := range bv {
			VMOVUPS(Mem{Base: b, Disp: j*tile + u*line}, bv[j])
		}
		for i := range r {
			VBROADCASTSS(Mem{Base: a, Disp: i*line + 4*u}, x[i%2])
			for j := range bv {
				dot(x[i%2], bv[j], acc[columns*i+j])
			}
		}
	}
	ADDQ(U32(4*unroll), a)
	ADDQ(U32(unroll*line), b)
	DECQ(left)
	JNZ(LabelRef("pairs"))
	ADDQ(astep, a)
	ADDQ(U32(tile), b)
	DECQ(steps)
	JNZ(LabelRef("step"))
	for i := range columns * r {
		VMOVUPS(acc[i], Mem{Base: c, Disp: i * line})
	}
	Finish()
}

// dot writes VDPBF16PS, which neither avo nor Go's assembler has: c, of float32, plus the
// products of the odd words of a and b, plus those of the even ones.
func dot(a, b, c reg.VecPhysical) {
	Comment("VDPBF16PS")
	first, second, to := byte(a.PhysicalIndex()), byte(b.PhysicalIndex()), byte(c.PhysicalIndex())
	// EVEX for map 0F38, 512 bits and W 0; the high bits of registers are inverted.
	const map0F38, pF3, wide = 2, 2, 2 << 5
	high := func(r byte, bit int) byte { return ^r >> bit & 1 }
	for _, x := range []byte{
		0x62, high(to, 3)<<7 | high(second, 4)<<6 | high(second, 3)<<5 | high(to, 4)<<4 | map0F38,
		^first&15<<3 | 1<<2 | pF3, wide | high(first, 4)<<3, 0x52, 0xc0 | to&7<<3 | second&7,
	} {
		Instruction(&ir.Instruction{Opcode: "BYTE", Operands: []Op{U8(x)}})
	}
}
