package main

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

const cubeXGID = "XGID=-b----E-C---eE---c-e----B-"

func evalCube(t *testing.T, args ...string) map[string]any {
	t.Helper()
	status, out, errs := runCommand(t, append([]string{"eval", "--net", "td", "--two-sided", "-1", "--json"},
		args...)...)
	if status != exitDone {
		t.Fatalf("%v: %s", args, errs)
	}
	var e map[string]any
	if err := json.Unmarshal([]byte(out), &e); err != nil {
		t.Fatalf("%v: %v in %s", args, err, out)
	}
	c, _ := e["cube"].(map[string]any)
	return c
}

func TestEvalCube(t *testing.T) {
	for _, id := range []string{cubeXGID + ":0:0:1:00:0:0:0:0:10", "4HPwATDgc/ABMA", "4HPwATDgc/ABMA:cAkAAAAAAAAE"} {
		c := evalCube(t, "--cube", "janowski=0.7", id)
		if c["action"] != "no-double/take" || c["double_pass"] != 1.0 || c["available"] != true || c["mwc"] != nil ||
			c["model"] != "janowski=0.7" {
			t.Errorf("%s: %v", id, c)
		}
	}
	match := evalCube(t, "--cube", "gnubg", cubeXGID+":1:1:1:00:2:3:0:7:10")
	same := evalCube(t, "--cube", "gnubg", "4HPwATDgc/ABMA:UQngADAAEAAE")
	if match["no_double"] != same["no_double"] || match["mwc"] != same["mwc"] || !(match["mwc"].(float64) > 0.3) {
		t.Errorf("an XGID %v, the Match ID of the same score %v", match, same)
	}
	other := evalCube(t, "--cube", "gnubg", "--met", "rockwell-kazaross", cubeXGID+":1:1:1:00:2:3:0:7:10")
	if d := math.Abs(other["mwc"].(float64) - match["mwc"].(float64)); !(d > 1e-6 && d < 0.02) {
		t.Errorf("another table changes the match-winning chance by %v", d)
	}
	if c := evalCube(t, "--cube", "gnubg", cubeXGID+":0:0:1:31:0:0:0:0:10"); c != nil {
		t.Errorf("a cube decision after the roll: %v", c)
	}
	if c := evalCube(t, cubeXGID+":0:0:1:00:9:9:1:7:10"); c != nil {
		t.Errorf("a cube decision that nobody asked for: %v", c)
	}
	if c := evalCube(t, "--cube", "dead", cubeXGID+":1:-1:1:00:2:3:0:7:10"); c["available"] != false ||
		c["action"] != "no-double/take" {
		t.Errorf("doubled with the opponent's cube: %v", c)
	}
	status, out, _ := runCommand(t, "eval", "--net", "td", "--two-sided", "-1", "--cube", "jump=local",
		cubeXGID+":0:0:1:00:6:2:1:7:10")
	if status != exitDone || !strings.Contains(out, "Crawford game, 1 away against 5") ||
		!strings.Contains(out, "cannot double") {
		t.Errorf("%d: %s", status, out)
	}
}

func TestEvalCubeErrors(t *testing.T) {
	for _, c := range []struct {
		args []string
		want int
		text string
	}{
		{[]string{"--cube", "jelly", "4HPwATDgc/ABMA"}, exitUsage, "jump=local"},
		{[]string{"--met", "kazaross-xg2", "4HPwATDgc/ABMA"}, exitUsage, "--cube"},
		{[]string{"--cube", "gnubg", "--met", "none", "4HPwATDgc/ABMA"}, exitUsage, "match equity table \"none\""},
		{[]string{"--cube", "gnubg", cubeXGID + ":0:0:1:00:7:3:0:7:10"}, exitFail, "score of 7 to 3"},
		{[]string{"--cube", "gnubg", cubeXGID + ":0:0:1:00:3:3:1:7:10"}, exitFail, "one side must be 1 away"},
		{[]string{"--cube", "gnubg", cubeXGID + ":0:0:1:00"}, exitFail, "10 expected"},
		{[]string{"--cube", "gnubg", "4HPwATDgc/ABMA:nonsense"}, exitFail, "match ID \"nonsense\""},
		{[]string{"4HPwATDgc/ABM:cAkAAAAAAAAE"}, exitFail, "13 characters"},
	} {
		status, out, errs := runCommand(t, append([]string{"eval", "--net", "td", "--two-sided", "-1"}, c.args...)...)
		if status != c.want || !strings.Contains(errs, c.text) || strings.Count(errs, "\n") != 1 || out != "" {
			t.Errorf("%v: %d, %q, %q; %d and %q expected", c.args, status, out, errs, c.want, c.text)
		}
	}
}

// An ID that describes how match and cube stand is judged so without --cube, as with
// --cube gnubg; --cube none does not.
func TestCubeOfAnIDIsJudged(t *testing.T) {
	for _, id := range []string{"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:4:0:7:10", "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"} {
		eval := func(more ...string) string {
			status, out, errs := runCommand(t, append([]string{"eval", "--net", "td", "--two-sided", "2", id}, more...)...)
			if status != exitDone {
				t.Fatal(errs)
			}
			return out
		}
		if got := eval(); got != eval("--cube", "gnubg") || !strings.Contains(got, "double/take") {
			t.Errorf("%s", got)
		}
		if got := eval("--cube", "none"); strings.Contains(got, "cube") {
			t.Errorf("with --cube none:\n%s", got)
		}
	}
}
