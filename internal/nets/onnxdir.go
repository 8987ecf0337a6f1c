package nets

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"bgtrain/features"
	"bgtrain/internal/atomicfile"
	"bgtrain/internal/bg"
	"bgtrain/internal/nn"
)

// ONNXFixtures is fixtures.json, with which another program can check itself: its
// own input vectors and what it makes of them.
type ONNXFixtures struct {
	Net  string    `json:"net"` // fingerprint
	Nets []ONNXNet `json:"nets"`
}

// ONNXNet is one model of the fixtures.
type ONNXNet struct {
	Role          Role          `json:"role"`
	File          string        `json:"file"`
	Inputs        string        `json:"inputs"`
	InputsVersion int           `json:"inputs_version"`
	InputNames    []string      `json:"input_names"`
	Positions     []ONNXExample `json:"positions"`
}

// ONNXExample is a position of the net's class with its input vector and outputs,
// computed in float64.
type ONNXExample struct {
	Position string    `json:"position"` // Position ID
	Inputs   []float32 `json:"inputs"`
	Outputs  []float64 `json:"outputs"`
}

// onnxExamples is the number of positions of a net in the fixtures.
const onnxExamples = 24

// WriteONNXDir writes a player as a directory that does not exist yet, or is
// empty: a model ROLE.onnx for each net, and fixtures.json.
func WriteONNXDir(dir string, s *Set) (err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	f := ONNXFixtures{Net: s.Fingerprint()}
	for _, role := range s.roles() {
		e := s.Nets[role]
		set, err := features.Lookup(e.Inputs, e.InputsVersion)
		if err != nil {
			return fmt.Errorf("%s net: %w", role, err)
		}
		n := ONNXNet{Role: role, File: string(role) + ".onnx", Inputs: e.Inputs, InputsVersion: e.InputsVersion}
		for i := range set.Size {
			n.InputNames = append(n.InputNames, set.InputName(i))
		}
		for _, b := range examplePositions(role.Class(), onnxExamples) {
			x := make([]float32, set.Size)
			set.Encode(&b, x)
			n.Positions = append(n.Positions, ONNXExample{b.Key().PositionID(), x, evaluate64(e.Net, x)})
		}
		f.Nets = append(f.Nets, n)
		path := filepath.Join(dir, n.File)
		if err := atomicfile.Write(path, func(w io.Writer) error { return WriteONNX(w, s, role) }); err != nil {
			return err
		}
	}
	return atomicfile.Write(filepath.Join(dir, "fixtures.json"), func(w io.Writer) error {
		return json.NewEncoder(w).Encode(&f)
	})
}

// examplePositions returns n positions of a class from games of random plays.
func examplePositions(class bg.Class, n int) []bg.Board {
	rng := rand.New(rand.NewPCG(1, uint64(class)))
	var plays bg.Plays
	var found []bg.Board
	for len(found) < n {
		b := bg.Start
		for bg.Classify(&b) != bg.Over && len(found) < n {
			if bg.Classify(&b) == class && rng.IntN(8) == 0 {
				found = append(found, b)
			}
			results := plays.Generate(&b, 1+rng.IntN(6), 1+rng.IntN(6))
			b = results[rng.IntN(len(results))]
		}
	}
	return found
}

// evaluate64 computes a net in float64.
func evaluate64(n *nn.Net, x []float32) []float64 {
	in := make([]float64, len(x))
	for i, v := range x {
		in[i] = float64(v)
	}
	for k := range n.Layers {
		l := &n.Layers[k]
		out := make([]float64, l.Out)
		for o := range out {
			sum := float64(l.Bias[o])
			for i, v := range in {
				sum += v * float64(l.Weights[i*l.Out+o])
			}
			switch l.Activation {
			case nn.ReLU:
				sum = max(sum, 0)
			case nn.Tanh:
				sum = math.Tanh(sum)
			default:
				sum = 1 / (1 + math.Exp(-float64(l.Beta)*sum))
			}
			out[o] = sum
		}
		in = out
	}
	return in
}
