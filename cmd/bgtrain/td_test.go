package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTDSurvivesKill kills a TD training with SIGKILL at random moments, 20
// times: it goes on from its checkpoints and ends with the file of an undisturbed
// run.
func TestTDSurvivesKill(t *testing.T) {
	t.Parallel()
	k := killing{
		args: "td --games 400 --round 4 --hidden 6 --inputs tesauro --workers 2 " +
			"--checkpoint-every 5ms -o td.safetensors",
		out: "td.safetensors", state: ".checkpoint", kills: 20, after: curveIsWhole(t),
	}
	noLeftovers(t, k.run(t), "td.safetensors", "td.safetensors.curve.jsonl", "td.safetensors.curve.svg")
}

// TestEstimatedTDSurvivesKill does the same with a memory and Adam's moments in the
// checkpoint.
func TestEstimatedTDSurvivesKill(t *testing.T) {
	t.Parallel()
	k := killing{
		args: "td --games 60 --round 2 --hidden 6 --inputs hilton-198 --phases 1 --outputs 1 --estimator " +
			"pipcount:0@0,net:0@30 " +
			"--replay 2000 --minibatches 20 --workers 2 --checkpoint-every 1ms -o td.safetensors",
		out: "td.safetensors", state: ".checkpoint", kills: 6, after: curveIsWhole(t),
	}
	noLeftovers(t, k.run(t), "td.safetensors", "td.safetensors.curve.jsonl", "td.safetensors.curve.svg")
}

func TestTDCommand(t *testing.T) {
	dir := t.TempDir()
	status, out, log := bgtrainIn(t, dir,
		strings.Fields("td --games 64 --round 16 --hidden 4 --inputs tesauro --match-every 32 --match-games 4 --window 3 "+
			"-o a.safetensors")...)
	if status != exitDone || !strings.Contains(out, "a.safetensors: 64 games") {
		t.Fatalf("status %d, %q, %q", status, out, log)
	}
	curve, err := os.ReadFile(filepath.Join(dir, "a.safetensors.curve.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	checkLines(t, curve)
	if strings.Count(string(curve), `"points_per_game":`) != 2 {
		t.Errorf("two matches expected in the curve:\n%s", curve)
	}
	svg, err := os.ReadFile(filepath.Join(dir, "a.safetensors.curve.svg"))
	if err != nil || strings.Count(string(svg), "mean of 3") != 2 || !strings.Contains(string(svg), "games won") ||
		strings.Count(string(curve), `"wins":`) != 2 {
		t.Errorf("points and wins with moving averages of 3 matches expected (%v):\n%s", err, curve)
	}
	for _, args := range []string{
		"td --games 128 --round 16 --from a.safetensors -o b.safetensors",
		"td --games 32 --from a.safetensors --inputs blog-2.4 --alpha 0.02@0,0.004@20 -o c.safetensors",
		"td --games 32 --hidden 8,6 --activation relu --alpha 0.01@0 --inputs hilton-326 --phases 1 --outputs 1 -o " +
			"d.safetensors",
		"td --games 32 --hidden 4 --inputs tesauro --symmetric --outputs 1 --init 0.1 --match-every 16 --match-games 4 " +
			"--match-against a.safetensors -o e.safetensors",
		"td --games 4 --round 2 --hidden 4 --inputs hilton-198 --phases 1 --outputs 1 --estimator " +
			"pipcount:0@0,net:0@2 --minibatches 5 -o f.safetensors",
	} {
		if status, _, log = bgtrainIn(t, dir, strings.Fields(args)...); status != exitDone {
			t.Fatalf("%s: status %d, %q", args, status, log)
		}
	}
	for _, c := range []struct{ args, want string }{
		{"td", "-o NET"},
		{"td -o x --alpha 0", "alpha"},
		{"td -o x --window 9", "--window go with"},
		{"td -o x --match-every 9 --window 0", "--window 0"},
		{"td -o x --alpha 0.1@0,0.02", "alpha"},
		{"td -o x --alpha 0.1@0,0.02@10 --alpha-end 0.1", "alpha-end"},
		{"td -o x --alpha 0.1@0 --alpha-end 0.001", "alpha-end"},
		{"td -o x --hidden 0", "hidden"},
		{"td -o x --activation step", "activation"},
		{"td -o x --outputs 2", "outputs 2"},
		{"td -o x --phases 4", "phases 4"},
		{"td -o x --from a.safetensors --inputs gnubg", "start from random weights"},
		{"td -o x --inputs nothing --games 4", "unknown inputs"},
		{"td -o x --from nothing.safetensors", "nothing.safetensors"},
	} {
		if status, _, log := bgtrainIn(t, dir, strings.Fields(c.args)...); status == exitDone ||
			!strings.Contains(log, c.want) {
			t.Errorf("%s: status %d, %q; %q expected", c.args, status, log, c.want)
		}
	}
}
