package main

import (
	"flag"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"
)

// TestMain runs more of the parallel tests at once than there are processors, unless it is told how
// many: they wait for processes.
func TestMain(m *testing.M) {
	parallel := flag.Lookup("test.parallel")
	least := strconv.Itoa(max(4, runtime.GOMAXPROCS(0)))
	if err := parallel.Value.Set(least); err != nil { // go test's own flag comes after it
		panic(err)
	}
	os.Exit(m.Run())
}

// killing is a long command that a test kills at random moments.
type killing struct {
	args  string
	out   string // the file that it writes, in its directory
	state string // pattern, after out's name, of the file it goes on from
	kills int

	prepare func(dir string)   // nil for none
	after   func(final string) // looks at the directory after each kill; nil for none
}

// run kills the command with SIGKILL and starts it again, and fails unless it ends
// with the file of an undisturbed run, which is never there but whole. It returns
// the directory of the killed ones.
func (k *killing) run(t *testing.T) string {
	t.Helper()
	sameWithAllKernels(t)
	quiet, shaken := t.TempDir(), t.TempDir()
	for _, dir := range []string{quiet, shaken} {
		if k.prepare != nil {
			k.prepare(dir)
		}
	}
	begun := time.Now()
	if c := child(quiet, k.args); c.Run() != nil {
		t.Fatal(c.Stderr)
	}
	took := time.Since(begun)
	want, err := os.ReadFile(filepath.Join(quiet, k.out))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	final := filepath.Join(shaken, k.out)
	resumed := 0
	for kills := 0; kills < k.kills; {
		c := child(shaken, k.args)
		before, _ := filepath.Glob(final + k.state)
		begun := time.Now()
		after := took/20 + time.Duration(rng.Int64N(int64(took/2)))
		waits := kills%2 == 1
		if waits { // until there is something to go on from, however slow the machine
			after /= 4
		}
		err := runAndKill(c, func() bool {
			m, _ := filepath.Glob(final + k.state)
			return !waits || len(m) > 0
		}, after)
		if killedBy(err) {
			kills++
		} else if err != nil {
			t.Fatalf("after %d kills: %v\n%s", kills, err, c.Stderr)
		}
		if err == nil && len(before) == 0 {
			// The first run was slow, as on a busy machine or without a bearoff database:
			// kills are to come while the command runs.
			took = min(took, time.Since(begun))
		}
		if k.after != nil {
			k.after(final)
		}
		if m, _ := filepath.Glob(final + k.state); len(m) > 0 {
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
		t.Error("no run was killed after it had something to go on from: nothing was tested")
	}
	if c := child(shaken, k.args); c.Run() != nil {
		t.Fatal(c.Stderr)
	}
	sameFile(t, final, want)
	return shaken
}

// sameWithAllKernels skips a test in the short form, which is for other kernels.
func sameWithAllKernels(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("shows the same with all kernels")
	}
}

// runAndKill starts a command and kills it with SIGKILL a while after it is ready, if
// it has not ended by then. It returns what Wait returns.
func runAndKill(c *exec.Cmd, ready func() bool, after time.Duration) error {
	if err := c.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	var due time.Time
	for {
		if due.IsZero() && ready() {
			due = time.Now().Add(after)
		}
		if !due.IsZero() && !time.Now().Before(due) {
			_ = c.Process.Kill() // it may have ended
			return <-ended
		}
		select {
		case err := <-ended:
			return err
		case <-time.After(time.Millisecond / 2):
		}
	}
}

// curveIsWhole fails if the learning curve beside a net has half a line.
func curveIsWhole(t *testing.T) func(final string) {
	return func(final string) {
		if curve, err := os.ReadFile(final + ".curve.jsonl"); err == nil {
			checkLines(t, curve)
		}
	}
}
