package nets

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bgtrain/features"
	"bgtrain/internal/nn"
)

// onnxPlayer has nets of every activation and depth that training makes.
func onnxPlayer() *Set {
	rng := rand.New(rand.NewPCG(5, 6))
	entry := func(set *features.Set, hidden nn.Activation, sizes ...int) *Entry {
		sizes = append(append([]int{set.Size}, sizes...), 5)
		return &Entry{Net: Random(rng, ByInputs, hidden, sizes...), Inputs: set.Name, InputsVersion: set.Version}
	}
	s := &Set{Nets: map[Role]*Entry{
		Contact: entry(features.GNUbgContact, nn.Sigmoid, 40, 12),
		Crashed: entry(features.GNUbgCrashed, nn.ReLU, 32, 7),
		Race:    entry(features.GNUbgRace, nn.Tanh, 24),
	}}
	s.Nets[Crashed].Net.Layers[1].Activation = nn.SquaredReLU
	for i := range s.Nets[Contact].Net.Layers {
		s.Nets[Contact].Net.Layers[i].Beta = 0.5 + float32(i)
	}
	return s
}

// onnxTesauro has nets on the simplest inputs.
func onnxTesauro() *Set {
	rng := rand.New(rand.NewPCG(7, 8))
	s := &Set{Nets: map[Role]*Entry{}}
	for _, role := range Main {
		set := features.Tesauro
		s.Nets[role] = &Entry{Net: Random(rng, ByInputs, nn.Sigmoid, set.Size, 10, 5), Inputs: set.Name,
			InputsVersion: set.Version}
	}
	return s
}

func TestWriteONNXDir(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "onnx")
	s := onnxPlayer()
	if err := WriteONNXDir(dir, s); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "fixtures.json"))
	if err != nil {
		t.Fatal(err)
	}
	var f ONNXFixtures
	if err := json.Unmarshal(data, &f); err != nil {
		t.Fatal(err)
	}
	if f.Net != s.Fingerprint() || len(f.Nets) != 3 {
		t.Fatalf("net %s, %d nets", f.Net, len(f.Nets))
	}
	// The fixtures are what this program computes, to the rounding of float32.
	for _, n := range f.Nets {
		c, err := nn.Compile(s.Nets[n.Role].Net)
		if err != nil {
			t.Fatal(err)
		}
		scratch := c.NewScratch()
		for _, p := range n.Positions {
			in, out := make([]float32, c.Stride()), make([]float32, 5)
			copy(in, p.Inputs)
			c.Eval(scratch, in, 1, out)
			for k := range out {
				if d := math.Abs(float64(out[k]) - p.Outputs[k]); d > 1e-6 {
					t.Fatalf("%s %s: output %d off by %g", n.Role, p.Position, k, d)
				}
			}
		}
	}
}

// What is refused leaves no directory.
func TestONNXRefusesApproximateSigmoids(t *testing.T) {
	s := onnxPlayer()
	s.Nets[Contact].Net.Layers[1].Activation = nn.SigmoidGNUbg
	err := WriteONNX(new(bytes.Buffer), s, Contact)
	if !errors.Is(err, ErrApproximate) || !strings.Contains(err.Error(), "contact net: layer 1") {
		t.Errorf("%v", err)
	}
	dir := filepath.Join(t.TempDir(), "onnx")
	if err := WriteONNXDir(dir, s); !errors.Is(err, ErrApproximate) {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s: %v", dir, err)
	}
	if err := WriteONNX(new(bytes.Buffer), s, PruneRace); err == nil {
		t.Error("a net that is not there was written")
	}
}
