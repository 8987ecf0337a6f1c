package matchfile

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
)

func TestImport(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "m.parquet")
	files := []string{"testdata/gnubg.mat", "testdata/gnubg.sgf"}
	decisions := 0
	report, err := Import(context.Background(), files, out, ImportOptions{Decision: func(source string,
		a *Action) error {
		if decisions++; decisions == 1 && source != "gnubg.mat game 1 move 1" {
			t.Errorf("source of the first decision %q", source)
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	m := readBytes(t, "gnubg.mat", fixture(t, "gnubg.mat"))
	want := map[bg.Key]bool{}
	for i := range m.Games {
		m.Games[i].Decisions(func(a *Action) error { want[a.Board.Key()] = true; return nil })
	}
	if report.Matches != 2 || report.Rows != int64(len(want)) || report.Decisions != int64(decisions) ||
		report.Problems != 0 {
		t.Errorf("%+v, %d rows and %d decisions expected", report, len(want), decisions)
	}
	db, err := dataset.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	for rows, err := range db.Batches(context.Background(), dataset.Filter{Columns: dataset.AllColumns,
		Partial: true}) {
		if err != nil {
			t.Fatal(err)
		}
		for i := range rows.Len() {
			row := rows.Row(i)
			if !want[row.Key] || row.HasOutputs || !strings.HasPrefix(row.Source, "gnubg.mat game ") {
				t.Fatalf("row %+v", row)
			}
			delete(want, row.Key)
		}
	}
	if len(want) > 0 {
		t.Errorf("%d positions are missing", len(want))
	}
}

// TestImportRefuses leaves nothing behind after a play that is not legal, and
// with SkipBad what was before it.
func TestImportRefuses(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "bad.mat"), filepath.Join(dir, "m.parquet")
	text := matText("  1) 31: 8/5 6/5                 52: 13/11 13/9\n")
	if err := os.WriteFile(in, text, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Import(context.Background(), []string{in}, out, ImportOptions{})
	if !errors.Is(err, bg.ErrIllegalPlay) || !strings.Contains(err.Error(),
		"bad.mat:5 (byte 72): game 1 move 1 (Bob the 2nd)") {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(out); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s was written: %v", out, err)
	}
	report, err := Import(context.Background(), []string{in}, out, ImportOptions{SkipBad: true})
	if err != nil || report.Problems != 1 || report.Rows != 1 || report.First == nil {
		t.Errorf("%+v, %v", report, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Import(ctx, []string{"testdata/gnubg.mat"}, out, ImportOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// BenchmarkRead reports matches a second on one core, as text, as .xg, and into a
// database.
func BenchmarkRead(b *testing.B) {
	mat := fixture(b, "gnubg.mat")
	ms, err := readSlice("gnubg.mat", mat)
	if err != nil {
		b.Fatal(err)
	}
	for name, data := range map[string][]byte{"mat": mat, "sgf": fixture(b, "gnubg.sgf"), "xg": xgFile(ms[0], 32)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				if _, err := readSlice(name, data); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "matches/s")
		})
	}
	b.Run("import", func(b *testing.B) {
		files := make([]string, b.N)
		for i := range files {
			files[i] = "testdata/gnubg.mat"
		}
		b.ReportAllocs()
		b.ResetTimer()
		if _, err := Import(context.Background(), files, filepath.Join(b.TempDir(), "m.parquet"),
			ImportOptions{}); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "matches/s")
	})
}
