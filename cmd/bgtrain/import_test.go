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

// TestImportJudged imports decisions that another program has judged, which score then reads;
// flags that do nothing, and a database as the output, are refused.
func TestImportJudged(t *testing.T) {
	t.Chdir(t.TempDir())
	const start, one, two = "[0,-2,0,0,0,0,5,0,3,0,0,0,-5,5,0,0,0,-3,0,-5,0,0,0,0,2,0]",
		"[0,-2,0,0,0,2,4,0,2,0,0,0,-5,5,0,0,0,-3,0,-5,0,0,0,0,2,0]",
		"[0,-2,0,0,0,0,5,0,3,0,1,0,-5,4,0,0,0,-3,0,-5,0,0,0,1,1,0]"
	const text = `{"decisions": [
{"kind": "checker", "board": ` + start + `, "dice": [3, 1], "moves": [
  {"board": ` + one + `, "probs": [0.55, 0.17, 0.01, 0.12, 0.005]},
  {"board": ` + two + `, "probs": [0.49, 0.14, 0.01, 0.13, 0.006]}]},
{"kind": "cube", "board": [1], "probs": []}]}`
	if err := os.WriteFile("sage.json", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	status, _, errs := runCommand(t, "import", "sage.json", "-o", "sage.bm")
	if status != exitFail || !strings.Contains(errs, "sage.json:5: decision 2: a board of 1 numbers, 26 expected") {
		t.Errorf("%d: %s", status, errs)
	}
	status, out, errs := runCommand(t, "import", "sage.json", "-o", "sage.bm", "--skip-bad")
	if status != exitDone || out != "sage.bm: 1 play, 0 cube decisions; left out: 0 without a choice, 1 bad\n" ||
		!strings.Contains(errs, "sage.json:5: decision 2") {
		t.Errorf("%d: %s%s", status, out, errs)
	}
	if status, out, errs := runCommand(t, "score", "--net", "td", "--two-sided", "4", "sage.bm"); status != exitDone ||
		!strings.Contains(out, "sage.bm  contact") {
		t.Errorf("%d: %s%s", status, out, errs)
	}
	for args, want := range map[string]string{
		"import sage.json -o sage.bm":                  "it is there already: --force replaces it",
		"import sage.json -o sage.parquet":             "judged decisions become a benchmark file",
		"import sage.json -o x.bm --net td":            "--net is not for judged decisions",
		"import sage.json":                             "-o FILE.bm is missing",
		"import sage.json -o x.bm --decisions y.bm":    "--decisions is not for judged decisions",
		"import sage.bm --format sage -o x.bm":         "sage.bm:1: ",
		"import sage.json sage.bm -o x.bm --skip-bad ": "sage.bm:1: ",
	} {
		if status, _, errs := runCommand(t, strings.Fields(args)...); status == exitDone || !strings.Contains(errs, want) {
			t.Errorf("%s: %d: %s; %s expected", args, status, errs, want)
		}
	}
}
