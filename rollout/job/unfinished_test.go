package job

import (
	"context"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"bgtrain/dataset"
	"bgtrain/internal/bgtest"
	"bgtrain/internal/identity"
)

// An interrupted run keeps every block that was done, although no part is whole: the same
// run then does only the others, and ends with the same database, with nothing else beside
// its parts. One of another run, or damaged, is not gone on from.
func TestUnfinishedParts(t *testing.T) {
	boards := bgtest.Distinct(7, 100)
	for _, damage := range []bool{false, true} {
		dir := t.TempDir()
		in := writeDB(t, filepath.Join(dir, "in.parquet"), boards)
		d := Database{Input: in, Output: filepath.Join(dir, "out"), Chunk: 80}
		var done atomic.Int32
		run := func(ctx context.Context, stopAt int32, stop func()) (*Report, error) {
			j := markJob(identity.ID{"seed": "1"}, 4)
			j.New = func() Work {
				return func(ctx context.Context, rows []dataset.Row) ([]dataset.Row, error) {
					if done.Add(int32(len(rows))) >= stopAt {
						stop()
					}
					return mark(ctx, rows)
				}
			}
			return d.Make(ctx, j, Local{2}, Hooks{})
		}
		ctx, cancel := context.WithCancel(t.Context())
		if _, err := run(ctx, 40, cancel); err == nil {
			t.Fatal("it was not interrupted")
		}
		first := done.Load()
		kept := filepath.Join(d.Output, "unfinished.checkpoint")
		if parts, _ := filepath.Glob(filepath.Join(d.Output, "part-*")); len(parts) != 0 {
			t.Fatalf("%v are there already", parts)
		}
		if damage {
			if err := os.Truncate(kept, 100); err != nil {
				t.Fatal(err)
			}
		}
		done.Store(0)
		report, err := run(t.Context(), 1000, func() {})
		if err != nil || report.Rows != 100 {
			t.Fatalf("%+v, %v", report, err)
		}
		want := int32(100)
		if !damage {
			want = 100 - first
		}
		if n := done.Load(); n < want || n > want+8 { // what two workers had in hand may be lost
			t.Errorf("damage %t: %d positions again, %d expected", damage, n, want)
		}
		checkMarked(t, d.Output, boards)
		if _, err := os.Stat(kept); err == nil {
			t.Error("what was kept is still there")
		}
	}
}
