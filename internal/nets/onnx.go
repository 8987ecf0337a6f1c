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
// layer. The metadata have the role, the input set with its version, and the
// fingerprint of the player. GNU Backgammon's approximate sigmoid is an error that wraps
// ErrApproximate.
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

// ErrApproximate is returned for nets of GNU Backgammon's approximate sigmoid, which moves in steps: they depend on
// the last bits of sums, and a Gemm adds in an order of its own.
var ErrApproximate = errors.New("no operator computes this sigmoid: --activation sigmoid exports the exact one")

// onnxOps are the operators of the activations.
var onnxOps = map[nn.Activation]string{nn.Sigmoid: "Sigmoid", nn.ReLU: "Relu", nn.Tanh: "Tanh", nn.SquaredReLU: "Mul"}

// onnxGraph returns the GraphProto of a net.
func onnxGraph(n *nn.Net, name string) (message, error) {
	g := &graph{}
	from := onnxInput
	for k := range n.Layers {
		l, out := &n.Layers[k], fmt.Sprintf("layer%d", k)
		if k == len(n.Layers)-1 {
			out = onnxOutput
		}
		op, ok := onnxOps[l.Activation]
		if !ok {
			return nil, fmt.Errorf("layer %d: %v: %w", k, l.Activation, ErrApproximate)
		}
		sum := g.node("Gemm", fmt.Sprintf("sum%d", k), from, g.floats(fmt.Sprintf("weight%d", k), l.Weights, l.In, l.Out),
			g.floats(fmt.Sprintf("bias%d", k), l.Bias, l.Out))
		if l.Activation == nn.Sigmoid && l.Beta != 1 {
			sum = g.node("Mul", fmt.Sprintf("steep%d", k), sum, g.floats(fmt.Sprintf("beta%d", k), []float32{l.Beta}))
		}
		if l.Activation == nn.SquaredReLU {
			sum = g.node("Relu", fmt.Sprintf("rectified%d", k), sum)
			from = g.node(op, out, sum, sum)
			continue
		}
		from = g.node(op, out, sum)
	}
	var m message
	m = append(m, g.nodes...)
	m.text(2, name)
	m = append(m, g.tensors...)
	m.bytes(11, onnxValue(onnxInput, n.Inputs()))
	m.bytes(12, onnxValue(onnxOutput, n.Outputs()))
	return m, nil
}
