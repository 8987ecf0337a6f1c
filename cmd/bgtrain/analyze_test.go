package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bgtrain/benchmark/analyze"
)

func TestAnalyze(t *testing.T) {
	t.Parallel()
	const file = "../../dataset/matchfile/testdata/gnubg.sgf"
	page := filepath.Join(t.TempDir(), "a.html")
	code, out, errs := runCommand(t, "analyze", file, "--net", "td", "--ply", "0", "--two-sided", "4", "-o", page)
	if code != 0 || !strings.Contains(out, "gnubg against root, a match to 7") || !strings.Contains(out, "contact") {
		t.Errorf("%d: %s%s", code, out, errs)
	}
	html, err := os.ReadFile(page)
	if err != nil || !strings.Contains(string(html), "<svg") || strings.Contains(string(html), ">as played<") ||
		!strings.Contains(string(html), "gnubg</span> against") {
		t.Errorf("page: %v", err)
	}
	code, out, errs = runCommand(t, "analyze", file, "--net", "td", "--ply", "0", "--two-sided", "4", "--json")
	var got analyze.Report
	if err := json.Unmarshal([]byte(out), &got); code != 0 || err != nil || got.Players[0].Decisions < 50 {
		t.Errorf("%d: %v %+v%s", code, err, got, errs)
	}
	if !strings.Contains(out, `"objective":"match"`) {
		t.Errorf("a match is not judged by its score: %s", out)
	}
	for _, tt := range []struct{ by, want string }{{"money", "by money equity"}, {"match", "by match equity"}} {
		_, out, errs := runCommand(t, "analyze", file, "--net", "td", "--ply", "0", "--two-sided", "4", "--objective", tt.by)
		if !strings.Contains(out, tt.want) {
			t.Errorf("--objective %s: %s%s", tt.by, out, errs)
		}
	}
	if code, _, errs := runCommand(t, "analyze", file, "--objective", "points"); code != 2 || !strings.Contains(errs,
		"money or match expected") {
		t.Errorf("%d: %s", code, errs)
	}
	dir := filepath.Join(t.TempDir(), "pages")
	code, out, errs = runCommand(t, "analyze", filepath.Dir(file), "--net", "td", "--ply", "0", "--two-sided", "4",
		"-o", dir)
	if code != 0 || !strings.Contains(out, "player") || !strings.Contains(out, "gnubg.sgf") {
		t.Errorf("%d: %s%s", code, out, errs)
	}
	for _, name := range []string{"index.html", "gnubg.html", "gnubg-2.html"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	if code, _, errs := runCommand(t, "analyze", file, file, "-o", page+"l.html"); code != 2 || !strings.Contains(errs,
		"without .html") {
		t.Errorf("several matches on one page: %d: %s", code, errs)
	}
	if code, _, errs := runCommand(t, "analyze", file, file, "-o", dir); code != 1 || !strings.Contains(errs, "--force") {
		t.Errorf("pages replaced: %d: %s", code, errs)
	}
	if code, _, _ := runCommand(t, "analyze", "analyze_test.go"); code != 1 {
		t.Errorf("not a match: status %d", code)
	}
}
