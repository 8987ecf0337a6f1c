package text

import (
	"context"
	"math/rand/v2"
	"os"
	"testing"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
)

func writeFile(t testing.TB, path string, data []byte) string {
	t.Helper()
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

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

func writeDB(t testing.TB, path string, rows []dataset.Row, o dataset.Options) {
	t.Helper()
	w, err := dataset.Create(path, o)
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

func readDB(t testing.TB, path string, f dataset.Filter) []dataset.Row {
	t.Helper()
	db, err := dataset.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []dataset.Row
	for r, err := range db.Rows(context.Background(), f) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

func sameRows(t testing.TB, got, want []dataset.Row) {
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
