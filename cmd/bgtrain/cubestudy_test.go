package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestCubeRecordSurvivesKill kills a recording with SIGKILL at random moments and starts
// it again: no part is there but whole, and in the end all have the bytes of an
// undisturbed run, whatever the number of workers.
func TestCubeRecordSurvivesKill(t *testing.T) {
	sameWithAllKernels(t)
	t.Parallel()
	const args = "cube record td --games 640 --part 32 --two-sided 2 --seed 3 -o games --workers "
	quiet := t.TempDir()
	begun := time.Now()
	if c := child(quiet, args+"1"); c.Run() != nil {
		t.Fatal(c.Stderr)
	}
	took := time.Since(begun)
	want := partsOf(t, quiet)
	if len(want) != 20 {
		t.Fatalf("%d parts", len(want))
	}
	rng := rand.New(rand.NewPCG(5, 6))
	dir := t.TempDir()
	resumed, kills := 0, 0
	for kills < 10 {
		// Every second kill comes when some parts are there, however slow the machine.
		parts := 0
		if kills%2 == 1 {
			parts = 1 + rng.IntN(len(want)/2)
		}
		c := child(dir, args+"2")
		err := runAndKill(c, func() bool {
			there, _ := filepath.Glob(filepath.Join(dir, "games", "games-*.bin"))
			return len(there) >= parts
		}, time.Duration(rng.Int64N(int64(took/4))))
		if killedBy(err) {
			kills++
		} else if err != nil {
			t.Fatalf("after %d kills: %v\n%s", kills, err, c.Stderr)
		}
		got := partsOf(t, dir)
		for name, data := range got {
			if data != want[name] {
				t.Fatalf("after %d kills: %s is there and not that of an undisturbed run", kills, name)
			}
		}
		if len(got) > 0 && len(got) < len(want) {
			resumed++
		}
		if len(got) == len(want) { // again from the beginning
			if err := os.RemoveAll(filepath.Join(dir, "games")); err != nil {
				t.Fatal(err)
			}
		}
	}
	if resumed == 0 {
		t.Error("no run was killed between its first part and its last: nothing was tested")
	}
	if c := child(dir, args+"1"); c.Run() != nil {
		t.Fatal(c.Stderr)
	}
	if got := partsOf(t, dir); len(got) != len(want) {
		t.Errorf("%d parts", len(got))
	}
	names := []string{}
	for name := range want {
		names = append(names, filepath.Base(name))
	}
	noLeftovers(t, filepath.Join(dir, "games"), names...)
	noLeftovers(t, dir, "games")
}

// partsOf returns the whole files of a recording in a directory, by name.
func partsOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	parts := map[string]string{}
	names, err := filepath.Glob(filepath.Join(dir, "games", "games-*.bin"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		parts[filepath.Base(name)] = string(data)
	}
	return parts
}
