package main

import (
	"strings"
	"testing"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
)

// generate, export and rollout --follow keep the positions of some themes.
func TestThemesOfPositions(t *testing.T) {
	t.Chdir(t.TempDir())
	themes := func(path string) (rows int, counts [bg.NumThemes]int) {
		t.Helper()
		db, err := dataset.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := db.Meta().Extra; !strings.Contains(got["selfplay"]+got["plans"], "themes=containment") {
			t.Errorf("%s does not say its themes: %v", path, got)
		}
		for row, err := range db.Rows(t.Context(), dataset.Filter{}) {
			if err != nil {
				t.Fatal(err)
			}
			b, err := row.Key.Board()
			if err != nil {
				t.Fatal(err)
			}
			theme, _ := bg.ThemeOf(&b)
			counts[theme]++
			rows++
		}
		return rows, counts
	}
	run := func(want int, args ...string) string {
		t.Helper()
		status, out, log := runCommand(t, args...)
		if status != want {
			t.Fatalf("%v: status %d\n%s", args, status, log)
		}
		return out + log
	}
	run(exitDone, "generate", "-n", "60", "--net", "td", "--two-sided", "2", "--share", "contact=1", "--themes",
		"containment", "-o", "some.parquet")
	if rows, counts := themes("some.parquet"); rows != 60 || counts[bg.Containments] != 60 {
		t.Errorf("generated: %v", counts)
	}
	run(exitDone, "rollout", "some.parquet", "--net", "td", "--two-sided", "2", "--follow", "--themes",
		"containment,other", "-o", "followed.parquet")
	if rows, counts := themes("followed.parquet"); rows <= 60 || counts[bg.Containments]+counts[bg.OtherThemes] != rows ||
		counts[bg.OtherThemes] == 0 {
		t.Errorf("followed: %v", counts)
	}
	run(exitDone, "export", "followed.parquet", "--themes", "other", "-o", "other.gz")
	run(exitDone, "import", "other.gz", "-o", "back.parquet")
	db, err := dataset.Open("back.parquet")
	if err != nil {
		t.Fatal(err)
	}
	if _, counts := themes("followed.parquet"); db.NumRows() != int64(counts[bg.OtherThemes]) {
		t.Errorf("%d rows exported, want %d", db.NumRows(), counts[bg.OtherThemes])
	}
	for _, args := range [][]string{
		{"generate", "-n", "5", "-o", "x.parquet", "--themes", "containing"},
		{"rollout", "some.parquet", "--themes", "containment", "-o", "x/"},
	} {
		if out := run(exitUsage, args...); !strings.Contains(out, "themes") {
			t.Errorf("%v: %s", args, out)
		}
	}
}
