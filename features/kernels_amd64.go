package features

import "bgtrain/internal/cpu"

//go:generate go run -C ../internal/asm . -kernels features -tier avx2 -to ../../features
//go:generate go run -C ../internal/asm . -kernels features -tier avx512 -to ../../features

// tiers has no shots for AVX-512. Those of AVX2 use an eighth of a register for a
// roll; there are 15 rolls of different dice and 6 doubles, so that wider registers
// would be half empty or slower on most processors.
var tiers = cpu.Table[kernels]{cpu.Go: &goKernels, cpu.AVX2: {
	free: func(s shots) tally {
		return unpack(freeAVX2(s.targets, s.blots, s.open, s.hitters, s.single))
	},
	oneOnBar: func(s shots) tally {
		return unpack(oneOnBarAVX2(s.targets, s.blots, s.open, s.hitters, s.single))
	},
}}

// writeRolls writes the inputs of both sides that count rolls. What else there is of a
// side's inputs is not defined then.
func writeRolls(t cpu.Tier, sides *[2]nextRoll, d *[2 * bcSide]float32) {
	free := sides[0].bar|sides[1].bar == 0
	switch {
	case t < cpu.AVX2:
		writeRollsGo(sides, d)
	case t < cpu.AVX512 && free:
		rollsAVX2(&sides[0].from, &d[0])
	case t < cpu.AVX512:
		enterRollsAVX2(&sides[0].from, &d[0])
	case free:
		rollsAVX512(&sides[0].from, &d[0])
	default:
		enterRollsAVX512(&sides[0].from, &d[0])
	}
}

// unpack returns a kernel's result as a tally.
func unpack(t uint32) tally {
	return tally{pips: int(t & 0xffff), one: int(t >> 16 & 0xff), two: int(t >> 24)}
}
