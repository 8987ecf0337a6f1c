package gemm

import (
	"testing"

	"bgtrain/internal/cpu"
)

// BenchmarkFMAPeak measures the most that the processor's multipliers can do: the
// other figures are to be seen as parts of it.
func BenchmarkFMAPeak(b *testing.B) {
	const rounds, chains, flops = 10000, 12, 2
	for _, c := range []struct {
		tier  cpu.Tier
		lanes int
		loop  func(int)
	}{{cpu.AVX2, 8, fmaPeakAVX2}, {cpu.AVX512, 16, fmaPeakAVX512}} {
		if cpu.Level() < c.tier {
			continue
		}
		b.Run(c.tier.String(), func(b *testing.B) {
			for b.Loop() {
				c.loop(rounds)
			}
			reportFlops(b, rounds*chains*c.lanes*flops)
		})
	}
}
