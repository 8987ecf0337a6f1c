package nets

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

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
// which Reference computes.
type ONNXExample struct {
	Position string    `json:"position"` // Position ID
	Inputs   []float32 `json:"inputs"`
	Outputs  []float64 `json:"outputs"`
}

// onnxExamples is the number of positions of a net in the fixtures.
const onnxExamples = 24

// onnxScripts are the plain encoder and what checks the models, for Node.js.
//
//go:embed onnx/*.js
var onnxScripts embed.FS

// WriteONNXDir writes a player as a directory, made where there is none: a model
// ROLE.onnx for each net, fixtures.json, and scripts for Node.js with the tables
// that they read: encode.js, race.js and contact.js, which compute the inputs, and
// check.js. A player that cannot be written leaves nothing.
func WriteONNXDir(dir string, s *Set) error {
	f := ONNXFixtures{Net: s.Fingerprint()}
	models, err := onnxHelpers(s)
	if err != nil {
		return err
	}
	for _, role := range s.roles() {
		n, err := onnxFixture(s.Nets[role], role)
		if err != nil {
			return fmt.Errorf("%s net: %w", role, err)
		}
		var model bytes.Buffer
		if err := WriteONNX(&model, s, role); err != nil {
			return err
		}
		f.Nets = append(f.Nets, *n)
		models[n.File] = model.Bytes()
	}
	fixtures, err := json.Marshal(&f)
	if err != nil {
		return fmt.Errorf("fixtures: %w", err)
	}
	models["fixtures.json"] = append(fixtures, '\n')
	return atomicfile.WriteDir(dir, models)
}

// onnxHelpers returns the scripts, and the tables where a net's inputs need them, by
// the names of their files.
func onnxHelpers(s *Set) (map[string][]byte, error) {
	files := map[string][]byte{}
	list, err := onnxScripts.ReadDir("onnx")
	if err != nil {
		return nil, err
	}
	for _, entry := range list {
		if files[entry.Name()], err = onnxScripts.ReadFile("onnx/" + entry.Name()); err != nil {
			return nil, err
		}
	}
	if slices.ContainsFunc(s.roles(), func(r Role) bool { return s.Nets[r].Inputs == features.Race.Name }) {
		for name, data := range features.RaceTables() {
			files[name] = []byte(data)
		}
	}
	return files, nil
}

// onnxFixture returns the fixtures of one net.
func onnxFixture(e *Entry, role Role) (*ONNXNet, error) {
	set, err := features.Lookup(e.Inputs, e.InputsVersion)
	if err != nil {
		return nil, err
	}
	evaluate, err := Reference(e.Net)
	if err != nil {
		return nil, err
	}
	n := &ONNXNet{Role: role, File: string(role) + ".onnx", Inputs: e.Inputs, InputsVersion: e.InputsVersion}
	for i := range set.Size {
		n.InputNames = append(n.InputNames, set.InputName(i))
	}
	for _, b := range examplePositions(role.Class(), onnxExamples) {
		x := make([]float32, set.Size)
		set.Encode(&b, x)
		n.Positions = append(n.Positions, ONNXExample{b.Key().PositionID(), x, evaluate(x)})
	}
	return n, nil
}

// Reference returns what computes a net in float64; with GNU Backgammon's
// approximate sigmoid, whose steps are part of it, in this program's float32. Other
// programs' computations of the net are compared with it.
func Reference(n *nn.Net) (func(x []float32) []float64, error) {
	if !slices.ContainsFunc(n.Layers, func(l nn.Layer) bool { return l.Activation == nn.SigmoidGNUbg }) {
		return func(x []float32) []float64 { return evaluate64(n, x) }, nil
	}
	c, err := nn.Compile(n)
	if err != nil {
		return nil, err
	}
	scratch, in, out := c.NewScratch(), make([]float32, c.Stride()), make([]float32, n.Outputs())
	return func(x []float32) []float64 {
		copy(in, x)
		c.Eval(scratch, in, 1, out)
		y := make([]float64, len(out))
		for i, v := range out {
			y[i] = float64(v)
		}
		return y
	}, nil
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

// evaluate64 computes a net of exact activations in float64.
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
			case nn.SquaredReLU:
				sum = max(sum, 0) * max(sum, 0)
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
