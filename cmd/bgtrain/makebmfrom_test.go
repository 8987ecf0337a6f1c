package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bgtrain/benchmark/bm"
)

// shortMatch is a beginning of a game, with a roll that leaves no choice.
const shortMatch = ` 3 point match

 Game 1
 Ada : 0                         Bob : 0
  1) 31: 8/5 6/5                 52: 13/11 13/8
  2) 66: 24/18(2) 13/7(2)        41: 24/23 13/9
`

// TestMatchToBenchmark goes from a recorded match to a rolled-out benchmark file: the
// same decisions and candidates, whatever kills the run and however many work.
func TestMatchToBenchmark(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("short.mat", []byte(shortMatch), 0o644); err != nil {
		t.Fatal(err)
	}
	status, out, log := bgtrainIn(t, dir, strings.Fields("import short.mat -o short.parquet --net td --decisions in.bm")...)
	if status != exitDone || !strings.Contains(out, "in.bm: 4 decisions") {
		t.Fatalf("status %d, %q, %q", status, out, log)
	}
	text, err := os.ReadFile("in.bm")
	if err != nil || !strings.Contains(string(text), "# short.mat game 1 move 2\n") {
		t.Errorf("%v: %s", err, text)
	}
	k := killing{
		args: "makebm --from in.bm --net td --trials 72 --truncate 3 --luck none --target-se 0 --seed 4 --workers 2 -o out.bm",
		out:  "out.bm", state: ".journal", kills: 3,
		prepare: func(dir string) {
			if err := os.WriteFile(filepath.Join(dir, "in.bm"), text, 0o644); err != nil {
				t.Fatal(err)
			}
		},
	}
	done := k.run(t)
	in, err := bm.ReadFile("in.bm", bm.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	rolled, err := bm.ReadFile(filepath.Join(done, "out.bm"), bm.ReadOptions{})
	if err != nil || len(rolled.Records) != len(in.Records) {
		t.Fatalf("%d records of %d, %v", len(rolled.Records), len(in.Records), err)
	}
	for i := range rolled.Records {
		got, want := &rolled.Records[i], &in.Records[i]
		if got.Key != want.Key || got.Dice != want.Dice || len(got.Candidates) != len(want.Candidates) {
			t.Errorf("record %d: %+v, %+v expected", i, got, want)
		}
		for _, c := range got.Candidates {
			if !c.RolledOut || want.Find(c.Key) == nil {
				t.Errorf("record %d: candidate %s rolled out: %t", i, c.Key, c.RolledOut)
			}
		}
	}
}

func TestMakebmFromMistakes(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	const start = "m OAHDPAABDAOAHDPAABDA 3 1 "
	for name, text := range map[string]string{
		"empty.bm":   "s nothing\n",
		"one.bm":     start + "OAHDPAABDAOAHDPAABDA 0\n",
		"illegal.bm": "# a comment\n" + start + "OAHDPAABDAOAHDPAABDA 0 OAHDPAABDAOAHDPAABDA 0.1\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"--from empty.bm", exitUsage, "-o FILE.bm is missing"},
		{"--from empty.bm -o x.bm more", exitUsage, "no argument expected"},
		{"--from empty.bm -o x.bm -n 5", exitUsage, "--number is about self-play"},
		{"--from empty.bm -o x.bm --class race", exitUsage, "--class is about self-play"},
		{"--from empty.bm -o x.bm --margin 0.1", exitUsage, "--margin is about self-play"},
		{"--from nothing.bm -o x.bm", exitFail, "nothing.bm"},
		{"--from empty.bm -o x.bm", exitFail, "no decision to roll out"},
		{"--from illegal.bm -o x.bm", exitFail, "illegal.bm:2: candidate 1: illegal play of 31"},
		{"--from one.bm -o x.bm", exitFail, "one.bm:1: candidate 1: illegal play of 31"},
	} {
		status, _, log := bgtrainIn(t, dir, append([]string{"makebm"}, strings.Fields(c.args)...)...)
		if status != c.status || !strings.Contains(log, c.want) {
			t.Errorf("%s: status %d, %q; want %d, %q", c.args, status, log, c.status, c.want)
		}
	}
}
