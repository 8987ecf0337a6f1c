package nets

import (
	"errors"
	"fmt"
	"io"

	"bgtrain/internal/nn"
)

// Versions of the ONNX format that are written: old enough for any runtime of the
// last years. None of the operators here has changed its meaning since.
const (
	onnxIR    = 8
	onnxOpset = 13
)

// Names of the input and output of an ONNX model.
const (
	onnxInput  = "inputs"
	onnxOutput = "outputs"
)

// WriteONNX writes one net as an ONNX model: float32 "inputs" of shape [batch,
// inputs] become "outputs" of shape [batch, 5], by a Gemm and an activation a
// layer; or, where the activation is GNU Backgammon's approximate sigmoid, by its
// additions one after the other and its tables, see gnubgLayer. The metadata have
// the role, the input set with its version, and the fingerprint of the player.
func WriteONNX(w io.Writer, s *Set, role Role) error {
	e := s.Nets[role]
	if e == nil {
		return fmt.Errorf("no %s net", role)
	}
	if err := e.check(); err != nil {
		return fmt.Errorf("%s net: %w", role, err)
	}
	g, err := onnxGraph(e.Net, string(role))
	if err != nil {
		return fmt.Errorf("%s net: %w", role, err)
	}
	var m message
	m.integer(1, onnxIR)
	m.text(2, "bgtrain")
	var opset message
	opset.text(1, "")
	opset.integer(2, onnxOpset)
	m.bytes(7, g)
	m.bytes(8, opset)
	for _, kv := range [][2]string{
		{"bgtrain.role", string(role)}, {"bgtrain.inputs", e.Inputs},
		{"bgtrain.inputs_version", fmt.Sprint(e.InputsVersion)}, {"bgtrain.net", s.Fingerprint()},
	} {
		var entry message
		entry.text(1, kv[0])
		entry.text(2, kv[1])
		m.bytes(14, entry)
	}
	_, err = w.Write(m)
	return err
}

// ErrInexact is returned for nets that no other program computes alike: a hidden
// layer of GNU Backgammon's approximate sigmoid moves in steps of 2^-12, so that
// the sums before it must be equal to the last bit, which only sums of such layers
// are. No command makes a net that mixes the two.
var ErrInexact = errors.New("the steps of its outputs depend on the last bits of the layer before")

// onnxOps are the operators of the activations.
var onnxOps = map[nn.Activation]string{nn.Sigmoid: "Sigmoid", nn.ReLU: "Relu", nn.Tanh: "Tanh"}

// onnxGraph returns the GraphProto of a net.
func onnxGraph(n *nn.Net, name string) (message, error) {
	g := &graph{constants: map[string]bool{}}
	from := onnxInput
	for k := range n.Layers {
		l, last := &n.Layers[k], k == len(n.Layers)-1
		out := fmt.Sprintf("layer%d", k)
		if last {
			out = onnxOutput
		}
		if l.Activation != nn.SigmoidGNUbg {
			g.gemmLayer(l, k, from, out)
			from = out
			continue
		}
		if k > 0 && !last && n.Layers[k-1].Activation != nn.SigmoidGNUbg {
			return nil, fmt.Errorf("layer %d: %v after %v: %w", k, l.Activation, n.Layers[k-1].Activation, ErrInexact)
		}
		g.gnubgLayer(l, k, last, from, out)
		from = out
	}
	return g.proto(name, []message{onnxValue(onnxInput, "batch", n.Inputs())},
		[]message{onnxValue(onnxOutput, "batch", n.Outputs())}), nil
}

// gemmLayer adds a layer of an exact activation.
func (g *graph) gemmLayer(l *nn.Layer, k int, from, out string) {
	weight := g.floats(fmt.Sprintf("weight%d", k), l.Weights, l.In, l.Out)
	bias := g.floats(fmt.Sprintf("bias%d", k), l.Bias, l.Out)
	sum := g.node("Gemm", fmt.Sprintf("sum%d", k), nil, from, weight, bias)
	if l.Activation == nn.Sigmoid && l.Beta != 1 {
		sum = g.node("Mul", fmt.Sprintf("steep%d", k), nil, sum, g.floats(fmt.Sprintf("beta%d", k), []float32{l.Beta}))
	}
	g.node(onnxOps[l.Activation], out, nil, sum)
}
