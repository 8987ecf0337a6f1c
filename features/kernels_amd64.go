package features

import "bgtrain/internal/cpu"

//go:generate go run -C ../internal/asm . -kernels features -tier avx2 -to ../../features

// vector says whether to use the AVX2 kernels. They use an eighth of a register
// for a roll; there are 15 rolls of different dice and 6 doubles, so that wider
// registers would be half empty or slower on most processors.
var vector = cpu.Level() >= cpu.AVX2

// tallyFree tallies shots with nobody on the bar.
func (s *shots) tallyFree() tally {
	if !vector {
		return s.tallyFreeGo()
	}
	return unpack(freeAVX2(s.targets, s.blots, s.open, s.hitters, s.single))
}

// tallyOneOnBar tallies shots with one checker on the bar.
func (s *shots) tallyOneOnBar() tally {
	if !vector {
		return s.tallyOneOnBarGo()
	}
	return unpack(oneOnBarAVX2(s.targets, s.blots, s.open, s.hitters, s.single))
}

// unpack returns a kernel's result as a tally.
func unpack(t uint32) tally {
	return tally{pips: int(t & 0xffff), one: int(t >> 16 & 0xff), two: int(t >> 24)}
}
