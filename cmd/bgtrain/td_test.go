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
	k := killing{
		args: "td --games 400 --round 4 --hidden 6 --inputs tesauro --amplify 3 --replay 200 --workers 2 --checkpoint-every 5ms -o td.safetensors",
		out:  "td.safetensors", state: ".checkpoint", kills: 20, after: curveIsWhole(t),
	}
	noLeftovers(t, k.run(t), "td.safetensors", "td.safetensors.curve.jsonl", "td.safetensors.curve.svg")
}

func TestTDCommand(t *testing.T) {
	dir := t.TempDir()
	status, out, log := bgtrainIn(t, dir, strings.Fields("td --games 64 --round 16 --hidden 4 --inputs tesauro --match-every 32 --match-games 4 -o a.safetensors")...)
	if status != exitDone || !strings.Contains(out, "a.safetensors: 64 games") {
		t.Fatalf("status %d, %q, %q", status, out, log)
	}
	curve, err := os.ReadFile(filepath.Join(dir, "a.safetensors.curve.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	checkLines(t, curve)
	if strings.Count(string(curve), `"pubeval":`) != 2 {
		t.Errorf("two matches expected in the curve:\n%s", curve)
	}
	status, _, log = bgtrainIn(t, dir, strings.Fields("td --games 128 --round 16 --inputs tesauro --from a.safetensors -o b.safetensors")...)
	if status != exitDone {
		t.Fatalf("--from: status %d, %q", status, log)
	}
	for _, c := range []struct{ args, want string }{
		{"td", "-o NET"},
		{"td -o x --alpha 0", "learning rates"},
		{"td -o x --opponent gnubg", "pipcount"},
		{"td -o x --inputs nothing --games 4", "unknown inputs"},
		{"td -o x --from nothing.safetensors", "nothing.safetensors"},
	} {
		if status, _, log := bgtrainIn(t, dir, strings.Fields(c.args)...); status == exitDone || !strings.Contains(log, c.want) {
			t.Errorf("%s: status %d, %q; %q expected", c.args, status, log, c.want)
		}
	}
}
