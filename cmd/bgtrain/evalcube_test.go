package main

import (
	"encoding/json"
	"math"
	"path/filepath"
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

// Scores, Crawford games, cubes, models and tables that cannot be get one line that says which,
// from every command, and nothing is printed or written.
func TestCubeMistakes(t *testing.T) {
	const own = cubeXGID + ":1:1:1:00"
	for args, want := range map[string]string{
		"eval --net td --cube gnubg " + cubeXGID + ":12:1:1:00:0:0:0:0:10":       "a cube of 2^12",
		"eval --net td --cube gnubg " + cubeXGID + ":2:0:1:00:0:0:0:0:10":        "a cube of 4 in the center",
		"eval --net td --cube gnubg " + cubeXGID + ":0:3:1:00:0:0:0:0:10":        "cube owner 3",
		"eval --net td --cube gnubg " + own + ":6:3:1:7:10":                      "it must not be turned",
		"eval --net td --cube gnubg " + cubeXGID + ":0:0:1:00:6:6:1:7:10":        "never due",
		"eval --net td --cube gnubg " + cubeXGID + ":0:0:1:00:0:0:0:99:10":       "a match of 99 points",
		"eval --net td --cube gnubg " + cubeXGID + ":0:0:1:D:0:0:0:7:10":         "a double has been offered",
		"eval --net td --cube gnubg " + cubeXGID + ":0:0:1:00:0:0:9:0:10":        "field 7 (Jacoby) is 9",
		"eval --net td --cube janowski=2 4HPwATDgc/ABMA":                         "X from 0 to 1",
		"eval --net td --cube jump=0.5 4HPwATDgc/ABMA":                           "V above 0 up to 0.2",
		"eval --net td --cube learned=none.life 4HPwATDgc/ABMA":                  "no such file",
		"eval --net td --cube learned=evalcube_test.go 4HPwATDgc/ABMA":           "not a file of cube life nets",
		"eval --net td --cube gnubg --met none.xml 4HPwATDgc/ABMA":               "none.xml: no such file",
		"rollout --net td --cube gnubg --jacoby " + own + ":3:3:0:7:10":          "are for money",
		"rollout --net td --cube gnubg --beavers 4HPwATDgc/ABMA:UQngADAAEAAE":    "are for money",
		"match td td --length 65 --cube gnubg --games 2":                         "0 to 64 expected",
		"match td td --cube gnubg,dead,live --games 2":                           `cube model "dead,live"`,
		"score --net td --cube gnubg --at 0:5 " + benchmarkFile:                  "points away of both",
		"score --net td --cube gnubg --at 99:3 " + benchmarkFile:                 "score 99 away against 3 away",
		"cube bearoff --a jump=local":                                            "asks for what the database does not have",
		"cube record td --games 20001 -o " + filepath.Join(t.TempDir(), "games"): "a multiple of 10000",
		"cube study none --a gnubg":                                              "no recorded games",
		"met --compute --cube learned":                                           "looks at positions",
	} {
		status, out, errs := runCommand(t, strings.Fields(args)...)
		if status == exitDone || out != "" || !strings.Contains(errs, want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: %d, %q, %q; %q expected", args, status, out, errs, want)
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
