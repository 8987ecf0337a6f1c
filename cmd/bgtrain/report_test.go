package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReportCommand(t *testing.T) {
	out := filepath.Join(t.TempDir(), "report.html")
	status, stdout, errs := runCommand(t, "report", "--net", "pubeval", "--against", "random", "--bm", benchmarkFile, "--worst", "2", "--title", "a & b", "-o", out)
	if status != exitDone || strings.TrimSpace(stdout) != out {
		t.Fatalf("%q %s", stdout, errs)
	}
	page, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<title>a &amp; b</title>", "beside random", "contact.bm", "--title &#39;a &amp; b&#39;"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("no %q in the page", want)
		}
	}
	if n := strings.Count(string(page), `class="board"`); n != 2 {
		t.Errorf("%d boards", n)
	}
}

func TestReportMistakes(t *testing.T) {
	out := filepath.Join(t.TempDir(), "report.html")
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{}, exitUsage, "-o FILE.html"},
		{[]string{"-o", out, "contact.bm"}, exitUsage, "--bm"},
		{[]string{"-o", out, "--worst", "-1"}, exitUsage, "--worst -1"},
		{[]string{"-o", out, "--net", "pubeval", "--curve", benchmarkFile}, exitFail, benchmarkFile + ":1"},
		{[]string{"-o", out, "--net", "pubeval", "--bm", "missing.bm"}, exitFail, "missing.bm"},
		{[]string{"-o", out, "--net", "pubeval", "--bm", benchmarkFile, "--db", "missing.parquet"}, exitFail, "missing.parquet"},
	} {
		status, _, errs := runCommand(t, append([]string{"report"}, c.args...)...)
		if status != c.status || !strings.Contains(errs, c.want) {
			t.Errorf("%v: status %d, %s; want %d, %s", c.args, status, errs, c.status, c.want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%v: a page was written", c.args)
		}
	}
}
