package fit

import (
	"fmt"
	"testing"

	"bgtrain/features"
	"bgtrain/internal/backprop"
	"bgtrain/internal/nn"
)

// BenchmarkDeepRun trains a deep net on 200,000 positions for an epoch, in batches of
// 512, by one worker, with either precision: run it with -benchtime 1x.
func BenchmarkDeepRun(b *testing.B) {
	const positions = 200_000
	d := contactData(b, positions)
	set := features.GNUbgContact
	start := randomNet(1, set.Size, 1024, 256, 64)
	for i := range start.Layers[:3] {
		start.Layers[i].Activation = nn.ReLU
	}
	for _, precision := range []backprop.Precision{backprop.Float32, backprop.BFloat16} {
		b.Run(fmt.Sprint(precision), func(b *testing.B) {
			if precision == backprop.BFloat16 && !backprop.HasBFloat16() {
				b.Skip(backprop.ErrNoBFloat16)
			}
			s := Defaults()
			s.Validation, s.Monitor, s.Epochs, s.Workers, s.Batch = 0, "last", 1, 1, 512
			s.Precision = precision.String()
			cpu := cpuSeconds()
			for b.Loop() {
				if _, _, err := Run(b.Context(), start, set, d, s, Hooks{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(positions*float64(b.N)/(cpuSeconds()-cpu), "rows/cpu-s")
		})
	}
}
