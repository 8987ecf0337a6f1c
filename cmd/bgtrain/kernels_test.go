package main

import (
	"os"
	"strings"
	"testing"

	"bgtrain/internal/cpu"
)

// portably runs a command in dir on the portable kernels, in a process of its own.
func portably(t *testing.T, dir, args string) {
	t.Helper()
	c := child(dir, args)
	c.Env = append(c.Env, cpu.EnvVar+"=go")
	if err := c.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", args, err, c.Stderr)
	}
}

// TestFilesSayTheirKernels makes a file of each command whose results depend on the
// processor, on portable kernels: the file says so.
func TestFilesSayTheirKernels(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	const want = "portable"
	for _, c := range []struct{ args, out string }{
		{"td --games 4 --round 2 --hidden 4 -o td.safetensors", "td.safetensors"},
		{"generate -n 40 --net td --two-sided 2 --share contact=1 -o some.parquet", "some.parquet"},
		{"label some.parquet --net td --two-sided 2 --ply 0 -o labels/", "labels"},
		{"rollout some.parquet --net td --two-sided 2 --trials 36 --truncate 1 -o rolled/", "rolled"},
		{"train labels --from td --epochs 1 --validation 0.2 --nets contact -o trained.safetensors",
			"trained.safetensors"},
		{"makebm -n 1 --class contact --net td --trials 36 --truncate 1 --target-se 0 --candidate-ply 0 " +
			"--two-sided 2 -o made.bm", "made.bm"},
	} {
		portably(t, dir, c.args)
		status, out, errs := runCommand(t, "info", "--json", c.out)
		if c.out == "made.bm" {
			data, err := os.ReadFile(c.out)
			if err != nil {
				t.Fatal(err)
			}
			out = string(data)
		}
		if status != exitDone || !strings.Contains(out, `"kernels":"`+want) && !strings.Contains(out, "; kernels "+want) {
			t.Errorf("%s: nothing of kernels %s: %s%s", c.args, want, out, errs)
		}
	}
}

// TestRunsStayOnTheirKernels begins work on portable kernels and goes on with it on the
// processor's own, which round otherwise: that is refused, and the word kernels explains why.
func TestRunsStayOnTheirKernels(t *testing.T) {
	if cpu.Level() == cpu.Go {
		t.Skip("this processor has portable kernels only")
	}
	dir := t.TempDir()
	t.Chdir(dir)
	if status, _, errs := runCommand(t, strings.Fields(
		"generate -n 40 --net td --two-sided 2 --share contact=1 -o some.parquet")...); status != exitDone {
		t.Fatal(errs)
	}
	for _, c := range []struct{ before, after string }{
		{"label some.parquet --net td --two-sided 2 --ply 0 --chunk 10 --shard 0/2 -o labels/", "--shard 1/2"},
		{"rollout some.parquet --net td --two-sided 2 --trials 36 --truncate 1 --chunk 10 --shard 0/2 -o rolled/",
			"--shard 1/2"},
		{"match td pubeval --games 10 --two-sided 2 --log games.log", "--games 20"},
	} {
		portably(t, dir, c.before)
		args := strings.Fields(c.before + " " + c.after)
		if status, _, errs := runCommand(t, args...); status != exitFail || !strings.Contains(errs, "kernels") ||
			!strings.Contains(errs, "portable") || !strings.Contains(errs, "vector") {
			t.Errorf("%s: status %d, %s", c.before, status, errs)
		}
		portably(t, dir, c.before+" "+c.after)
	}
}
