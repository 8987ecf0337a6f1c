package nn

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "bgtrain/internal/asm/simd"
)

// coarseSigmoid generates a sigmoid that is good enough for values in fixed point: a
// cubic for each of 16 stretches of |x|, which package nn has in sigmoidCubics.
func coarseSigmoid() {
	const powers, stretches = 4, 16
	cubics := NewDataAddr(Symbol{Name: "·sigmoidCubics"}, 0)
	var tables [powers]reg.VecVirtual
	setup := func(reg.VecVirtual) {
		if !T.AVX512 {
			return // they come from memory
		}
		for k := range tables {
			tables[k] = Vector()
			VMOVUPS(cubics.Offset(4*stretches*k), tables[k])
		}
	}
	activation("coarseSigmoid", []string{"sets x[i] to 1 / (1 + e^(-beta·x[i])), 4e-5 off at most, for",
		"16·groups values: by the cubics of sigmoidCubics."}, 2, setup, func(x Lanes) Lanes {
		size := NewLanes().And(x, Word(0x7fffffff))
		size.Min(size, Float(coarseMost))
		// Adding 1.5·2^23 rounds to an integer, which the low bits then hold.
		stretch := NewLanes().Set(Float(0x1.8p23)).Fma(size, Float(1.5))
		var y Lanes
		for k := powers - 1; k >= 0; k-- {
			c := NewLanes()
			for i := range c {
				if T.AVX512 {
					VPERMPS(tables[k], stretch[i], c[i])
					continue
				}
				upper, half := YMM(), YMM()
				VPERMPS(cubics.Offset(4*stretches*k), stretch[i], c[i])
				VPERMPS(cubics.Offset(4*stretches*k+32), stretch[i], upper)
				VPSLLD(U8(28), stretch[i], half)
				VBLENDVPS(half, upper, c[i], c[i])
			}
			if y != nil {
				c.Fma(y, size)
			}
			y = c
		}
		sign := x.And(x, Word(0x80000000))
		for i := range y {
			VXORPS(sign[i], y[i], y[i])
		}
		return y.Add(y, Float(0.5))
	})
}

// coarseLeast is what squares count from; package nn has it too.
const coarseLeast = 3.0 / 32

// coarseMost is where the last stretch ends: the sigmoid is taken to be level there.
const coarseMost = 10.3
