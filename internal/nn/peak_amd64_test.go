package nn

import (
	"testing"

	"bgtrain/internal/cpu"
)

// BenchmarkFMAPeak measures the most that the processor's multipliers do: the
// roof that BenchmarkEval's GFLOPS compare with, when run together.
func BenchmarkFMAPeak(b *testing.B) {
	const n, chains, flops = 1000, 12, 2
	run := func(tier cpu.Tier, lanes float64, f func(int)) {
		if cpu.Level() < tier {
			return
		}
		b.Run(tier.String(), func(b *testing.B) {
			for b.Loop() {
				f(n)
			}
			b.ReportMetric(n*chains*flops*lanes*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOPS")
		})
	}
	run(cpu.AVX2, 8, fmaPeakAVX2)
	run(cpu.AVX512, 16, fmaPeakAVX512)
}
