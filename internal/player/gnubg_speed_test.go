//go:build integration && linux

package player

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"bgtrain/internal/bg"
	"bgtrain/internal/gnubgtest"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"

	"golang.org/x/sys/unix"
)

// BenchmarkBesideGNUbg evaluates contact positions by turns here, as
// BenchmarkContactEvaluations does, and in GNU Backgammon by its command
// calibrate, on one core, and reports both rates and their ratio (medians), for
// nets of its size, for those of fast and default, which ship, and for the net file
// that the environment variable BGTRAIN_NET names. Rates are by processor time. Run
// it with -benchtime 5x or so: five turns.
func BenchmarkBesideGNUbg(b *testing.B) {
	b.Run("250-128-5", func(b *testing.B) { besideGNUbg(b, stockNets(b, nn.SigmoidGNUbg, nil)) })
	files := []string{"../../data/nets/fast.safetensors", "../../data/nets/default.safetensors"}
	if file := os.Getenv("BGTRAIN_NET"); file != "" {
		files = append(files, file)
	}
	for _, file := range files {
		set, err := nets.Read(file)
		if err != nil {
			b.Fatal(err)
		}
		p, err := New(set, nil, Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(filepath.Base(file), func(b *testing.B) { besideGNUbg(b, p) })
	}
}

func besideGNUbg(b *testing.B, p *Player) {
	binary := gnubgtest.Binary(b)
	runtime.LockOSThread() // for good: the thread keeps to one core
	var cores unix.CPUSet
	if err := unix.SchedGetaffinity(0, &cores); err != nil {
		b.Fatal(err)
	}
	for core := 0; ; core++ {
		if cores.IsSet(core) {
			cores.Zero()
			cores.Set(core)
			break
		}
	}
	if err := unix.SchedSetaffinity(0, &cores); err != nil { // programs it starts too
		b.Fatal(err)
	}
	e := p.NewEvaluator()
	batches := contactBatches(b)
	var ours, theirs, ratios []float64
	for b.Loop() {
		ours = append(ours, evaluateFor(e, batches, 500*time.Millisecond))
		theirs = append(theirs, calibrate(b, binary))
		ratios = append(ratios, ours[len(ours)-1]/theirs[len(theirs)-1])
	}
	median := func(x []float64) float64 {
		slices.Sort(x)
		return x[len(x)/2]
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(ours), "evals/cpu-s")
	b.ReportMetric(median(theirs), "gnubg-evals/cpu-s")
	b.ReportMetric(median(ratios), "times-gnubg")
}

// evaluateFor returns the evaluations per second of processor time.
func evaluateFor(e *Evaluator, batches [][]bg.Board, used time.Duration) float64 {
	out := make([]bg.Outputs, batchSize)
	start, n := cpuTime(), 0
	for cpuTime()-start < used {
		for _, batch := range batches {
			e.EvaluateBatch(batch, out)
			n += len(batch)
		}
	}
	return float64(n) / (cpuTime() - start).Seconds()
}

// calibrate returns the same for GNU Backgammon: the difference between a long
// and a short run, so that its start does not count.
func calibrate(b *testing.B, binary string) float64 {
	run := func(turns int) time.Duration {
		commands := filepath.Join(b.TempDir(), "commands")
		text := fmt.Sprintf("set threads 1\ncalibrate %d\n", turns)
		if err := os.WriteFile(commands, []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
		cmd := exec.Command(binary, "-t", "-q", "-r", "-s", b.TempDir(), "-c", commands)
		said, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(said), "Calibration result") {
			b.Fatalf("gnubg: %v\n%s", err, said)
		}
		return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	const short, long, evaluationsPerTurn = 1, 100, 1024
	return (long - short) * evaluationsPerTurn / (run(long) - run(short)).Seconds()
}
