//go:build integration

package nets

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"bgtrain/features"
	"bgtrain/internal/bg"
	"bgtrain/internal/nn"
)

// onnxRuntime returns NODE_PATH with which node finds onnxruntime-node: what is
// there already, or a directory where npm installs it, without the scripts that
// would fetch what only graphics cards need.
func onnxRuntime(t *testing.T) string {
	t.Helper()
	missing := t.Skipf
	if os.Getenv("CI") != "" {
		missing = t.Fatalf
	}
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			missing("%s is not installed: %v", tool, err)
		}
	}
	if exec.Command("node", "-e", `require("onnxruntime-node")`).Run() == nil {
		return os.Getenv("NODE_PATH")
	}
	dir := t.TempDir()
	data, err := os.ReadFile("testdata/onnx/package.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "package.json"), data, 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("npm", "install", "--ignore-scripts", "--no-package-lock", "--no-audit", "--no-fund",
		"--silent")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		missing("npm install: %v\n%s", err, out)
	}
	return filepath.Join(dir, "node_modules")
}

// TestONNXRuntime lets onnxruntime compute nets of every kind, and those that
// ship, on their fixtures: outputs to 1e-6. The plain encoder has to make the same
// inputs, in the sets that it knows.
func TestONNXRuntime(t *testing.T) {
	nodePath := onnxRuntime(t)
	sets := map[string]*Set{"every activation": onnxPlayer(), "tesauro": onnxTesauro()}
	encoded := 0
	for _, name := range []string{"td", "fast", "default", "gnubg-size", "gnubg-wide", "tiny"} {
		s, err := Read(filepath.Join("../../data/nets", name+".safetensors"))
		if err != nil {
			t.Fatal(err)
		}
		sets[name] = s.WithSigmoids(nn.Sigmoid)
	}
	for name, s := range sets {
		dir := filepath.Join(t.TempDir(), "onnx")
		if err := WriteONNXDir(dir, s); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("node", filepath.Join(dir, "check.js"))
		cmd.Env = append(os.Environ(), "NODE_PATH="+nodePath)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var got struct {
			Worst      float64 `json:"worst"`
			Count      int     `json:"count"`
			WorstInput float64 `json:"worstInput"`
			Encoded    int     `json:"encoded"`
		}
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatalf("%s: %v: %s", name, err, out)
		}
		t.Logf("%s: %d outputs, %.2g off at most", name, got.Count, got.Worst)
		if !(got.Worst <= 1e-6) || got.Count != onnxExamples*5*len(s.Nets) {
			t.Errorf("%s: %d outputs, %g off", name, got.Count, got.Worst)
		}
		if got.WorstInput != 0 {
			t.Errorf("%s: inputs %g off", name, got.WorstInput)
		}
		encoded += got.Encoded
	}
	if want := onnxExamples * 4 * 3; encoded < want {
		t.Errorf("%d positions encoded, at least %d expected", encoded, want)
	}
}

// TestPlainEncoder holds encode.js to our inputs, to the last bit, on positions of
// every class that a set is for.
func TestPlainEncoder(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	dir := filepath.Join(t.TempDir(), "onnx")
	s, err := Read("../../data/nets/default.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	if err := WriteONNXDir(dir, s); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "positions.jsonl")
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	const n = 3000
	want := map[string]int{}
	e := json.NewEncoder(out)
	for set, classes := range map[*features.Set][]bg.Class{
		features.Tesauro:      {bg.Contact, bg.Race},
		features.GNUbgPrune:   {bg.Contact},
		features.GNUbgRace:    {bg.Race},
		features.Race:         {bg.Race},
		features.GNUbgContact: {bg.Contact},
		features.Contact:      {bg.Contact},
		features.GNUbgCrashed: {bg.Crashed},
	} {
		for _, class := range classes {
			for _, b := range examplePositions(class, n) {
				x := make([]float32, set.Size)
				set.Encode(&b, x)
				line := map[string]any{"position": b.Key().PositionID(), "class": class.String(), "set": set.Name,
					"inputs": x}
				if err := e.Encode(line); err != nil {
					t.Fatal(err)
				}
				want[set.Name]++
			}
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", "testdata/onnx/inputs.js", dir, file)
	cmd.Stderr = os.Stderr
	data, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]struct {
		Positions int     `json:"positions"`
		Different int     `json:"different"`
		Worst     float64 `json:"worst"`
		Where     string  `json:"where"`
	}
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	for name, n := range want {
		g := got[name]
		t.Logf("%s: %d positions", name, g.Positions)
		if g.Positions != n || g.Different > 0 {
			t.Errorf("%s: %d positions of %d, %d inputs off, by %g at %s", name, g.Positions, n, g.Different, g.Worst,
				g.Where)
		}
	}
}
