package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// startChild starts a command that goes on until the test ends.
func startChild(t *testing.T, dir, args string, env ...string) (c *exec.Cmd, log *bytes.Buffer) {
	t.Helper()
	c = child(dir, args)
	c.Env = append(c.Env, env...)
	log = &bytes.Buffer{}
	c.Stderr = log
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Signal(syscall.SIGTERM) // it may have ended
		_ = c.Wait()
	})
	return c, log
}

// startFarm starts a farm and returns its URL.
func startFarm(t *testing.T, dir string) string {
	t.Helper()
	c := child(dir, "farm --listen 127.0.0.1:0 --store store")
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Signal(syscall.SIGTERM) // it may have ended
		_ = c.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "nats://127.0.0.1:") {
		t.Fatalf("the farm says %q, %v: %v", line, err, c.Stderr)
	}
	return strings.TrimSpace(line)
}

// farmRuns are the commands that a farm computes for, and what they write.
var farmRuns = []struct{ args, out string }{
	{"rollout in.parquet -o rolled --net td --two-sided 2 --trials 36 --truncate 2 --chunk 5", "rolled"},
	{"rollout in.parquet -o followed --net fast --two-sided 2 --follow --truncate 5 --chunk 5", "followed"},
	{"label in.parquet -o labeled --net td+fast --two-sided 2 --ply 1 --chunk 7", "labeled"},
	{"makebm -n 4 --class contact,race --net td --two-sided 2 --candidate-ply 0 --trials 36 --truncate 2 --seed 3 " +
		"-o made.bm", "made.bm"},
	{"makebm --cube jump=0.08 -n 5 --net td --two-sided 2 --trials 36 --truncate 2 --luck none --seed 3 -o cubes.bm",
		"cubes.bm"},
	{"rollout --cube gnubg " + matchXGID + " " + rolledXGID + " --net td --two-sided 2 --trials 100 --truncate 3 " +
		"-o cube.json", "cube.json"},
}

// The same files here, in shards and on a farm, with 1 and 5 workers; another
// processor tier that rounds otherwise takes no part.
func TestFarmMakesTheSameFiles(t *testing.T) {
	sameWithAllKernels(t)
	t.Parallel()
	dir := t.TempDir()
	command := func(at, args string) string {
		t.Helper()
		at = filepath.Join(dir, at)
		if err := os.MkdirAll(at, 0o755); err != nil {
			t.Fatal(err)
		}
		if raw, err := os.ReadFile(filepath.Join(dir, "in.parquet")); err == nil {
			if err := os.WriteFile(filepath.Join(at, "in.parquet"), raw, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		c := child(at, args)
		out, err := c.Output()
		if err != nil {
			t.Fatalf("%s: %v\n%v", args, err, c.Stderr)
		}
		return string(out)
	}
	command(".", "generate -n 24 --net td --two-sided 2 --share contact=2,race=1 -o in.parquet")
	for _, r := range farmRuns {
		command("one", r.args+" --workers 1")
		command("five", r.args+" --workers 5")
		if !strings.Contains(r.out, ".") {
			command("shards", r.args+" --shard 1/2")
			command("shards", r.args+" --shard 0/2")
		}
	}
	url := startFarm(t, dir)
	_, stranger := startChild(t, dir, "worker --store strange --workers 1 --farm "+url, "BGTRAIN_CPU=go")
	startChild(t, dir, "worker --store cache --workers 1 --farm "+url)
	begun := 1
	for _, workers := range []int{1, 5} {
		for ; begun < workers; begun++ {
			startChild(t, dir, "worker --store cache --workers 1 --farm "+url)
		}
		for _, r := range farmRuns {
			command(fmt.Sprint("farm", workers), r.args+" --audit 0.3 --farm "+url)
		}
	}
	for _, r := range farmRuns {
		names := []string{r.out}
		if !strings.Contains(r.out, ".") {
			m, err := filepath.Glob(filepath.Join(dir, "one", r.out, "*"))
			if err != nil || len(m) < 4 {
				t.Fatalf("%d parts, %v", len(m), err)
			}
			names = names[:0]
			for _, path := range m {
				names = append(names, filepath.Join(r.out, filepath.Base(path)))
			}
		}
		for _, name := range names {
			want, err := os.ReadFile(filepath.Join(dir, "one", name))
			if err != nil {
				t.Fatal(err)
			}
			for _, at := range []string{"five", "shards", "farm1", "farm5"} {
				if at == "shards" && strings.Contains(r.out, ".") {
					continue
				}
				sameFile(t, filepath.Join(dir, at, name), want)
			}
		}
	}
	if status := command(".", "farm status --farm "+url); !strings.HasPrefix(status, "0 runs\n6 workers\n") {
		t.Errorf("status: %s", status)
	}
	if log := stranger.String(); !strings.Contains(log, "rounds otherwise") {
		t.Errorf("a worker in pure Go says %s", log)
	}
}

func TestFarmMistakes(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"farm", exitUsage, "--store DIR is missing"},
		{"farm --store x --listen 0.0.0.0:4222", exitUsage, "a TLS certificate and keys are needed"},
		{"farm --store x --listen nowhere", exitUsage, "HOST:PORT expected"},
		{"farm --store x --keys nothing", exitFail, "nothing"},
		{"farm accounts", exitUsage, "one file of keys expected"},
		{"farm accounts nothing", exitFail, "nothing"},
		{"farm --store x --tls-cert a", exitUsage, "belong together"},
		{"farm key -o x", exitUsage, "--name NAME expected"},
		{"farm key -o x --name oak --role king", exitFail, "king"},
		{"farm status", exitUsage, "--farm URL expected"},
		{"worker", exitUsage, "--farm URL expected"},
		{"worker --farm http://x", exitUsage, "nats://HOST:PORT"},
		{"worker --farm nats://x --workers -1", exitUsage, "--workers"},
		{"rollout a.parquet -o b --farm nats://user:secret@", exitUsage, "nats://HOST:PORT"},
		{"rollout a.parquet -o b --farm nats://127.0.0.1:1 --audit some", exitUsage, "some"},
		{"rollout a.parquet -o b --audit 1%", exitUsage, "--farm URL expected"},
		{"rollout 4HPwATDgc/ABMA --farm nats://127.0.0.1:1", exitUsage, "-o DB2"},
		{"rollout --cube gnubg 4HPwATDgc/ABMA --farm nats://127.0.0.1:1", exitUsage, "-o FILE"},
		{"rollout --cube learned=no.life 4HPwATDgc/ABMA -o a.json --farm nats://127.0.0.1:1", exitUsage, "no.life"},
		{"rollout --cube gnubg 4HPwATDgc/ABMA -o a.json --farm http://a:1", exitUsage, "nats://HOST:PORT"},
		{"label a.parquet -o b --farm nats://127.0.0.1:1 --replicas 9", exitUsage, "--replicas 9"},
	} {
		status, _, log := bgtrainIn(t, dir, strings.Fields(c.args)...)
		if status != c.status || !strings.Contains(log, c.want) || strings.Contains(log, "secret") {
			t.Errorf("%s: status %d, %q; want %d, %q", c.args, status, log, c.status, c.want)
		}
	}
	noLeftovers(t, dir)
	// A key is made once, and its line is what the farm reads.
	status, line, log := bgtrainIn(t, dir, "farm", "key", "-o", "oak.key", "--name", "oak")
	if status != exitDone || !strings.HasPrefix(line, "worker oak U") {
		t.Errorf("farm key: %d, %q, %s", status, line, log)
	}
	if seed, err := os.ReadFile("oak.key"); err != nil || strings.Contains(line, strings.TrimSpace(string(seed))) {
		t.Errorf("the key's line %q has its secret (%v)", line, err)
	}
	if status, _, _ := bgtrainIn(t, dir, "farm", "key", "-o", "oak.key", "--name", "oak"); status != exitFail {
		t.Errorf("a key was overwritten: status %d", status)
	}
}

// A command that is stopped and a farm that comes later: the same command goes on.
func TestFarmCommandGoesOn(t *testing.T) {
	sameWithAllKernels(t)
	dir := t.TempDir()
	if status, _, log := bgtrainIn(t, dir,
		strings.Fields("generate -n 40 --net td --two-sided 2 --share contact=1 -o "+
			"in.parquet")...); status != exitDone {
		t.Fatal(log)
	}
	url := startFarm(t, dir)
	args := "rollout in.parquet -o rolled --net td --two-sided 2 --trials 36 --truncate 3 --chunk 4 --farm " + url
	startChild(t, dir, "worker --store cache --workers 1 --farm "+url)
	for _, sig := range []os.Signal{os.Kill, os.Interrupt} {
		c, _ := startChild(t, dir, args)
		for range 400 {
			if m, _ := filepath.Glob(filepath.Join(dir, "rolled", "part-*.parquet")); len(m) > 0 {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		_ = c.Process.Signal(sig) // it may have finished
		_ = c.Wait()
	}
	c := child(dir, args)
	if err := c.Run(); err != nil {
		t.Fatalf("%v\n%v", err, c.Stderr)
	}
	if status, _, log := bgtrainIn(t, dir,
		strings.Fields("rollout in.parquet -o rolled --net td --two-sided 2 --trials 36 --truncate 3 --chunk "+
			"4 --json")...); status != exitDone {
		t.Errorf("the same command without a farm: %s", log)
	}
	db, out, log := bgtrainIn(t, dir, "info", "rolled")
	if db != exitDone || strings.Contains(out, "nats://") || strings.Contains(out, "cache") {
		t.Errorf("provenance: %s%s", out, log)
	}
}
