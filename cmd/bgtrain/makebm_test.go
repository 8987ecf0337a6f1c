package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"bgtrain/benchmark/bm"
	"bgtrain/benchmark/makebm"
	"bgtrain/internal/bg"
)

// tinyMakebm makes a file in a moment: a small net, candidates by 0-ply, short rollouts.
const tinyMakebm = "makebm -n 5 --net td --candidate-ply 0 --trials 36 --truncate 2 --luck none --seed 3 -o tiny.bm "

func TestMakebmCommand(t *testing.T) {
	dir := t.TempDir()
	status, out, log := bgtrainIn(t, dir, strings.Fields(tinyMakebm+"--workers 2 --json")...)
	if status != exitDone {
		t.Fatalf("status %d: %s", status, log)
	}
	var got makebm.Report
	d := json.NewDecoder(strings.NewReader(out))
	d.DisallowUnknownFields()
	if err := d.Decode(&got); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if got.Output != "tiny.bm" || got.Decisions != 5 || got.Classes["contact"] != 2 || got.Classes["crashed"] != 2 ||
		got.Classes["race"] != 1 ||
		got.Candidates < 10 || got.Trials > 36*got.Candidates || got.Games == 0 ||
		!(got.SE > 0 && got.SE <= got.WorstSE) {
		t.Errorf("%s", out)
	}
	noLeftovers(t, dir, "tiny.bm")
	text, err := os.ReadFile("tiny.bm")
	if err != nil {
		t.Fatal(err)
	}
	// The head describes how good the file is and how it was made.
	head := regexp.MustCompile(`^#sha256 [0-9a-f]{64}
# 5 decisions, \d+ candidates rolled out, with common dice; standard error of what one is behind the best 0\.\d{4} on average, 0\.\d{4} at most\.
# #R KEY p1 p2 p3 p4 p5: .*
s bgtrain makebm: decisions contact=2 crashed=2 race=1 of self-play seed=3 .*; net [0-9a-f]{16}; .*trials=36 truncate=2 ply=0 target-se=0\.005, common dice; dice seed=3
r 3
`)
	if !head.Match(text) {
		t.Errorf("the file begins with\n%s", text[:min(len(text), 600)])
	}
	f, err := bm.ReadFile("tiny.bm", bm.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range f.Records {
		for _, c := range f.Records[i].Candidates {
			if !c.RolledOut {
				t.Errorf("record %d: candidate %s has no outputs", i, c.Key)
			}
		}
	}

	// The same file with one worker, which says so in words.
	status, out, log = bgtrainIn(t, dir, strings.Fields(tinyMakebm+"--workers 1 --force")...)
	if status != exitDone || !strings.HasPrefix(out, "tiny.bm: 5 decisions of ") || !strings.Contains(out, "crashed") {
		t.Errorf("status %d, %q, %q", status, out, log)
	}
	sameFile(t, filepath.Join(dir, "tiny.bm"), text)

	// The other commands take it.
	for _, c := range []struct{ args, want string }{
		{"validate tiny.bm", "tiny.bm"},
		{"info tiny.bm", "5"},
		{"score --net pubeval tiny.bm", "tiny.bm"},
	} {
		if status, out, log := bgtrainIn(t, dir, strings.Fields(c.args)...); status != exitDone ||
			!strings.Contains(out, c.want) {
			t.Errorf("%s: status %d, %q, %q", c.args, status, out, log)
		}
	}
}

// What is excluded, a benchmark file here, is in the next file neither before nor
// after a play. With the same seed all of it would be.
func TestMakebmExclude(t *testing.T) {
	dir := t.TempDir()
	if status, _, log := bgtrainIn(t, dir, strings.Fields(tinyMakebm)...); status != exitDone {
		t.Fatal(log)
	}
	keys, err := bm.ReadKeys(t.Context(), []string{"tiny.bm"})
	if err != nil || len(keys) < 15 {
		t.Fatalf("%d positions, %v", len(keys), err)
	}
	again := strings.Replace(tinyMakebm, "tiny.bm", "other.bm", 1) + "--exclude tiny.bm"
	if status, _, log := bgtrainIn(t, dir, strings.Fields(again)...); status != exitDone {
		t.Fatal(log)
	}
	others, err := bm.ReadKeys(t.Context(), []string{"other.bm"})
	if err != nil || len(others) == 0 {
		t.Fatalf("%d positions, %v", len(others), err)
	}
	shared := func(a map[bg.Key]bool) (n int) {
		for k := range a {
			if keys[k] {
				n++
			}
		}
		return n
	}
	if n := shared(others); n > 0 {
		t.Errorf("%d positions of the excluded file are in the other one", n)
	}
}

func TestMakebmMistakes(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"-o x.bm", exitUsage, "-n N is missing"},
		{"-n 5", exitUsage, "-o FILE.bm is missing"},
		{"-n -5 -o x.bm", exitUsage, "--number -5"},
		{"-n 5 -o x.bm more", exitUsage, "no argument expected"},
		{"-n 5 -o x.bm --class bearoff", exitUsage, "contact, crashed or race expected"},
		{"-n 5 -o x.bm --class backgame", exitUsage, "backgame"},
		{"-n 5 -o x.bm --candidates 1", exitUsage, "--candidates 1"},
		{"-n 5 -o x.bm --margin 0", exitUsage, "margin 0"},
		{"-n 5 -o x.bm --spread 0.5", exitUsage, "least spread 0.5"},
		{"-n 5 -o x.bm --candidate-ply 4", exitUsage, "--candidate-ply 4: 0 to 3 expected"},
		{"-n 5 -o x.bm --diversity 2", exitUsage, "diversity 2"},
		{"-n 5 -o x.bm --workers -1", exitUsage, "workers -1"},
		{"-n 5 -o x.bm --trials 1", exitUsage, "--trials 1: 2 to"},
		{"-n 5 -o x.bm --luck great", exitUsage, "great"},
		{"-n 5 -o x.bm --color red", exitUsage, "color"},
		{"-n 5 -o x.bm --net nothing.safetensors", exitFail, "nothing.safetensors"},
		{"-n 5 -o x.bm --exclude nothing.bm", exitFail, "nothing.bm"},
		{"-n 5 -o nowhere/x.bm", exitFail, "nowhere/x.bm"},
	} {
		status, _, log := bgtrainIn(t, dir, append([]string{"makebm"}, strings.Fields(c.args)...)...)
		if status != c.status || !strings.Contains(log, c.want) {
			t.Errorf("%s: status %d, %q; want %d, %q", c.args, status, log, c.status, c.want)
		}
	}
	noLeftovers(t, dir)

	// A journal of other settings is not gone on from, nor lost.
	if err := os.WriteFile("x.bm.journal", []byte("another program's\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	status, _, log := bgtrainIn(t, dir, strings.Fields("makebm -n 5 -o x.bm")...)
	if status != exitFail || !strings.Contains(log, "x.bm.journal") {
		t.Errorf("the journal of something else: status %d, %q", status, log)
	}
	noLeftovers(t, dir, "x.bm.journal")
}

// TestMakebmSurvivesKill kills a run with SIGKILL at random moments: it goes on from
// its journal and ends with the file of an undisturbed run.
func TestMakebmSurvivesKill(t *testing.T) {
	t.Parallel()
	k := killing{
		args: "makebm -n 6 --net td --candidate-ply 0 --trials 72 --truncate 3 --luck none --target-se 0 --seed 4 --workers " +
			"2 -o a.bm",
		out: "a.bm", state: ".journal", kills: 8,
	}
	noLeftovers(t, k.run(t), "a.bm")
}
