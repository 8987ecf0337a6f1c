package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"bgtrain/internal/atomicfile"
)

const (
	trainingLine  = "OAHDPAABDAOAHDPAABDA 0.52518 0.14851 0.00713 0.12419 0.00559\n"
	benchmarkText = "s test\nm NKMMGAAADGOMHGIHAAAC 2 3 OMHGIHBAAANKMMGAAADG 0.959246 OMPGAOAAACNKMMGAAADG 0.024218\n"
)

// TestOutputsReplaceNothingElse gives commands outputs that are inputs, or files of
// another kind. Nothing is written, and the file stays as it was.
func TestOutputsReplaceNothingElse(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"a.txt": trainingLine, "b.bm": benchmarkText,
		"notes": "not of a known kind\n"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range []string{"import a.txt -o x.parquet", "import a.txt -o d/", "net join td -o n.safetensors"} {
		if status, _, errs := runCommand(t, strings.Fields(args)...); status != exitDone {
			t.Fatal(errs)
		}
	}
	if err := os.Symlink("x.parquet", "link"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, file, want string }{
		{"train x.parquet -o x.parquet", "x.parquet", "also reads"},
		{"train x.parquet -o link", "x.parquet", "also reads"},
		{"train x.parquet -o ./d/../x.parquet", "x.parquet", "also reads"},
		{"train --from n.safetensors x.parquet -o n.safetensors", "n.safetensors", "also reads"},
		{"train x.parquet -o b.bm", "b.bm", "another kind (GNUbg benchmark)"},
		{"train x.parquet -o new --curve x.parquet", "x.parquet", "also reads"},
		{"train x.parquet -o new --plot new", "notes", "also reads or writes"},
		{"td -o x.parquet", "x.parquet", "another kind (rollout database)"},
		{"import a.txt -o a.txt", "a.txt", "also reads"},
		{"import a.txt -o b.bm", "b.bm", "another kind"},
		{"export x.parquet -o x.parquet", "x.parquet", "also reads"},
		{"export d -o d/part-00001.parquet", "d/part-00001.parquet", "also reads"},
		{"merge d/part-00001.parquet -o d/", "d/part-00001.parquet", "also reads"},
		{"rollout x.parquet -o x.parquet", "x.parquet", "also reads"},
		{"label d -o d --ply 1", "d/part-00001.parquet", "also reads"},
		{"score --losses b.bm b.bm", "b.bm", "also reads"},
		{"score --losses x.parquet b.bm", "x.parquet", "another kind"},
		{"report --bm b.bm -o b.bm", "b.bm", "also reads"},
		{"report --bm b.bm -o x.parquet", "x.parquet", "another kind"},
		{"generate -n 5 --exclude x.parquet -o x.parquet", "x.parquet", "also reads"},
		{"generate -n 5 -o n.safetensors", "n.safetensors", "another kind (net)"},
		{"makebm -n 5 --exclude b.bm -o b.bm", "b.bm", "also reads"},
		{"match pubeval random --log x.parquet", "x.parquet", "another kind"},
		{"net export n.safetensors -o n.safetensors", "n.safetensors", ""},
		{"match pubeval random --log notes", "notes", "not a journal"},
		{"match pubeval random --save b.bm", "b.bm", "another kind"},
		{"encode x.parquet -o x.parquet", "x.parquet", "also reads"},
		{"match pubeval random --log /dev/zero", "notes", "not a regular file"},
	} {
		before, err := os.ReadFile(c.file)
		if err != nil {
			t.Fatal(err)
		}
		status, _, errs := runCommand(t, strings.Fields(c.args)...)
		if status == exitDone || !strings.Contains(errs, c.want) {
			t.Errorf("%s: status %d, %s", c.args, status, errs)
		}
		if after, err := os.ReadFile(c.file); err != nil || !bytes.Equal(after, before) {
			t.Errorf("%s: %s is another file now: %v", c.args, c.file, err)
		}
	}
	// With --force, the same kind is replaced, and what is of no known kind.
	for _, args := range []string{"import a.txt -o x.parquet --force", "export x.parquet -o a.txt --force",
		"export x.parquet -o notes --force", "score --net pubeval --losses l b.bm",
		"score --net pubeval --losses l b.bm --force"} {
		if status, _, errs := runCommand(t, strings.Fields(args)...); status != exitDone {
			t.Errorf("%s: %s", args, errs)
		}
	}
	if left, _ := filepath.Glob("*" + atomicfile.LockSuffix); len(left) != 0 {
		t.Errorf("left %v", left)
	}
}

// TestOutputsAreLocked runs commands on outputs that another one is writing.
func TestOutputsAreLocked(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("a.txt", []byte(trainingLine), 0o644); err != nil {
		t.Fatal(err)
	}
	if status, _, errs := runCommand(t, "import", "a.txt", "-o", "x.parquet"); status != exitDone {
		t.Fatal(errs)
	}
	for _, c := range []struct{ args, output string }{
		{"import a.txt -o y.parquet", "y.parquet"},
		{"merge x.parquet -o y/", "y"},
		{"export x.parquet -o y.txt", "y.txt"},
		{"generate -n 5 -o y.parquet", "y.parquet"},
		{"rollout x.parquet -o y/", "y"},
		{"rollout x.parquet -o y/ --shard 1/2", "y.shard-1-of-2"},
		{"label x.parquet -o y", "y"},
		{"td --games 1 -o y.safetensors", "y.safetensors"},
		{"train x.parquet -o y.safetensors", "y.safetensors"},
		{"makebm -n 1 -o y.bm", "y.bm"},
		{"match pubeval random --log y", "y"},
	} {
		unlock, err := atomicfile.Lock(c.output)
		if err != nil {
			t.Fatal(err)
		}
		status, _, errs := runCommand(t, strings.Fields(c.args)...)
		if status != exitFail || !strings.Contains(errs, "another process is writing it") ||
			!strings.Contains(errs, "process ") {
			t.Errorf("%s: status %d, %s", c.args, status, errs)
		}
		unlock()
	}
	left, _ := filepath.Glob("y*")
	if len(left) != 0 {
		t.Errorf("left %v", left)
	}
}

// TestExitStatusOfSignals interrupts commands: the status is 128 and the signal's
// number, and only a command that goes on says so.
func TestExitStatusOfSignals(t *testing.T) {
	sameWithAllKernels(t)
	dir := t.TempDir()
	for _, c := range []struct {
		args   string
		signal os.Signal
		status int
		goesOn bool
	}{
		{"td --games 100000000 --hidden 8 -o net.safetensors", os.Interrupt, 130, true},
		{"match td td --games 100000 --two-sided 2", syscall.SIGTERM, 143, false},
		{"rollout --net td --two-sided 2 --trials 16000000 4HPwATDgc/ABMA", os.Interrupt, 130, false},
		{"match td td --games 100000 --two-sided 2 --log games", syscall.SIGTERM, 143, true},
	} {
		t.Run(c.args, func(t *testing.T) {
			t.Parallel()
			cmd := child(dir, c.args)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(2 * time.Second)
			if err := cmd.Process.Signal(c.signal); err != nil {
				t.Fatal(err)
			}
			var exit *exec.ExitError
			if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != c.status {
				t.Errorf("%v, status %d expected\n%s", err, c.status, cmd.Stderr)
			}
			log := cmd.Stderr.(*bytes.Buffer).String()
			if !strings.Contains(log, "interrupted") || strings.Contains(log, "goes on from what is finished") != c.goesOn {
				t.Error(log)
			}
		})
	}
}

// TestFinishedResultsStay runs commands onto finished results: they are refused before any
// work, and replaced with --force. What cannot be written is found out before, too.
func TestFinishedResultsStay(t *testing.T) {
	sameWithAllKernels(t)
	mat, err := os.ReadFile("../../dataset/matchfile/testdata/gnubg.mat")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"a.txt": trainingLine, "b.bm": benchmarkText, "m.mat": string(mat)} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{"dir", "full"} {
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if status, _, errs := runCommand(t, strings.Fields("cube record td -n 60 --two-sided 2 -o games")...); status != exitDone {
		t.Fatal(errs)
	}
	for _, args := range []string{
		"import a.txt -o x.parquet", "export x.parquet -o x.txt", "merge x.parquet -o y.parquet",
		"generate -n 3 --net td --two-sided 2 -o g.parquet", "net join td -o n.safetensors", "met -o t.xml",
		"td --games 2 --hidden 2 -o td.safetensors", "score --net pubeval --losses l b.bm",
		"makebm -n 1 --net td --class race --trials 36 --truncate 1 --two-sided 2 -o m.bm",
		"analyze m.mat --net td --ply 0 --two-sided 2 -o m.html", "report --net td --benchmark b.bm --two-sided 2 -o r.html",
		"net export td --format onnx -o full/onnx", "encode x.parquet --inputs tesauro -o e.parquet",
		"cube study games --a janowski=0,janowski=0.5,janowski=0.6,janowski=1 --svg c.svg",
	} {
		words := strings.Fields(args)
		if status, _, errs := runCommand(t, words...); status != exitDone {
			t.Fatalf("%s: %s", args, errs)
		}
		status, _, errs := runCommand(t, words...)
		if status != exitFail || !strings.Contains(errs, "it is there already: --force replaces it") {
			t.Errorf("%s, again: status %d, %s", args, status, errs)
		}
		if status, _, errs := runCommand(t, append(words, "--force")...); status != exitDone {
			t.Errorf("%s --force: %s", args, errs)
		}
	}
	for _, args := range []string{"train x.parquet -o n.safetensors", "net import n.safetensors -o td.safetensors",
		"net trim td x.parquet -o n.safetensors", "cube train games -o m.html", "import m.mat -o new.parquet --decisions b.bm",
		"label x.parquet --net td --ply 0 -o y.parquet",
		"rollout x.parquet --net td --trials 36 -o y.parquet", "match td td --games 1000000000 --save games",
		"cube record td -n 60 --two-sided 2 --seed 2 -o games", "farm key --name oak -o a.txt"} {
		status, _, errs := runCommand(t, strings.Fields(args)...)
		if status != exitFail || !strings.Contains(errs, "there already") && !strings.Contains(errs, "--force") &&
			!strings.Contains(errs, "remove") {
			t.Errorf("%s: status %d, %s", args, status, errs)
		}
	}
	for _, args := range []string{"td --games 1000000000 -o dir", "train x.parquet --epochs 1000000 -o dir",
		"train x.parquet --epochs 1000000 -o n2 --curve dir", "makebm -n 1000000 -o dir", "report -o dir --net td",
		"analyze m.mat -o dir", "encode x.parquet -o full", "import a.txt -o full/", "merge x.parquet -o full/",
		"match td td --games 1000000000 --save no/games", "play td --match no/m.mat",
		"cube study games --a janowski=0,janowski=0.5,janowski=0.6,janowski=1 --svg no/c.svg",
		"td --games 1000000000 -o " + strings.Repeat("n", 250)} {
		status, _, errs := runCommand(t, strings.Fields(args)...)
		if status == exitDone || !strings.Contains(errs, "directory") && !strings.Contains(errs, "too long") {
			t.Errorf("%s: status %d, %s", args, status, errs)
		}
	}
}
