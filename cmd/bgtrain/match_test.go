package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bgtrain/benchmark/match"
	"bgtrain/dataset/matchfile"
)

// Players of a match may have databases of their own, or none, and the result says which.
func TestMatchWithoutBearoff(t *testing.T) {
	log := filepath.Join(t.TempDir(), "games")
	points := map[string]float64{}
	for _, of := range []string{"0", "none,6", "none"} {
		status, out, errs := runCommand(t, "match", "td", "td", "--games", "12", "--seed", "1", "--json", "--one-sided", of,
			"--log", log+of)
		var s match.Summary
		if err := json.Unmarshal([]byte(out), &s); status != exitDone || err != nil {
			t.Fatalf("%s: status %d, %v, %s", of, status, err, errs)
		}
		want := [2]string{"td:0", "td:0"}
		if of != "0" {
			want[0] = "td:0 (no bearoff database)"
		}
		if of == "none" {
			want[1] = want[0]
		}
		if s.A != want[0] || s.B != want[1] {
			t.Errorf("%s: %q against %q", of, s.A, s.B)
		}
		points[of] = s.Turns.Mean
	}
	if points["0"] == points["none"] {
		t.Errorf("databases change nothing: %v", points)
	}
	for _, c := range []struct{ args, want string }{
		{"match td td --one-sided 5", "6 to 10 points, 0 or none"},
		{"match td td --one-sided none,6,7", "6 to 10 points, 0 or none"},
		{"match td td --games 2 --one-sided none --two-sided 6", "one of the two expected"},
		{"match td td --games 2 --log " + log + "0 --one-sided none", "another run"},
		{"td -o x --one-sided none --two-sided 6", "one of the two expected"},
		{"td -o x --one-sided 3", "6 to 10 points, 0 or none"},
		{"score --net td --one-sided none", "6 to 10"}, // it would be another class of position
	} {
		if status, _, errs := runCommand(t, strings.Fields(c.args)...); status == exitDone ||
			!strings.Contains(errs, c.want) {
			t.Errorf("%s: status %d, %s", c.args, status, errs)
		}
	}
	net := filepath.Join(t.TempDir(), "net.safetensors")
	if status, _, errs := runCommand(t, strings.Fields("td --games 4 --round 2 --hidden 4 --inputs tesauro "+
		"--one-sided none --match-every 4 --match-games 2 --match-against td -o "+net)...); status != exitDone {
		t.Fatal(errs)
	}
	if status, out, _ := runCommand(t, "info", net); status != exitDone || !strings.Contains(out, "td.one_sided") {
		t.Errorf("status %d, %s", status, out)
	}
}

// Another player plays A's games, with the same dice, and its log goes on as A's does.
func TestMatchInstead(t *testing.T) {
	dir := t.TempDir()
	args := []string{"match", "random", "pubeval", "--games", "30", "--instead", "pubeval", "--instead", "random",
		"--log", filepath.Join(dir, "log")}
	var first string
	for range 2 {
		status, out, errs := runCommand(t, append(args, "--json")...)
		var got match.Result
		if err := json.Unmarshal([]byte(out), &got); status != exitDone || err != nil || len(got.Instead) != 2 {
			t.Fatalf("status %d, %v, %s%s", status, err, out, errs)
		}
		better, same := got.Instead[0], got.Instead[1]
		if better.A != "pubeval" || better.Difference.Mean < 1 || better.Difference.SE <= 0 ||
			same.Difference.Mean != 0 || same.Difference.SE != 0 {
			t.Errorf("%+v, %+v", better, same)
		}
		got.Elapsed = 0
		text := asJSON(t, got)
		if first != "" && text != first {
			t.Errorf("going on: %s, %s", text, first)
		}
		first = text
	}
	status, out, errs := runCommand(t, args...)
	if status != exitDone || !strings.Contains(out, "points more than A") || !strings.Contains(out, "wins more than A") {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
}

// Games come as boards and as files that are read back.
func TestMatchGames(t *testing.T) {
	t.Chdir(t.TempDir())
	status, out, errs := runCommand(t, strings.Fields("match td pubeval --games 3 --boards --save games")...)
	if status != exitDone {
		t.Fatal(errs)
	}
	for _, want := range []string{"X td:0 against O pubeval, game 3, seed 1\n", "  1. X td:0 ", "O pubeval: 167 pips",
		"3 games, seed 1\n  points per game"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in %s", want, out)
		}
	}
	for n := range 3 {
		ms, err := matchfile.ReadAll(filepath.Join("games", fmt.Sprintf("game-%06d.mat", n+1)))
		if err != nil || len(ms) != 1 || ms[0].Games[0].Winner == matchfile.None {
			t.Errorf("game %d: %v", n+1, err)
		}
	}
	if status, _, errs := runCommand(t, "analyze", "games/game-000001.mat", "--ply", "0"); status != exitDone {
		t.Error(errs)
	}
	if err := os.WriteFile("file", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"match td pubeval --save games", exitFail, "is there already"},
		{"match td pubeval --save file", exitFail, "file"},
		{"match td pubeval --boards --json", exitUsage, "one of the two expected"},
		{"match td pubeval --boards --instead random", exitUsage, "--instead plays several"},
		{"match td pubeval --instead nobody", exitFail, "nobody"},
		{"match td pubeval --instead td:9", exitUsage, "9 plies"},
		{"match td pubeval --instead random --objective win", exitUsage, "random chooses its plays"},
	} {
		if status, out, errs := runCommand(t, append(strings.Fields(c.args), "--games", "2")...); status != c.status ||
			!strings.Contains(errs, c.want) {
			t.Errorf("%s: status %d, %s%s", c.args, status, out, errs)
		}
	}
}
