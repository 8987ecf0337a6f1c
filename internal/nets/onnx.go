package nets

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"bgtrain/internal/nn"
)

// Versions of the ONNX format that are written: old enough for any runtime of the
// last years. Gemm, Sigmoid, Relu, Tanh and Mul have not changed since.
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
// layer. Its metadata say the role, the input set with its version, and the
// fingerprint of the player. Nets of GNU Backgammon's approximate sigmoid are
// refused: its steps of 2^-12 turn the rounding of another program's sums into
// differences a thousand times as large.
func WriteONNX(w io.Writer, s *Set, role Role) error {
	e := s.Nets[role]
	if e == nil {
		return fmt.Errorf("no %s net", role)
	}
	if err := e.check(); err != nil {
		return fmt.Errorf("%s net: %w", role, err)
	}
	graph, err := onnxGraph(e.Net, string(role))
	if err != nil {
		return fmt.Errorf("%s net: %w", role, err)
	}
	var m message
	m.integer(1, onnxIR)
	m.text(2, "bgtrain")
	var opset message
	opset.text(1, "")
	opset.integer(2, onnxOpset)
	m.bytes(7, graph)
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

// ErrInexact is returned for nets with GNU Backgammon's approximation of the
// sigmoid.
var ErrInexact = errors.New("other programs cannot compute it alike: export it with the exact sigmoid")

// onnxOps are the operators of the activations.
var onnxOps = map[nn.Activation]string{nn.Sigmoid: "Sigmoid", nn.ReLU: "Relu", nn.Tanh: "Tanh"}

// onnxGraph returns the GraphProto of a net.
func onnxGraph(n *nn.Net, name string) (message, error) {
	var g, tensors message
	from := onnxInput
	for k := range n.Layers {
		l := &n.Layers[k]
		op, ok := onnxOps[l.Activation]
		if !ok {
			return nil, fmt.Errorf("layer %d: %v: %w", k, l.Activation, ErrInexact)
		}
		sum, out := fmt.Sprintf("sum%d", k), fmt.Sprintf("layer%d", k)
		if k == len(n.Layers)-1 {
			out = onnxOutput
		}
		weight, bias := fmt.Sprintf("weight%d", k), fmt.Sprintf("bias%d", k)
		g.bytes(1, onnxNode("Gemm", sum, from, weight, bias))
		tensors.bytes(5, onnxTensor(weight, l.Weights, l.In, l.Out))
		tensors.bytes(5, onnxTensor(bias, l.Bias, l.Out))
		if l.Activation == nn.Sigmoid && l.Beta != 1 {
			beta, steep := fmt.Sprintf("beta%d", k), fmt.Sprintf("steep%d", k)
			g.bytes(1, onnxNode("Mul", steep, sum, beta))
			tensors.bytes(5, onnxTensor(beta, []float32{l.Beta}, 1))
			sum = steep
		}
		g.bytes(1, onnxNode(op, out, sum))
		from = out
	}
	g.text(2, name)
	g = append(g, tensors...)
	g.bytes(11, onnxValue(onnxInput, n.Inputs()))
	g.bytes(12, onnxValue(onnxOutput, n.Outputs()))
	return g, nil
}

// onnxNode returns a NodeProto.
func onnxNode(op, out string, in ...string) message {
	var m message
	for _, name := range in {
		m.text(1, name)
	}
	m.text(2, out)
	m.text(3, op+"_"+out)
	m.text(4, op)
	return m
}

// onnxFloat is the number of float32 among ONNX's types.
const onnxFloat = 1

// onnxTensor returns a TensorProto.
func onnxTensor(name string, values []float32, shape ...int) message {
	var m message
	for _, n := range shape {
		m.integer(1, uint64(n))
	}
	m.integer(2, onnxFloat)
	m.text(8, name)
	raw := make([]byte, 0, 4*len(values))
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
	}
	m.bytes(9, raw)
	return m
}

// onnxValue returns the ValueInfoProto of a float32 matrix of any number of rows.
func onnxValue(name string, width int) message {
	var rows, columns, shape, tensor, kind, m message
	rows.text(2, "batch")
	columns.integer(1, uint64(width))
	shape.bytes(1, rows)
	shape.bytes(1, columns)
	tensor.integer(1, onnxFloat)
	tensor.bytes(2, shape)
	kind.bytes(1, tensor)
	m.text(1, name)
	m.bytes(2, kind)
	return m
}

// message is a protocol buffer in the making.
type message []byte

func (m *message) integer(field int, v uint64) {
	*m = binary.AppendUvarint(*m, uint64(field)<<3)
	*m = binary.AppendUvarint(*m, v)
}

func (m *message) bytes(field int, v []byte) {
	*m = binary.AppendUvarint(*m, uint64(field)<<3|2)
	*m = binary.AppendUvarint(*m, uint64(len(v)))
	*m = append(*m, v...)
}

func (m *message) text(field int, v string) { m.bytes(field, []byte(v)) }
