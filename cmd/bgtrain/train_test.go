package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"bgtrain/data"
	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
)

// trainingDB writes a database of positions from games of random plays, with
// outputs that follow the pip counts.
func trainingDB(t *testing.T, path string, perClass int) {
	t.Helper()
	w, err := dataset.Create(path, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	rng := rand.New(rand.NewPCG(1, 2))
	var plays bg.Plays
	var have [bg.NumClasses]int
	b := bg.Start
	for have[bg.Contact] < perClass || have[bg.Crashed] < perClass || have[bg.Race] < perClass {
		next := plays.Generate(&b, 1+rng.IntN(6), 1+rng.IntN(6))
		b = next[rng.IntN(len(next))]
		c := dataset.ClassOf(&b)
		if c == bg.Over {
			b = bg.Start
			continue
		}
		if have[c] >= perClass {
			continue
		}
		have[c]++
		win := float32(1 / (1 + math.Exp(float64(b.Me.Pips()-b.Opp.Pips())/30)))
		row := dataset.Row{Key: b.Key(), Class: c, HasOutputs: true, Method: "test",
			Outputs: bg.Outputs{win, win * win / 4, 0, 0, 0}}
		if err := w.Write(&row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// bgtrainIn runs a command in this process, in a directory.
func bgtrainIn(t *testing.T, dir string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	t.Chdir(dir)
	var out, log bytes.Buffer
	status = run(context.Background(), &env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &log}, args)
	return status, out.String(), log.String()
}

func TestTrainWritesNetCurveAndPlot(t *testing.T) {
	dir := t.TempDir()
	trainingDB(t, filepath.Join(dir, "db.parquet"), 300)
	status, out, log := bgtrainIn(t, dir, "train", "db.parquet", "--from", "random", "--hidden", "20", "--epochs", "12",
		"--batch", "32", "--lr", "0.01", "-o", "new.safetensors", "--json")
	if status != exitDone {
		t.Fatalf("status %d: %s", status, log)
	}
	var result struct {
		Nets []struct {
			Net    string
			Before struct {
				RMS float64 `json:"rms_equity_error"`
			}
			After struct {
				RMS float64 `json:"rms_equity_error"`
			}
		}
	}
	if err := json.Unmarshal([]byte(out), &result); err != nil || len(result.Nets) != 3 {
		t.Fatalf("%v: %s", err, out)
	}
	for _, n := range result.Nets {
		if !(n.After.RMS < n.Before.RMS/1.5) {
			t.Errorf("%s: rms equity error %v before, %v after", n.Net, n.Before.RMS, n.After.RMS)
		}
	}
	f, err := nets.Read("new.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	if n := f.Nets[nets.Contact]; n.Net.Layers[0].Out != 20 || n.Inputs != "gnubg-contact" ||
		!strings.Contains(n.Provenance["settings"], "Epochs=12") ||
		!strings.Contains(n.Provenance["data"], "db.parquet") {
		t.Errorf("contact net: %d hidden, inputs %s, provenance %v", n.Net.Layers[0].Out, n.Inputs, n.Provenance)
	}
	curve, err := os.ReadFile("new.safetensors.curve.jsonl")
	if n := bytes.Count(curve, []byte("\n")); err != nil || n != 3*13 {
		t.Errorf("curve of %d lines, 39 expected; %v", n, err)
	}
	if svg, err := os.ReadFile("new.safetensors.curve.svg"); err != nil || !bytes.Contains(svg, []byte("polyline")) {
		t.Errorf("no picture: %v", err)
	}
	noLeftovers(t, dir, "db.parquet", "new.safetensors", "new.safetensors.curve.jsonl", "new.safetensors.curve.svg")

	// Go on from that net, wider, one net only.
	status, _, log = bgtrainIn(t, dir, "train", "db.parquet", "--from", "new.safetensors", "--hidden", "40", "--nets",
		"crashed",
		"--epochs", "1", "--mix", "crashed:contact=0.5", "-o", "second.safetensors")
	if status != exitDone {
		t.Fatalf("status %d: %s", status, log)
	}
	g, err := nets.Read("second.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	if a, b := g.Nets[nets.Crashed].Net.Layers[0].Out, g.Nets[nets.Contact].Net.Layers[0].Out; a != 40 || b != 20 {
		t.Errorf("hidden units %d and %d, want 40 and 20", a, b)
	}

	// A net of two hidden layers has to start from random weights; the others stay. A position in
	// a file to exclude is not trained on.
	deep := []string{"train", "db.parquet", "--from", "second.safetensors", "--hidden", "16,8", "--nets", "contact",
		"--epochs", "1", "-o", "deep.safetensors"}
	if status, _, log = bgtrainIn(t, dir, deep...); status != exitFail ||
		!strings.Contains(log, "other hidden layers") {
		t.Errorf("status %d: %s", status, log)
	}
	if status, _, log = bgtrainIn(t, dir, append(deep, "--random")...); status != exitDone {
		t.Fatalf("status %d: %s", status, log)
	}
	if g, err = nets.Read("deep.safetensors"); err != nil {
		t.Fatal(err)
	}
	if n := g.Nets[nets.Contact].Net; len(n.Layers) != 3 || n.Layers[0].Out != 16 || n.Layers[1].Out != 8 {
		t.Errorf("contact net of %d layers", len(n.Layers))
	}
	if n := g.Nets[nets.Crashed].Net; n.Layers[0].Out != 40 {
		t.Errorf("crashed net of %d hidden units, not those it had", n.Layers[0].Out)
	}
	status, _, log = bgtrainIn(t, dir, append(deep, "--random", "--exclude", "db.parquet", "--force")...)
	if status != exitFail || !strings.Contains(log, "no positions") {
		t.Errorf("status %d with all positions excluded: %s", status, log)
	}
}

// noLeftovers fails where a directory holds anything but the names given.
func noLeftovers(t *testing.T, dir string, names ...string) {
	t.Helper()
	want := map[string]bool{}
	for _, n := range names {
		want[n] = true
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !want[e.Name()] {
			t.Errorf("%s was left behind", e.Name())
		}
	}
}

// The error rate at the end is that of the finished player, as score gives it: crashed is
// trained before race, and some of its plays lead to positions that race evaluates.
func TestTrainEndsWithScoresER(t *testing.T) {
	dir := t.TempDir()
	text, err := fs.ReadFile(data.Files(), data.Benchmarks+"/crashed.bm")
	if err != nil {
		t.Fatal(err)
	}
	bm := filepath.Join(dir, "crashed.bm")
	if err := os.WriteFile(bm, text, 0o600); err != nil {
		t.Fatal(err)
	}
	trainingDB(t, filepath.Join(dir, "db.parquet"), 100)
	status, out, log := bgtrainIn(t, dir, "train", "db.parquet", "--from", "random", "--hidden", "8", "--epochs", "2",
		"--benchmark", bm, "--json", "-o", "new.safetensors")
	var trained struct {
		Nets []struct {
			Net   string
			After struct{ ER *float64 }
		}
	}
	if err := json.Unmarshal([]byte(out), &trained); status != exitDone || err != nil || trained.Nets[1].Net != "crashed" {
		t.Fatalf("status %d, %v: %s%s", status, err, out, log)
	}
	status, out, log = bgtrainIn(t, dir, "score", "--net", "new.safetensors", "--equities=false", "--json", bm)
	var scored struct{ Files []struct{ ER float64 } }
	if err := json.Unmarshal([]byte(out), &scored); status != exitDone || err != nil {
		t.Fatalf("status %d, %v: %s", status, err, log)
	}
	if er := trained.Nets[1].After.ER; er == nil || math.Abs(*er-scored.Files[0].ER) > 1e-9 {
		t.Errorf("train ends with %s, score gives %v", log, scored.Files[0].ER)
	}
}

func TestTrainWrongUsage(t *testing.T) {
	dir := t.TempDir()
	trainingDB(t, filepath.Join(dir, "db.parquet"), 40)
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"db.parquet", exitUsage, "-o NET is missing"},
		{"db.parquet -o x --epochs 0", exitUsage, "epochs 0"},
		{"db.parquet -o x --optimizer nadam", exitUsage, "nadam"},
		{"db.parquet -o x --nets contact,backgame", exitUsage, "backgame"},
		{"db.parquet -o x --mix race=1", exitUsage, "NET:CLASS=WEIGHT"},
		{"db.parquet -o x --mix contact:over=1", exitUsage, "over"},
		{"db.parquet -o x --output-weights 1,2", exitUsage, "5 expected"},
		{"db.parquet -o x --inputs tesauro", exitFail, "start from random weights (--random)"},
		{"db.parquet -o x --activation step", exitUsage, "activation"},
		{"db.parquet -o x --monitor er", exitUsage, "--benchmark"},
		{"db.parquet -o x --from nothing.safetensors", exitFail, "nothing.safetensors"},
		{"nothing.parquet -o x --from random", exitFail, "nothing.parquet"},
		{"db.parquet -o x --from random --inputs unknown", exitFail, "unknown"},
		{"db.parquet -o x --from random --benchmark nothing.bm", exitFail, "nothing.bm"},
	} {
		status, _, log := bgtrainIn(t, dir, append([]string{"train"}, strings.Fields(c.args)...)...)
		if status != c.status || !strings.Contains(log, c.want) {
			t.Errorf("%s: status %d, %q; want %d, %q", c.args, status, log, c.status, c.want)
		}
	}
	noLeftovers(t, dir, "db.parquet")
}

// killed runs in a child process: the command that TestTrainSurvivesKill kills.
const killed = "BGTRAIN_TEST_COMMAND"

func TestKilledCommand(t *testing.T) {
	args := os.Getenv(killed)
	if args == "" {
		t.Skip("only for the child process of other tests")
	}
	os.Exit(runWithSignals(processEnv(), strings.Fields(args)))
}

// TestTrainSurvivesKill kills a training with SIGKILL at random moments, 20 times.
// It must end with the file that an undisturbed run writes, and at no time must
// there be a file under a final name that is not whole.
func TestTrainSurvivesKill(t *testing.T) {
	t.Parallel()
	k := killing{
		args: "train db.parquet --from random --nets contact,race --hidden 32 --epochs 25 --batch 16 --workers 2 " +
			"--checkpoint-every 20ms -o net.safetensors",
		out: "net.safetensors", state: ".*.checkpoint", kills: 20,
		prepare: func(dir string) { trainingDB(t, filepath.Join(dir, "db.parquet"), 600) },
		after:   curveIsWhole(t),
	}
	noLeftovers(t, k.run(t), "db.parquet", "net.safetensors", "net.safetensors.curve.jsonl",
		"net.safetensors.curve.svg")
}

// child is a process that runs a command line of bgtrain in a directory.
func child(dir, args string) *exec.Cmd {
	c := exec.Command(os.Args[0], "-test.run=^TestKilledCommand$")
	c.Dir = dir
	c.Env = append(os.Environ(), "GOGC=400", killed+"="+args) // it lives shortly: garbage may pile up
	c.Stderr = new(bytes.Buffer)
	return c
}

func killedBy(err error) bool {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return false
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

func sameFile(t *testing.T, path string, want []byte) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("%s differs from that of an undisturbed run", path)
	}
}

func checkLines(t *testing.T, curve []byte) {
	t.Helper()
	for line := range bytes.Lines(curve) {
		if !json.Valid(line) || !bytes.HasSuffix(line, []byte("\n")) {
			t.Fatalf("half a line in the curve: %q", line)
		}
	}
}
