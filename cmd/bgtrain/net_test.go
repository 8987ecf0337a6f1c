package main

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
	"bgtrain/internal/protocol"
)

// writeNet writes a player of random tesauro nets and returns its path.
func writeNet(t *testing.T, hidden ...int) string {
	t.Helper()
	f := &nets.Set{Nets: map[nets.Role]*nets.Entry{}}
	sizes := slices.Concat([]int{196}, hidden, []int{bg.NumOutputs})
	for i, r := range nets.Main {
		f.Nets[r] = &nets.Entry{
			Net: nets.Random(rand.New(rand.NewPCG(uint64(i), 0)), nets.ByInputs, nn.Sigmoid,
				sizes...), Inputs: "tesauro", InputsVersion: 1}
	}
	path := filepath.Join(t.TempDir(), "random.safetensors")
	if err := nets.Write(path, f); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestNetExportAndImport(t *testing.T) {
	net, dir := writeNet(t, 10), t.TempDir()
	text, binary, back := filepath.Join(dir, "gnubg.weights"), filepath.Join(dir, "gnubg.wd"), filepath.Join(dir,
		"back.safetensors")
	steps := [][]string{
		{"net", "export", net, "--prune", "none", "-o", text},
		{"net", "export", net, "--prune", text, "--version", "1.01", "-o", binary},
		{"net", "import", binary, "-o", back},
	}
	for _, args := range steps {
		if status, _, errs := runCommand(t, args...); status != exitDone {
			t.Fatalf("%v: %s", args, errs)
		}
	}
	raw, err := os.ReadFile(text)
	if err != nil || !strings.HasPrefix(string(raw), "GNU Backgammon 1.00\n250 16 5 ") {
		t.Errorf("the text begins with %.40q, %v", raw, err)
	}
	f, err := nets.Read(back)
	if err != nil {
		t.Fatal(err)
	}
	if l := f.Nets[nets.Race].Net.Layers; l[0].In != 214 || l[0].Activation != nn.SigmoidGNUbg ||
		f.Provenance["imported"] != "gnubg.wd" {
		t.Errorf("race net of %d inputs, %v, provenance %v", l[0].In, l[0].Activation, f.Provenance)
	}
	// The same values come out of the nets, but for the approximated sigmoid.
	var win [2]float32
	for i, path := range []string{net, back} {
		status, out, errs := runCommand(t, "eval", "--net", path, "--two-sided", "-1", "--json",
			bg.Start.Key().String())
		if status != exitDone {
			t.Fatal(errs)
		}
		var e protocol.Evaluation
		if err := json.Unmarshal([]byte(out), &e); err != nil {
			t.Fatal(err)
		}
		win[i] = e.Outputs[bg.Win]
	}
	if d := win[0] - win[1]; d > 0.004 || d < -0.004 {
		t.Errorf("wins of the opening position %v and, exported and imported, %v", win[0], win[1])
	}
}

// A net file of 16 bits plays, is described, checked, and goes on into every other form.
func TestNetExportHalf(t *testing.T) {
	dir := t.TempDir()
	half := filepath.Join(dir, "half.safetensors")
	for _, args := range [][]string{
		{"net", "export", "gnubg-size", "--format", "f16", "-o", half},
		{"validate", half},
		{"net", "export", half, "-o", filepath.Join(dir, "gnubg.wd")},
		{"net", "export", half, "--format", "onnx", "--activation", "sigmoid", "-o", filepath.Join(dir, "onnx")},
		{"net", "export", half, "--format", "web", "-o", filepath.Join(dir, "page")},
		{"net", "import", half, "-o", filepath.Join(dir, "full.safetensors")},
	} {
		if status, _, errs := runCommand(t, args...); status != exitDone {
			t.Fatalf("%v: %s", args, errs)
		}
	}
	size := map[string]int64{}
	prints := map[string]string{}
	for _, name := range []string{"half.safetensors", "full.safetensors"} {
		path := filepath.Join(dir, name)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		set, err := nets.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		size[name], prints[name] = info.Size(), set.Fingerprint()
		if status, out, _ := runCommand(t, "info", path); status != exitDone || !strings.Contains(out, set.Fingerprint()) {
			t.Errorf("info %s: %d, %s", name, status, out)
		}
	}
	if prints["half.safetensors"] != prints["full.safetensors"] {
		t.Errorf("fingerprints %v", prints)
	}
	if h, f := size["half.safetensors"], size["full.safetensors"]; h > f*11/20 {
		t.Errorf("%d bytes of %d", h, f)
	}
}

func TestNetImportActivation(t *testing.T) {
	net, out := writeNet(t, 4), filepath.Join(t.TempDir(), "a.safetensors")
	for _, want := range []nn.Activation{nn.SigmoidGNUbg, nn.Sigmoid} {
		if status, _, errs := runCommand(t, "net", "import", net, "--activation", want.String(), "-o",
			out, "--force"); status != exitDone {
			t.Fatal(errs)
		}
		f, err := nets.Read(out)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Nets[nets.Crashed].Net.Layers[1].Activation; got != want {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

func TestNetMistakes(t *testing.T) {
	dir := t.TempDir()
	net, deep, out := writeNet(t, 4), writeNet(t, 4, 4), filepath.Join(dir, "out.weights")
	junk := filepath.Join(dir, "junk")
	if err := os.WriteFile(junk, []byte("GNU Backgammon 0.16\n1 2 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args    string
		status  int
		message string
	}{
		{"net", exitUsage, "import, export, join or trim expected"},
		{"net show", exitUsage, "import, export, join or trim expected"},
		{"net import " + net, exitUsage, "-o NET is missing"},
		{"net import " + net + " -o " + out + " --activation tanh", exitUsage,
			"--activation tanh: sigmoid or sigmoid-gnubg expected"},
		{"net import " + junk + " -o " + out, exitFail,
			junk + `: line 1: weights of version "0.16"; known are 1.00 and 1.01`},
		{"net import " + net + " -o " + out, exitFail, "no prune.contact net"},
		{"net export " + net, exitUsage, "-o FILE is missing"},
		{"net export " + net + " -o x --version 2", exitUsage, "--version 2: 1.00 or 1.01 expected"},
		{"net export " + net + " -o x --format pdf", exitUsage, "--format pdf: gnubg, onnx, web or f16 expected"},
		{"net export " + net + " -o x --format web --prune none", exitUsage, "are for --format gnubg"},
		{"net export " + net + " -o x.safetensors", exitUsage, "'net import' writes .safetensors"},
		{"net export " + net + " -o " + out, exitFail, "--prune FILE takes them from another player"},
		{"net export " + net + " -o " + out + " --prune " + net, exitFail, "no prune.contact net to take over"},
		{"net export " + net + " -o " + out + " --prune " + junk, exitFail, `weights of version "0.16"`},
		{"net export " + deep + " -o " + out + " --prune none", exitFail,
			"contact net: 2 hidden layers; GNU Backgammon's nets have one"},
	} {
		status, _, errs := runCommand(t, strings.Fields(tt.args)...)
		if status != tt.status || !strings.Contains(errs, tt.message) {
			t.Errorf("%s: status %d, %q; want status %d and %q", tt.args, status, errs, tt.status, tt.message)
		}
	}
	if _, err := os.Stat(out); !os.IsNotExist(err) {
		t.Errorf("a mistake left a file behind: %v", err)
	}
}

func TestNetJoin(t *testing.T) {
	a, b, out := writeNet(t, 4), writeNet(t, 8), filepath.Join(t.TempDir(), "joined.safetensors")
	if status, _, errs := runCommand(t, "net", "join", a, "--race", b, "-o", out); status != exitDone {
		t.Fatal(errs)
	}
	f, err := nets.Read(out)
	if err != nil {
		t.Fatal(err)
	}
	for role, want := range map[nets.Role]int{nets.Contact: 4, nets.Crashed: 4, nets.Race: 8} {
		if got := f.Nets[role].Net.Layers[0].Out; got != want {
			t.Errorf("%s net of %d hidden units, %d expected", role, got, want)
		}
	}
	for args, message := range map[string]string{
		"net join " + a:            "-o NET2 is missing",
		"net join -o " + out + "2": "a net is missing",
		"net join " + a + " --prune " + b + " -o " + out + "2": "no prune.contact net",
	} {
		if status, _, errs := runCommand(t, strings.Fields(args)...); status == exitDone ||
			!strings.Contains(errs, message) {
			t.Errorf("%s: status %d, %s", args, status, errs)
		}
	}
}
