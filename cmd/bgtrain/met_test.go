package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bgtrain/internal/cube/met"
)

func TestMET(t *testing.T) {
	path := filepath.Join(t.TempDir(), "own.xml")
	status, out, errs := runCommand(t, "met", "--compute", "--length", "9", "--against", "kazaross-xg2", "--json",
		"-o", path)
	if status != exitDone {
		t.Fatal(errs)
	}
	var own, read met.Summary
	if err := json.Unmarshal([]byte(out), &own); err != nil || own.Length != 9 || len(own.Pre) != 9 ||
		own.Difference.Scores != 36 || !(own.Difference.Mean < 0.01) {
		t.Fatalf("%v: %s", err, out)
	}
	// The file reads as the table that was printed.
	status, out, errs = runCommand(t, "met", "--json", path)
	if status != exitDone || json.Unmarshal([]byte(out), &read) != nil || read.Length != 9 {
		t.Fatal(errs, out)
	}
	for i := range own.Pre {
		for j := range own.Pre[i] {
			if math.Abs(own.Pre[i][j]-read.Pre[i][j]) > 1e-12 {
				t.Errorf("%d away against %d: %v, read again %v", i+1, j+1, own.Pre[i][j], read.Pre[i][j])
			}
		}
	}
	status, out, _ = runCommand(t, "met", "rockwell-kazaross", "--length", "5", "--against", "kazaross-xg2")
	if status != exitDone || !strings.Contains(out, "Rockwell") || !strings.Contains(out, "10 scores") {
		t.Error(out)
	}
	bad := filepath.Join(t.TempDir(), "bad.xml")
	if err := os.WriteFile(bad, []byte("<met>"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want int
		text string
	}{
		{[]string{"met", "--compute", "x"}, exitUsage, "none with --compute"},
		{[]string{"met", "--gammons", "0.2"}, exitUsage, "--compute"},
		{[]string{"met", "--compute", "--gammons", "2"}, exitUsage, "0 to 1 expected"},
		{[]string{"met", "--compute", "--cube", "none"}, exitUsage, "jump=V"},
		{[]string{"met", "--length", "99"}, exitUsage, "0 to 64"},
		{[]string{"met", "no-such-table"}, exitFail, "not one of kazaross-xg2"},
		{[]string{"met", bad}, exitFail, bad},
		{[]string{"match", "td", "td", "--length", "70"}, exitUsage, "--length 70"},
		{[]string{"match", "td", "td", "--met", "kazaross-xg2"}, exitUsage, "--met is for matches"},
		{[]string{"match", "td", "td", "--length", "3", "--met", bad}, exitUsage, bad},
		{[]string{"match", "td", "td", "--length", "3", "--cube", "jelly"}, exitUsage, "jump=V"},
		{[]string{"cube", "study", "none", "--a", "dead"}, exitFail, "no recorded games"},
		{[]string{"cube", "study", "none", "--a", "jump=2"}, exitUsage, "--a"},
		{[]string{"cube", "record", "td", "-o", "x", "--games", "10001"}, exitUsage, "a multiple of"},
		{[]string{"cube", "record", "td", "-o", "x", "--games", "0"}, exitUsage, "--games 0"},
		{[]string{"cube", "record", "td", "-o", "x", "--games", "10", "--part", "3"}, exitUsage, "a multiple of 3"},
		{[]string{"cube", "record", "td", "-o", "x", "--part", "0"}, exitUsage, "--part 0"},
		{[]string{"cube", "record", "td", "-o", "x", "--part", "10001"}, exitUsage, "--part 10001"},
		{[]string{"met", "--compute", "--trailer-gammons", "2"}, exitUsage, "0 to 1 expected"},
		{[]string{"met", "--compute", "--first-chance", "0.5"}, exitUsage, "0 to 0.2"},
		{[]string{"met", "--first-chance", "0.02"}, exitUsage, "--compute"},
	} {
		status, _, errs := runCommand(t, c.args...)
		if status != c.want || !strings.Contains(errs, c.text) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%v: %d, %q; %d and %q expected", c.args, status, errs, c.want, c.text)
		}
	}
}

// By the score of the match is how matches are played; for money or for wins they are
// others, and one point is played for the win.
func TestMatchObjective(t *testing.T) {
	result := func(args string) string {
		t.Helper()
		status, out, errs := runCommand(t, strings.Fields("match td td --two-sided -1 --json --duplicate "+args)...)
		var r map[string]any
		if status != exitDone || json.Unmarshal([]byte(out), &r) != nil {
			t.Fatal(args, errs)
		}
		for _, key := range []string{"elapsed_s", "a", "b"} {
			delete(r, key)
		}
		b, _ := json.Marshal(r)
		return string(b)
	}
	usual := result("--length 5 --games 24")
	for objective, same := range map[string]bool{"match": true, "match,match": true, "money": false, "win": false} {
		if got := result("--length 5 --games 24 --objective " + objective); (got == usual) != same {
			t.Errorf("%s plays %s, without it %s", objective, got, usual)
		}
	}
	if result("--length 1 --games 24 --objective match,money") != result("--length 1 --games 24 --objective win,money") {
		t.Error("one point is not played for the win")
	}
	// A log belongs to one objective.
	log := filepath.Join(t.TempDir(), "log")
	match := strings.Fields("match td td --two-sided -1 --length 3 --games 2 --log " + log)
	if status, _, errs := runCommand(t, match...); status != exitDone {
		t.Fatal(errs)
	}
	if status, _, errs := runCommand(t, append(match, "--objective", "match")...); status != exitDone {
		t.Error(errs)
	}
	for _, other := range []string{"money", "win", "match,money"} {
		if status, _, errs := runCommand(t, append(match, "--objective", other)...); status != exitFail ||
			!strings.Contains(errs, "another run") {
			t.Errorf("%s: %d %s", other, status, errs)
		}
	}
}

// A match to some points goes on from its log, and plays the same again.
func TestMatchToPoints(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	args := func(games string, more ...string) []string {
		return append([]string{"match", "td", "td", "--two-sided", "-1", "--length", "3", "--cube",
			"janowski=0.7,gnubg", "--games", games, "--json"}, more...)
	}
	var whole, again map[string]any
	status, out, errs := runCommand(t, args("12")...)
	if status != exitDone || json.Unmarshal([]byte(out), &whole) != nil {
		t.Fatal(errs)
	}
	if status, _, errs := runCommand(t, args("5", "--log", log)...); status != exitDone {
		t.Fatal(errs)
	}
	if status, out, errs = runCommand(t, args("12", "--log", log, "--workers", "3")...); status != exitDone ||
		json.Unmarshal([]byte(out), &again) != nil {
		t.Fatal(errs)
	}
	delete(whole, "elapsed_s")
	delete(again, "elapsed_s")
	a, _ := json.Marshal(whole)
	b, _ := json.Marshal(again)
	if string(a) != string(b) || whole["length"] != 3.0 ||
		!(whole["games_per_match"].(map[string]any)["mean"].(float64) >= 1) {
		t.Errorf("%s\nand from a log %s", a, b)
	}
	if status, _, errs := runCommand(t, args("12", "--log", log, "--length", "5")...); status != exitFail ||
		!strings.Contains(errs, "length is 3 there") {
		t.Errorf("%d %s", status, errs)
	}
}
