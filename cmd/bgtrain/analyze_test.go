package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAnalyze(t *testing.T) {
	const file = "../../dataset/match/testdata/gnubg.sgf"
	page := filepath.Join(t.TempDir(), "a.html")
	code, out, errs := runCommand(t, "analyze", file, "--net", "td", "--ply", "0", "--two-sided", "4", "-o", page)
	if code != 0 || !strings.Contains(out, "gnubg against root, a match to 7") || !strings.Contains(out, "contact") {
		t.Errorf("%d: %s%s", code, out, errs)
	}
	html, err := os.ReadFile(page)
	if err != nil || !strings.Contains(string(html), "<svg") || !strings.Contains(string(html), "as played") {
		t.Errorf("page: %v", err)
	}
	code, out, errs = runCommand(t, "analyze", file, "--net", "td", "--ply", "0", "--two-sided", "4", "--json")
	var got struct{ Players [2]playerJSON }
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
	if code, _, _ := runCommand(t, "analyze", "analyze_test.go"); code != 1 {
		t.Errorf("not a match: status %d", code)
	}
}
