package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
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
		{"rollout --cube gnubg " + moneyXGID + " -o cubes/", exitUsage, "for an ID"},
		{"rollout --cube gnubg " + moneyXGID + " -o no/cube.json", exitFail, "no"},
		{"rollout --cube gnubg --chunk 5 " + moneyXGID + " -o cube.json", exitUsage, "--chunk"},
		{"rollout --cube none " + moneyXGID + " -o cube.json --dice 31", exitUsage, "--dice"},
		{"eval --rollout 1 " + moneyXGID, exitUsage, "--rollout 1"},
	} {
		status, out, errs := runCommand(t, strings.Fields(c.args+" --net td --two-sided 2")...)
		if status != c.status || out != "" || !strings.Contains(errs, c.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: %d, %q %q; %d, %q expected", c.args, status, out, errs, c.status, c.want)
		}
	}
}

const partsOfCube = "rollout --cube gnubg " + matchXGID + " " + rolledXGID + " --net td --two-sided 2 --trials 396 " +
	"--truncate 6 --plays 3 --workers 1 -o cube.json"

// Killed at any moment, the same command goes on from the parts that are done, to the same bytes: what is printed
// without a file, but for the time.
func TestRolloutCubeGoesOn(t *testing.T) {
	k := killing{args: partsOfCube, out: "cube.json", state: ".journal", kills: 4}
	dir := k.run(t)
	noLeftovers(t, dir, "cube.json")
	text, err := os.ReadFile(filepath.Join(dir, "cube.json"))
	if err != nil {
		t.Fatal(err)
	}
	plain, _, _ := strings.Cut(partsOfCube, " -o")
	status, out, log := bgtrainIn(t, dir, strings.Fields(plain+" --workers 3 --json")...)
	if out = regexp.MustCompile(`,"elapsed_s":[0-9.e-]+`).ReplaceAllString(out, ""); status != exitDone || out != string(text) {
		t.Errorf("%s%s: the file has %s", log, out, text)
	}
	// It goes on after a part, and refuses what is another run's, or finished.
	if status, _, log := bgtrainIn(t, dir, strings.Fields(partsOfCube)...); status != exitFail ||
		!strings.Contains(log, "--force") {
		t.Errorf("%d: %s", status, log)
	}
	c := child(dir, partsOfCube+" --force")
	killAfterParts(t, c, dir)
	if status, _, log := bgtrainIn(t, dir, strings.Fields(partsOfCube+" --force --seed 2")...); status != exitFail ||
		!strings.Contains(log, "seed") || strings.Count(log, "\n") != 1 {
		t.Errorf("%d: %s", status, log)
	}
	if status, _, log := bgtrainIn(t, dir, strings.Fields(partsOfCube+" --force")...); status != exitDone ||
		!strings.Contains(log, "going on after ") {
		t.Errorf("%d: %s", status, log)
	}
	sameFile(t, filepath.Join(dir, "cube.json"), text)
}

// Three workers of a farm, one of them killed in the middle, make the same file, also where
// the command itself is killed meanwhile.
func TestRolloutCubeOnAFarm(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts many processes")
	}
	dir := t.TempDir()
	if c := child(dir, strings.Replace(partsOfCube, "cube.json", "here.json", 1)); c.Run() != nil {
		t.Fatal(c.Stderr)
	}
	want, err := os.ReadFile(filepath.Join(dir, "here.json"))
	if err != nil {
		t.Fatal(err)
	}
	url := startFarm(t, dir)
	var workers []*exec.Cmd
	for range 3 {
		c, _ := startChild(t, dir, "worker --store cache --workers 1 --farm "+url)
		workers = append(workers, c)
	}
	args := partsOfCube + " --audit 0.1 --farm " + url
	c := child(dir, args)
	killAfterParts(t, c, dir)
	_ = workers[0].Process.Kill() // it may hold a part
	c = child(dir, args)
	if log, err := c.Stderr.(*bytes.Buffer), c.Run(); err != nil || !strings.Contains(log.String(), "going on after") {
		t.Fatalf("%v: %s", err, log)
	}
	sameFile(t, filepath.Join(dir, "cube.json"), want)
	if _, err := os.Stat(filepath.Join(dir, "cube.json.journal")); err == nil {
		t.Error("the journal is left")
	}
}

// killAfterParts starts a command that writes cube.json and kills it when some parts are done.
func killAfterParts(t *testing.T, c *exec.Cmd, dir string) {
	t.Helper()
	err := runAndKill(c, func() bool {
		text, _ := os.ReadFile(filepath.Join(dir, "cube.json.journal"))
		return strings.Count(string(text), "\n") > 3
	}, 0)
	if !killedBy(err) {
		t.Fatalf("%v: %s", err, c.Stderr)
	}
}
