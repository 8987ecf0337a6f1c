package gemm

import "bgtrain/internal/cpu"

// Peak has the processor multiply and add as fast as it can, for some tens of microseconds,
// and returns the number of operations: what benchmarks compare with. It returns 0
// where there is no such loop.
func Peak() (flops float64) {
	const rounds, chains = 20000, 12
	switch level := cpu.Level(); {
	case level >= cpu.AVX512:
		fmaPeakAVX512(rounds)
		return rounds * chains * 2 * 16
	case level >= cpu.AVX2:
		fmaPeakAVX2(rounds)
		return rounds * chains * 2 * 8
	}
	return 0
}
