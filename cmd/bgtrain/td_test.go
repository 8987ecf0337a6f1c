package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestTDSurvivesKill kills a TD training with SIGKILL at random moments, 20
// times: it goes on from its checkpoints and ends with the file of an undisturbed
// run.
func TestTDSurvivesKill(t *testing.T) {
	const args = "td --games 400 --round 4 --hidden 6 --inputs tesauro --amplify 3 --replay 200 --workers 2 --checkpoint-every 5ms -o td.safetensors"
	quiet, shaken := t.TempDir(), t.TempDir()
	begun := time.Now()
	if err := child(quiet, args).Run(); err != nil {
		t.Fatal(err)
	}
	took := time.Since(begun)
	want, err := os.ReadFile(filepath.Join(quiet, "td.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(5, 6))
	final := filepath.Join(shaken, "td.safetensors")
	resumed := 0
	for kills := 0; kills < 20; {
		c := child(shaken, args)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(took/20 + time.Duration(rng.Int64N(int64(took/4))))
		_ = c.Process.Kill() // it may have finished
		if err := c.Wait(); killedBy(err) {
			kills++
		} else if err != nil {
			t.Fatalf("after %d kills: %v\n%s", kills, err, c.Stderr)
		}
		if curve, err := os.ReadFile(final + ".curve.jsonl"); err == nil {
			checkLines(t, curve)
		}
		if _, err := os.Stat(final + ".checkpoint"); err == nil {
			resumed++
		}
		if _, err := os.Stat(final); err == nil {
			sameFile(t, final, want)
			if err := os.Remove(final); err != nil { // again from the beginning
				t.Fatal(err)
			}
		}
	}
	if resumed == 0 {
		t.Error("no run was killed after its first checkpoint: nothing was tested")
	}
	if err := child(shaken, args).Run(); err != nil {
		t.Fatal(err)
	}
	sameFile(t, final, want)
	noLeftovers(t, shaken, "td.safetensors", "td.safetensors.curve.jsonl", "td.safetensors.curve.svg")
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
