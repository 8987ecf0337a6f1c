package main

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"bgtrain/rollout/job"
)

const (
	quickCube  = " --net td --two-sided 2 --trials 36 --truncate 3 --seed 3"
	moneyXGID  = "XGID=--AABcB-D-ba-C-----bB--dc-:0:0:1:00:0:0:0:0:10"
	matchXGID  = "XGID=--AABcB-D-ba-C-----bB--dc-:0:0:1:00:3:4:0:7:10"
	ownedXGID  = "XGID=--AABcB-D-ba-C-----bB--dc-:1:-1:1:00:0:0:0:0:10"
	rolledXGID = "XGID=--AABcB-D-ba-C-----bB--dc-:1:1:1:31:3:4:0:7:10"
)

// A decision has its three equities, the difference and the action, in a match the chance
// to win it; the number of workers changes nothing; eval rolls out the same way.
func TestRolloutWithCube(t *testing.T) {
	elapsed := regexp.MustCompile(`"elapsed_s":[0-9.e-]+`)
	run := func(args string) (string, job.RolledCube) {
		status, out, errs := runCommand(t, strings.Fields(args)...)
		if status != exitDone || errs != "" {
			t.Fatalf("%s: %s", args, errs)
		}
		var r job.RolledCube
		if err := json.Unmarshal([]byte(out), &r); err != nil {
			t.Fatalf("%s: %v: %s", args, err, out)
		}
		return elapsed.ReplaceAllString(out, ""), r
	}
	one, money := run("rollout --cube gnubg --json --workers 1 " + moneyXGID + quickCube)
	if three, _ := run("rollout --cube gnubg --json --workers 3 " + moneyXGID + quickCube); three != one {
		t.Errorf("three workers: %s, one: %s", three, one)
	}
	if money.DoubleTake == nil || money.Gain.SE <= 0 || money.DoublePass != 1 || *money.Action == "" ||
		money.MWC != nil || money.Trials != 36 || money.NoDouble.Mean < 0.5 ||
		money.Method != "rollout trials=36 truncate=3 ply=0 vr cube=gnubg" {
		t.Errorf("%+v", money)
	}
	if _, match := run("rollout --cube jump=0.08 --json " + matchXGID + quickCube); match.MWC == nil ||
		match.MWC.Mean < 0.5 || match.MWC.Mean > 0.9 || !strings.Contains(match.State, "4 away against 3") {
		t.Errorf("%+v", match)
	}
	if _, owned := run("rollout --cube dead --json " + ownedXGID + quickCube); owned.DoubleTake != nil ||
		owned.Action != nil {
		t.Errorf("%+v", owned)
	}
	if _, jacoby := run("rollout --cube gnubg --jacoby --beavers --json " + moneyXGID + quickCube); !strings.Contains(
		jacoby.State, "Jacoby") || jacoby.NoDouble == money.NoDouble || !strings.HasSuffix(jacoby.Method, " beavers") {
		t.Errorf("%+v", jacoby)
	}
	status, text, errs := runCommand(t, strings.Fields("rollout --cube gnubg "+rolledXGID+" --plays 2"+quickCube)...)
	if status != exitDone || strings.Count(text, "±") != 3 || !strings.Contains(text, "common dice") {
		t.Errorf("%s%s", text, errs)
	}
	for id, want := range map[string]string{moneyXGID: "less no double", matchXGID: "win the match",
		rolledXGID: "±", "4HPwATDgc/ABMA": "win gammon"} {
		status, text, errs := runCommand(t, strings.Fields("eval --net td --two-sided 2 --rollout 2 --plays 1 "+id)...)
		_, rolled, _ := strings.Cut(text, "rolled out, 2 trials:")
		if status != exitDone || !strings.Contains(rolled, want) {
			t.Errorf("%s: %s%s", id, text, errs)
		}
	}
}

func TestRolloutWithCubeErrors(t *testing.T) {
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"rollout --cube sleepy " + moneyXGID, exitUsage, "jump=local"},
		{"rollout --beavers " + moneyXGID, exitUsage, "--cube"},
		{"rollout --met kazaross-xg2 " + matchXGID, exitUsage, "--cube"},
		{"rollout --cube gnubg --jacoby " + matchXGID, exitUsage, "for money"},
		{"rollout --cube gnubg x.parquet -o y.parquet", exitUsage, "for an ID"},
		{"rollout --cube gnubg AAAAAAAAAAAAAAAAAAAA", exitFail, "no checker"},
		{"rollout --cube gnubg " + strings.Replace(rolledXGID, ":1:1:1:31", ":1:0:1:31", 1), exitFail, "somebody must own"},
		{"rollout --cube gnubg " + strings.Replace(matchXGID, ":3:4:0:7", ":3:4:1:7", 1), exitFail, "Crawford"},
		{"eval --rollout 1 " + moneyXGID, exitUsage, "--rollout 1"},
	} {
		status, out, errs := runCommand(t, strings.Fields(c.args+" --net td --two-sided 2")...)
		if status != c.status || out != "" || !strings.Contains(errs, c.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: %d, %q %q; %d, %q expected", c.args, status, out, errs, c.status, c.want)
		}
	}
}
