//go:build integration

package nets

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestONNXRuntime lets onnxruntime compute nets of every kind, and those that
// ship, on their fixtures: outputs to 1e-6. It wants node and the npm package
// onnxruntime-node, in a directory that NODE_PATH names or above this one.
func TestONNXRuntime(t *testing.T) {
	missing := t.Skipf
	if os.Getenv("CI") != "" {
		missing = t.Fatalf
	}
	if out, err := exec.Command("node", "-e", `require("onnxruntime-node")`).CombinedOutput(); err != nil {
		missing("no onnxruntime (npm install --ignore-scripts onnxruntime-node, NODE_PATH=…/node_modules): %v\n%s", err, out)
	}
	sets := map[string]*Set{"every activation": onnxPlayer()}
	for _, name := range []string{"td", "default"} {
		s, err := Read(filepath.Join("../../data/nets", name+".safetensors"))
		if err != nil {
			t.Fatal(err)
		}
		sets[name] = s
	}
	for name, s := range sets {
		dir := filepath.Join(t.TempDir(), "onnx")
		if err := WriteONNXDir(dir, s); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("node", "testdata/onnx.js", dir).Output()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var got struct {
			Worst float64 `json:"worst"`
			Count int     `json:"count"`
		}
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatalf("%s: %v: %s", name, err, out)
		}
		t.Logf("%s: %d outputs, %.2g off at most", name, got.Count, got.Worst)
		if !(got.Worst <= 1e-6) || got.Count != onnxExamples*5*len(s.Nets) {
			t.Errorf("%s: %d outputs, %g off", name, got.Count, got.Worst)
		}
	}
}
