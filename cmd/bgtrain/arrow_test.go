package main

import (
	"os"
	"strings"
	"testing"
)

// A database goes out as Arrow IPC, and as a database of some of its rows, which other commands read.
func TestExportOfRows(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("a.txt", []byte(trainingLine), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"import a.txt -o a.parquet", "export a.parquet -o a.feather",
		"export a.parquet -o b --format arrow", "export a.parquet -o a.feather --force",
		"export a.parquet -o some.parquet --method import", "validate some.parquet"} {
		if status, _, errs := runCommand(t, strings.Fields(args)...); status != exitDone {
			t.Fatalf("%s: %s", args, errs)
		}
	}
	file, err := os.ReadFile("a.feather")
	if err != nil {
		t.Fatal(err)
	}
	status, out, _ := runCommand(t, "export", "a.parquet", "-o", "-", "--format", "arrow")
	if same, err := os.ReadFile("b"); status != exitDone || err != nil || out != string(file) || string(same) != out {
		t.Errorf("standard output, a.feather and b differ: %d, %d and %d bytes, %v", len(out), len(file), len(same), err)
	}
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"info some.parquet", exitDone, "bgtrain export a.parquet"},
		{"info some.parquet", exitDone, "positions"},
		{"export a.parquet -o none.parquet --method rollout", exitDone, "none.parquet: 0 positions"},
		{"export a.parquet -o some.parquet", exitFail, "--force"},
		{"export a.parquet -o - --format parquet", exitUsage, "a database is a file"},
		{"import a.feather -o x.parquet", exitFail, "an Arrow file"},
		{"import a.txt -o x.arrow", exitFail, "a database is Parquet"},
		{"merge a.parquet -o a.feather", exitFail, "a database is Parquet"},
		{"export a.parquet -o x --format json", exitUsage, "none of auto, gnubg, wildbg, arrow, parquet"},
		{"import a.txt -o x --format json", exitUsage, "none of auto, gnubg, wildbg, board, mat, sgf, xg, ids"},
		{"export a.parquet -o x --format board", exitUsage, "--format board is read, not written"},
	} {
		status, out, errs := runCommand(t, strings.Fields(c.args)...)
		if status != c.status || !strings.Contains(out+errs, c.want) {
			t.Errorf("%s: status %d, %q expected in %s%s", c.args, status, c.want, out, errs)
		}
	}
	if left, _ := os.ReadDir("."); len(left) != 6 {
		t.Errorf("left %v", left)
	}
}
