package nets

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bgtrain/internal/nn"
)

func TestReadGoesByContentWriteByName(t *testing.T) {
	dir := t.TempDir()
	f := gnubgPlayer(1, 8)
	for name, start := range map[string]string{
		"a.safetensors": "", "b": "", "c.weights": "GNU Backgammon 1.00\n", "d.TXT": "GNU Backgammon 1.00\n", "e.wd": "\x69\x30\xec\x43\x00\x00\x80\x3f",
	} {
		path := filepath.Join(dir, name)
		if err := Write(path, f); err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if start == "" {
			start = "__metadata__"
			raw = raw[10:]
		}
		if !strings.HasPrefix(string(raw), start) {
			t.Errorf("%s begins with %q, want %q", name, raw[:20], start)
		}
		other := filepath.Join(dir, "renamed")
		if err := os.Rename(path, other); err != nil {
			t.Fatal(err)
		}
		if !IsNet(other) {
			t.Errorf("%s is no net", name)
		}
		got, err := Read(other)
		if err != nil {
			t.Fatal(err)
		}
		sameNets(t, got, f)
	}
	path := filepath.Join(dir, "f.wd")
	if err := WriteGNUbgFile(path, f, "1.01"); err != nil {
		t.Fatal(err)
	}
	got, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	sameNets(t, got, f)
}

func TestReadErrorsNameTheFile(t *testing.T) {
	dir := t.TempDir()
	for name, tt := range map[string]struct {
		content, message string
		net              bool
	}{
		"empty":     {"", "is empty; a net", false},
		"text":      {"KEY 1 2 3 4 5\n", "neither .safetensors", false},
		"cut":       {"GNU Backgammon 1.00\n", "cut off after line 1", true},
		"parquet":   {"PAR1\x15\x04\x15\x00\x15\x02", "is a Parquet file; a net", false},
		"weights 2": {"GNU Backgammon 2.00\n", `version "2.00"`, true},
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(tt.content), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Read(path)
		if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), tt.message) {
			t.Errorf("%s: error %v, want one with the path and %q", name, err, tt.message)
		}
		if IsNet(path) != tt.net {
			t.Errorf("%s: IsNet is %v", name, !tt.net)
		}
	}
	if _, err := Read(filepath.Join(dir, "none")); !os.IsNotExist(err) {
		t.Errorf("error %v of a file that is not there", err)
	}
	if _, err := Read(dir); err == nil {
		t.Error("a directory read without an error")
	}
	if IsNet(dir) || IsNet(filepath.Join(dir, "none")) {
		t.Error("a directory, or nothing, is a net")
	}
}

// A player that a form cannot hold leaves the older file as it was.
func TestWriteIsAtomic(t *testing.T) {
	dir := t.TempDir()
	bad := tesauroPlayer(1, nn.Sigmoid, 2)
	bad.Nets[Race].Net.Layers[1].Bias = nil
	for _, tt := range []struct {
		name string
		f    *Set
	}{{"a.safetensors", bad}, {"a.weights", tesauroPlayer(1, nn.Sigmoid, 2)}, {"a.wd",
		tesauroPlayer(1, nn.ReLU, 2).WithoutPruning()}} {
		path := filepath.Join(dir, tt.name)
		if err := os.WriteFile(path, []byte("older"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Write(path, tt.f); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v, want one with the path", tt.name, err)
		}
		if raw, _ := os.ReadFile(path); string(raw) != "older" {
			t.Errorf("%s: the older file holds %q", tt.name, raw)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 3 {
		t.Errorf("files left behind: %v", left)
	}
}

func TestDescribe(t *testing.T) {
	f := tesauroPlayer(1, nn.ReLU, 40, 20)
	f.Provenance["command"] = "bgtrain train"
	f.Nets[Race].Provenance = map[string]string{"parent": "abc"}
	d := f.Describe()
	text := d.String()
	for _, want := range []string{
		"net " + f.Fingerprint(), "contact", "196-40-20-5", "tesauro version 1", "relu relu sigmoid", "8805 parameters", "parent: abc", "command: bgtrain train",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	raw, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	var back Description
	if err := json.Unmarshal(raw, &back); err != nil {
		t.Fatal(err)
	}
	if back.String() != text {
		t.Errorf("as JSON and back:\n%s", back)
	}
}

func TestWithSigmoids(t *testing.T) {
	f := tesauroPlayer(1, nn.ReLU, 4)
	got := f.WithSigmoids(nn.SigmoidGNUbg).Nets[Contact].Net.Layers
	if got[0].Activation != nn.ReLU || got[1].Activation != nn.SigmoidGNUbg {
		t.Errorf("activations %v and %v", got[0].Activation, got[1].Activation)
	}
	if f.Nets[Contact].Net.Layers[1].Activation != nn.Sigmoid {
		t.Error("the player itself has changed")
	}
}
