package nets

import "encoding/binary"

// graph holds the nodes and tensors of a GraphProto in the making.
type graph struct{ nodes, tensors message }

// node adds a node with one output, and returns the output's name.
func (g *graph) node(op, out string, in ...string) string {
	var m message
	for _, name := range in {
		m.text(1, name)
	}
	m.text(2, out)
	m.text(3, op+"_"+out)
	m.text(4, op)
	g.nodes.bytes(1, m)
	return out
}

// onnxFloat is the number of float32 among ONNX's element types.
const onnxFloat = 1

// floats adds a tensor of float32, a scalar without a shape, and returns its name.
func (g *graph) floats(name string, values []float32, shape ...int) string {
	var m message
	for _, n := range shape {
		m.integer(1, uint64(n))
	}
	m.integer(2, onnxFloat)
	m.text(8, name)
	raw, _ := binary.Append(nil, binary.LittleEndian, values) // of these it cannot fail
	m.bytes(9, raw)
	g.tensors.bytes(5, m)
	return name
}

// onnxValue returns the ValueInfoProto of a float32 tensor of any number of vectors.
func onnxValue(name string, length int) message {
	var batch, vector, shape, tensor, kind, m message
	batch.text(2, "batch")
	vector.integer(1, uint64(length))
	shape.bytes(1, batch)
	shape.bytes(1, vector)
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
