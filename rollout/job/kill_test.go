package job

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"bgtrain/internal/bgtest"
	"bgtrain/rollout"
)

// killDir names the directory that a child process works in.
const (
	killDir  = "BGTRAIN_TEST_ROLLOUT_DIR"
	killName = "BGTRAIN_TEST_ROLLOUT_NAME" // of its output
)

// rollOutDir rolls out dir/in.parquet into dir/NAME, one shard after the other.
func rollOutDir(t testing.TB, dir, name string, workers, shards int) {
	t.Helper()
	have := Nets{}
	j := openJob(t, Settings{
		Kind:   Rollout,
		Player: Player{Net: have.Add(randomNets(1, 8)), TwoSided: -1}, SmallNet: have.Add(randomNets(2, 4)),
		Rollout: rollout.Options{Trials: 36, Truncate: 3, Luck: rollout.LuckPicked, Picks: 1, Seed: 5},
	}, have)
	for shard := range shards {
		d := Database{
			Input: openDB(t, filepath.Join(dir, "in.parquet")), Output: filepath.Join(dir, name), Chunk: 4,
			Shard: shard, Shards: shards,
		}
		if _, err := d.Make(t.Context(), j, Local{workers}, Hooks{}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestChild is not a test but the process that TestKilled kills.
func TestChild(t *testing.T) {
	dir := os.Getenv(killDir)
	if dir == "" {
		t.Skip("only as a child process of TestKilled")
	}
	fmt.Println("begun")
	rollOutDir(t, dir, os.Getenv(killName), 2, 1)
}

// A rollout that is killed at any moment and started again ends with the rows of
// one that was not; so does one in shards, or with other numbers of workers.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	writeDB(t, filepath.Join(dir, "in.parquet"), bgtest.Distinct(21, 24))
	rollOutDir(t, dir, "whole", 1, 1)
	want := readAll(t, filepath.Join(dir, "whole"))
	same := func(name string) {
		t.Helper()
		if got := readAll(t, filepath.Join(dir, name)); !slices.Equal(got, want) {
			t.Errorf("%s: rows differ from those of an undisturbed rollout", name)
		}
	}
	rollOutDir(t, dir, "shards", 7, 3)
	same("shards")

	for _, name := range []string{"killed", "killed.parquet"} {
		killed(t, dir, name, same)
	}
}

// killed kills rollouts into dir/NAME, a directory or a file, and lets one end.
func killed(t *testing.T, dir, name string, same func(name string)) {
	out := filepath.Join(dir, name)
	parts, kills := out, 0
	if IsFile(name) {
		parts += partsSuffix
	}
	rng := rand.New(rand.NewPCG(1, 2))
	longest, wanted := 100*time.Millisecond, 10
	if testing.Short() {
		wanted = 3
	}
	for kills < wanted {
		begun := time.Now()
		if killChild(t, dir, name, time.Duration(rng.Int64N(int64(longest)))) {
			kills++
		} else {
			// It came to its end: that is how long it takes. Begin again.
			longest = time.Since(begun) / 2
			same(name)
			if err := os.RemoveAll(out); err != nil {
				t.Fatal(err)
			}
			continue
		}
		// Whatever is there under the name of a part, or of the file, is whole.
		there, err := filepath.Glob(filepath.Join(parts, "part-*.parquet"))
		if err != nil {
			t.Fatal(err)
		}
		if IsFile(name) {
			if _, err := os.Stat(out); err == nil {
				there = append(there, out)
			}
		}
		for _, path := range there {
			if err := readThrough(t.Context(), openDB(t, path)); err != nil {
				t.Errorf("after kill %d: %v", kills, err)
			}
		}
	}
	rollOutDir(t, dir, name, 2, 1)
	same(name)
	if _, err := os.Stat(out + partsSuffix); err == nil {
		t.Error("the parts of the file are still there")
	}
	leftovers, err := filepath.Glob(filepath.Join(dir, name+"*", "*.tmp-*"))
	if err != nil || len(leftovers) > 0 {
		t.Errorf("temporary files are left: %v (%v)", leftovers, err)
	}
}

// killChild runs the child and kills it after a while. It returns false if the
// child ended before.
func killChild(t *testing.T, dir, name string, after time.Duration) bool {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestChild$")
	cmd.Env = append(os.Environ(), killDir+"="+dir, killName+"="+name)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if !bufio.NewScanner(out).Scan() {
		t.Fatal("the child said nothing")
	}
	time.Sleep(after)
	if err := cmd.Process.Kill(); err != nil && cmd.ProcessState == nil {
		t.Logf("kill: %v", err)
	}
	return cmd.Wait() != nil
}
