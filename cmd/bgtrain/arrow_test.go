package main

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
)

// A database goes out as Arrow IPC and comes back as it was; other commands know such
// files.
func TestArrowOutAndIn(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("a.txt", []byte(trainingLine), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"import a.txt -o a.parquet", "export a.parquet -o a.feather",
		"export a.parquet -o b --format arrow", "import a.feather -o back.parquet",
		"export a.parquet -o a.feather --force"} {
		if status, _, errs := runCommand(t, strings.Fields(args)...); status != exitDone {
			t.Fatalf("%s: %s", args, errs)
		}
	}
	info := func(path string) (v map[string]any) {
		_, out, _ := runCommand(t, "info", path, "--json")
		if err := json.Unmarshal([]byte(out), &v); err != nil {
			t.Fatal(err)
		}
		delete(v, "path")
		delete(v, "command")
		delete(v, "bytes")
		return v
	}
	if got, want := info("back.parquet"), info("a.parquet"); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v expected", got, want)
	}
	file, err := os.ReadFile("a.feather")
	if err != nil {
		t.Fatal(err)
	}
	status, out, _ := runCommand(t, "export", "a.parquet", "-o", "-", "--format", "arrow")
	if same, err := os.ReadFile("b"); status != exitDone || err != nil || out != string(file) || string(same) != out {
		t.Errorf("standard output, a.feather and b differ: %d, %d and %d bytes, %v", len(out), len(file), len(same), err)
	}
	if err := os.WriteFile("cut.arrow", file[:len(file)-9], 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"validate a.feather", exitDone, "Arrow IPC, 1 records, 0 bad"},
		{"validate cut.arrow", exitFail, "cut off"},
		{"import cut.arrow -o x.parquet", exitFail, "import cut.arrow: cut off"},
		{"import a.txt --format arrow -o x.parquet", exitFail, "import a.txt: "},
		{"import a.feather a.txt -o x.parquet", exitUsage, "one after the other"},
		{"import a.txt -o x.arrow", exitFail, "a database is Parquet"},
		{"merge a.parquet -o a.feather", exitFail, "a database is Parquet"},
		{"td -o a.feather", exitFail, "another kind (Arrow IPC)"},
		{"export a.parquet -o x --format json", exitUsage, "none of auto, gnubg, wildbg, arrow"},
		{"import a.txt -o x --format json", exitUsage, "none of auto, gnubg, wildbg, board, arrow, mat, sgf, xg, ids"},
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
