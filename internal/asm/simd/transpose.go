package simd

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Transpose stores the columns of 8 rows of 8 values as rows; the steps from row
// to row are in bytes. It takes AVX2 on every tier.
func Transpose(from Mem, fromStep int, to Mem, toStep int) {
	// Values 0-3 of rows i and i+4, then values 4-7.
	var halves [2][4]reg.VecVirtual
	for h := range halves {
		for i := range halves[h] {
			r := YMM()
			VBROADCASTF128(from.Offset(i*fromStep+16*h), r)
			VINSERTF128(U8(1), from.Offset((i+4)*fromStep+16*h), r, r)
			halves[h][i] = r
		}
		a, b, c, d := YMM(), YMM(), YMM(), YMM()
		VUNPCKLPS(halves[h][1], halves[h][0], a) // values 0 and 1 of rows 0 and 1
		VUNPCKHPS(halves[h][1], halves[h][0], b)
		VUNPCKLPS(halves[h][3], halves[h][2], c)
		VUNPCKHPS(halves[h][3], halves[h][2], d)
		for k, pair := range [][2]reg.VecVirtual{{a, c}, {b, d}} {
			low, high := YMM(), YMM()
			VUNPCKLPD(pair[1], pair[0], low)
			VUNPCKHPD(pair[1], pair[0], high)
			VMOVUPS(low, to.Offset((4*h+2*k)*toStep))
			VMOVUPS(high, to.Offset((4*h+2*k+1)*toStep))
		}
	}
}
