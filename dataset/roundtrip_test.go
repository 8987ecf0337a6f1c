package dataset

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"bgtrain/internal/bg"
)

// randomBoard returns a position that is not over: checkers of both sides on
// points that no one else holds, some of them off.
func randomBoard(rng *rand.Rand) bg.Board {
	for {
		var b bg.Board
		for _, s := range []struct{ own, other *bg.Side }{{&b.Me, &b.Opp}, {&b.Opp, &b.Me}} {
			span := 1 + rng.IntN(25)
			for range 1 + rng.IntN(bg.Checkers) {
				i := rng.IntN(span)
				if i == bg.Bar || s.other[bg.Bar-1-i] == 0 {
					s.own[i]++
				}
			}
		}
		if bg.Classify(&b) != bg.Over {
			return b
		}
	}
}

// randomRow returns a row in one of the states that rows have: not rolled out,
// evaluated, rolled out.
func randomRow(rng *rand.Rand) Row {
	b := randomBoard(rng)
	r := Row{Key: b.Key(), Class: ClassOf(&b), Source: []string{"", "selfplay", "contact-train-data.gz"}[rng.IntN(3)]}
	if rng.IntN(3) == 0 {
		return r
	}
	win := rng.Float32()
	r.Outputs, r.HasOutputs = bg.Outputs{win, win * rng.Float32() / 2, 0, (1 - win) * rng.Float32(), 0}, true
	r.Method = "eval ply=2"
	if rng.IntN(2) == 0 {
		r.EquitySE, r.HasSE = rng.Float32()/10, true
		r.Trials, r.HasTrials = int32(36*(1+rng.IntN(36))), true
		r.Method = fmt.Sprintf("rollout trials=%d truncate=7 ply=0 vr", r.Trials)
	}
	return r
}

func randomRows(seed uint64, n int) []Row {
	rng := rand.New(rand.NewPCG(seed, 1))
	rows := make([]Row, n)
	for i := range rows {
		rows[i] = randomRow(rng)
	}
	return rows
}

func writeDB(t testing.TB, path string, rows []Row, o Options) {
	t.Helper()
	w, err := Create(path, o)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for i := range rows {
		if err := w.Write(&rows[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func readDB(t testing.TB, path string, f Filter) []Row {
	t.Helper()
	db, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []Row
	for r, err := range db.Rows(context.Background(), f) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

func sameRows(t testing.TB, got, want []Row) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d rows, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("row %d:\n%+v, want\n%+v", i, got[i], want[i])
		}
	}
}

func TestRoundTrip(t *testing.T) {
	sizes := []int{0, 1, 2, 1000, RowGroupRows - 1, RowGroupRows, RowGroupRows + 1, 2*RowGroupRows + 7}
	if testing.Short() {
		sizes = []int{0, 1, 1000} // TestDamageNamesPartAndRowGroup has more
	}
	for _, n := range sizes {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "db.parquet")
			rows := randomRows(uint64(n), n)
			writeDB(t, path, rows, Options{})
			sameRows(t, readDB(t, path, Filter{}), rows)
		})
	}
}

func BenchmarkRead(b *testing.B) {
	path := filepath.Join(b.TempDir(), "db.parquet")
	const n = 8 * RowGroupRows
	writeDB(b, path, randomRows(1, n), Options{})
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	for name, cols := range map[string]Columns{"all": AllColumns, "train": ColClass | ColOutputs | ColEquitySE} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				db, err := Open(path)
				if err != nil {
					b.Fatal(err)
				}
				for _, err := range db.Batches(context.Background(), Filter{Columns: cols}) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
			b.ReportMetric(float64(info.Size())/n, "bytes/row")
		})
	}
}

func BenchmarkWrite(b *testing.B) {
	path := filepath.Join(b.TempDir(), "db.parquet")
	const n = 2 * RowGroupRows
	rows := randomRows(1, n)
	for b.Loop() {
		writeDB(b, path, rows, Options{})
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}
