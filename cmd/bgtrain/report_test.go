package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReportCommand(t *testing.T) {
	out := filepath.Join(t.TempDir(), "report.html")
	status, stdout, errs := runCommand(t, "report", "--net", "pubeval", "--against", "random", "--bm", benchmarkFile,
		"--worst", "2", "--title", "a & b", "-o", out)
	if status != exitDone || strings.TrimSpace(stdout) != out {
		t.Fatalf("%q %s", stdout, errs)
	}
	page, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<title>a &amp; b</title>", "beside random", "contact.bm",
		"--title &#39;a &amp; b&#39;"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("no %q in the page", want)
		}
	}
	if n := strings.Count(string(page), `class="board"`); n != 2 {
		t.Errorf("%d boards", n)
	}
}

// Files and players may be named without their flags; of curves alone there is a
// page too.
func TestReportSorts(t *testing.T) {
	runs, err := filepath.Abs("../../trainer/grow/testdata/runs")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.CopyFS("runs", os.DirFS(runs)); err != nil {
		t.Fatal(err)
	}
	curve := `{"net":"contact","epoch":0,"er":12}` + "\n" + `{"net":"contact","epoch":1,"er":10}` + "\n"
	record := "m NGGOAGAEAGDGOPAGJAAA 5 3 DGOPEGCAAANGGOAGAAED 0.642309 DGOPAGAGAANGGOAGAEAG 0.075863\n"
	for name, text := range map[string]string{"mine.curve.jsonl": curve, "my.bm": record} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for args, want := range map[string][]string{
		"report mine.curve.jsonl -o a.html": {"Report on mine<",
			"Learning curves", "!Error rates", "!About"},
		"report pubeval random my.bm mine.curve.jsonl -o b.html": {"Report on pubeval<",
			"beside random", "Learning curves", "my.bm"},
		"report runs/base/ runs/wider/grow.jsonl -o d.html": {"Report on base<", "!Error rates", "Strength against time",
			"Recipe lines that differ", "nets: {hidden: [32]}", "By wall time", "round 2", "not passed", "0.75 → 0.61"},
		"report --grown runs/base random my.bm -o e.html": {"Report on random<", "Error rates", "Grown players", "!that differ"},
		"report --net random pubeval my.bm -o c.html": {"Report on random<",
			"beside pubeval", "!Learning curves"},
	} {
		status, out, errs := runCommand(t, strings.Fields(args)...)
		if status != exitDone {
			t.Fatalf("%s: %s", args, errs)
		}
		page, err := os.ReadFile(strings.TrimSpace(out))
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			w, not := strings.CutPrefix(w, "!")
			if strings.Contains(string(page), w) == not {
				t.Errorf("%s: %q in the page is %t", args, w, !not)
			}
		}
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
		{[]string{"-o", out, "--net", ""}, exitUsage, "a player expected"},
		{[]string{"-o", out, "contact.bm"}, exitFail, "contact.bm"},
		{[]string{"-o", out, "--grown", t.TempDir()}, exitFail, "no run of grow"},
		{[]string{"-o", out, "embedded", "embedded"}, exitUsage, "one database expected"},
		{[]string{"-o", out, "--worst", "-1"}, exitUsage, "--worst -1"},
		{[]string{"-o", out, "--net", "pubeval", "--curve", benchmarkFile}, exitFail, benchmarkFile + ":1"},
		{[]string{"-o", out, "--net", "pubeval", "--bm", "missing.bm"}, exitFail, "missing.bm"},
		{[]string{"-o", out, "--net", "pubeval", "--bm", benchmarkFile, "--db", "missing.parquet"}, exitFail,
			"missing.parquet"},
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
