package text

import (
	"context"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"bgtrain/dataset"
)

// peakHeap runs f and returns the largest size of the heap meanwhile.
func peakHeap(f func()) uint64 {
	runtime.GC()
	var peak atomic.Uint64
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			peak.Store(max(peak.Load(), m.HeapInuse))
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	f()
	close(stop)
	<-done
	return peak.Load()
}

// BenchmarkMemory imports, merges and exports a database and reports how large the
// heap grew, and what it should stay under: the keys seen take up to 25 bytes a
// position in an import and 45 in a merge, the garbage collector lets the heap grow
// to twice what is in use, and compression and row groups take a fixed amount; the
// rows themselves would take 100 bytes each.
func BenchmarkMemory(b *testing.B) {
	const n = 600_000
	dir := b.TempDir()
	text, db := filepath.Join(dir, "a.txt"), filepath.Join(dir, "a.parquet")
	writeText(b, text, 1, n)
	ctx := context.Background()
	for _, step := range []struct {
		name  string
		limit float64 // MB
		run   func() error
	}{
		{"import", 2*25*n/1e6 + 134, func() error {
			_, err := Import(ctx, []string{text}, db, ImportOptions{})
			return err
		}},
		{"merge", 2*45*n/1e6 + 168, func() error {
			d, err := dataset.Open(db)
			if err != nil {
				return err
			}
			r, err := dataset.Merge(ctx, []*dataset.DB{d, d}, filepath.Join(dir, "b"), dataset.MergeOptions{})
			if err == nil && r.Rows != n {
				b.Errorf("merge: %+v", r)
			}
			return err
		}},
		{"export", 100, func() error {
			d, err := dataset.Open(db)
			if err == nil {
				_, err = Export(ctx, d, filepath.Join(dir, "b.txt"), ExportOptions{})
			}
			return err
		}},
	} {
		b.Run(step.name, func(b *testing.B) {
			for b.Loop() {
				var err error
				peak := peakHeap(func() { err = step.run() })
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(peak)/1e6, "heap-MB")
				b.ReportMetric(step.limit, "expected-below-MB")
			}
		})
	}
}
