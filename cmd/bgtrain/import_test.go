package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bgtrain/benchmark/bm"
)

// TestImportMatches imports a match in two formats, with its decisions.
func TestImportMatches(t *testing.T) {
	const folder = "../../dataset/matchfile/testdata/"
	dir := t.TempDir()
	var reports [2]map[string]any
	for i, name := range []string{"gnubg.mat", "gnubg.sgf"} {
		decisions := filepath.Join(dir, name+".bm")
		code, out, errs := runCommand(t, "import", folder+name, "-o", filepath.Join(dir, name+".parquet"),
			"--decisions", decisions,
			"--net", "td", "--two-sided", "4", "--json")
		if code != 0 {
			t.Fatal(errs)
		}
		if err := json.Unmarshal([]byte(out), &reports[i]); err != nil {
			t.Fatal(err)
		}
		f, err := bm.ReadFile(decisions, bm.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if n := reports[i]["decisions"].(float64); len(f.Records) != int(n) || n < 50 {
			t.Errorf("%s: %d records, %v decisions", name, len(f.Records), n)
		}
		delete(reports[i], "output")
	}
	for k, v := range reports[0] {
		if a, _ := json.Marshal(v); true {
			if b, _ := json.Marshal(reports[1][k]); string(a) != string(b) {
				t.Errorf("%s: %s of .mat, %s of .sgf", k, a, b)
			}
		}
	}
	ids := filepath.Join(dir, "ids.txt")
	if err := os.WriteFile(ids, []byte("4HPwATDgc/ABMA\nXGID=-a-B--E-B-a-dDB--b-bcb----:1:1:-1:63:0:0:0:3:8\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	code, out, errs := runCommand(t, "import", ids, "-o", filepath.Join(dir, "ids.parquet"))
	if code != 0 || !strings.Contains(out, "2 positions") {
		t.Errorf("%d: %s%s", code, out, errs)
	}
	code, _, errs = runCommand(t, "import", ids, "../../dataset/testdata/none.txt", "-o",
		filepath.Join(dir, "x.parquet"))
	if code != 1 {
		t.Errorf("%d: %s", code, errs)
	}
}
