package main

import (
	"encoding/json"
	"strings"
	"testing"

	"bgtrain/rollout/job"
)

// With dice, of the command line or of the ID, the plays of the roll are rolled
// out, the best first.
func TestRolloutOfPlays(t *testing.T) {
	const flags = " --net td --two-sided 2 --trials 72 --truncate 2 --json --plays 3"
	var first string
	for _, args := range []string{
		"rollout 4HPwATDgc/ABMA --dice 31" + flags,
		"rollout XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10 --workers 3" + flags,
	} {
		status, out, errs := runCommand(t, strings.Fields(args)...)
		if status != exitDone || errs != "" {
			t.Fatalf("%s: %s", args, errs)
		}
		if first == "" {
			first = out
		}
		if out != first {
			t.Errorf("%s:\n%s\nwant\n%s", args, out, first)
		}
	}
	lines := strings.Split(strings.TrimSpace(first), "\n")
	if len(lines) != 3 {
		t.Fatalf("%d plays: %s", len(lines), first)
	}
	before := 9.0
	for i, line := range lines {
		var p job.RolledPlay
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			t.Fatal(err)
		}
		if p.Dice != "31" || p.Trials != 72 || p.Equity > before || (i == 0) != (p.DifferenceSE == 0) ||
			p.Difference > 0 {
			t.Errorf("%+v after an equity of %v", p, before)
		}
		if i == 0 && p.Play != "8/5 6/5" {
			t.Errorf("best play %s", p.Play)
		}
		before = p.Equity
	}
	if _, table, _ := runCommand(t,
		strings.Fields("rollout 4HPwATDgc/ABMA --dice 31 --net td --two-sided 2 --trials 36 "+
			"--truncate 1")...); !strings.Contains(table, "common dice") ||
		!strings.Contains(table, "difference") || strings.Count(table, "±") != 9 {
		t.Errorf("%s", table)
	}
}

// What a position says of match and cube is used or said to be unused; a board
// without checkers is none.
func TestNothingOfAnIDIsDropped(t *testing.T) {
	const unused = "the score and the cube are not used"
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"eval --net td --two-sided 2 XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:4:0:7:10", exitDone, ""},
		{"eval --net td --two-sided 2 --cube none XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:4:0:7:10", exitDone, unused},
		{"eval --net td --two-sided 2 XGID=-b----E-C---eE---c-e----B-:0:0:1:31:3:4:0:7:10", exitDone, unused},
		{"eval --net td --two-sided 2 --dice 31 XGID=-b----E-C---eE---c-e----B-:1:1:1:00:0:0:0:0:10", exitDone, unused},
		{"eval --net td --two-sided 2 4HPwATDgc/ABMA:QYkqASAAIAAA", exitDone, unused}, // it has dice
		{"eval --net td --two-sided 2 XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", exitDone, ""},
		{"eval --net td --two-sided 2 --cube janowski=0.7 XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:4:0:7:10",
			exitDone, ""},
		{"eval --net td --two-sided 2 AAAAAAAAAAAAAAAAAAAA", exitFail, "no checker on the board"},
		{"rollout --net td --two-sided 2 --trials 36 --truncate 1 " +
			"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:4:0:7:10", exitDone, unused},
		{"rollout --net td AAAAAAAAAAAAAAAAAAAA", exitFail, "no checker on the board"},
		{"rollout 4HPwATDgc/ABMA --dice 71", exitUsage, "dice"},
		{"rollout 4HPwATDgc/ABMA --dice 31 --plays 0", exitUsage, "--plays 0"},
		{"rollout x.parquet -o y --dice 31", exitUsage, "--dice and --plays are for an ID"},
	} {
		status, _, errs := runCommand(t, strings.Fields(c.args)...)
		if status != c.status || c.want == "" && errs != "" || !strings.Contains(errs, c.want) {
			t.Errorf("%s: status %d, %q; %d, %q expected", c.args, status, errs, c.status, c.want)
		}
	}
}
