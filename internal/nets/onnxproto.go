package nets

import "encoding/binary"

// graph is a GraphProto in the making.
type graph struct {
	nodes, tensors message
	constants      map[string]bool // names of the tensors that are there
}

// proto returns the graph with its inputs and outputs.
func (g *graph) proto(name string, inputs, outputs []message) message {
	m := append(message(nil), g.nodes...)
	m.text(2, name)
	m = append(m, g.tensors...)
	for _, v := range inputs {
		m.bytes(11, v)
	}
	for _, v := range outputs {
		m.bytes(12, v)
	}
	return m
}

// node adds a node with one output, and returns the output's name.
func (g *graph) node(op, out string, attributes []message, in ...string) string {
	var m message
	for _, name := range in {
		m.text(1, name)
	}
	m.text(2, out)
	m.text(3, op+"_"+out)
	m.text(4, op)
	for _, a := range attributes {
		m.bytes(5, a)
	}
	g.nodes.bytes(1, m)
	return out
}

// floats adds a tensor of float32 where there is none of that name, a scalar
// without a shape, and returns the name.
func (g *graph) floats(name string, values []float32, shape ...int) string {
	return g.tensor(name, onnxFloat, values, shape)
}

// integers is floats of int64, always a vector.
func (g *graph) integers(name string, values ...int64) string {
	return g.tensor(name, onnxInt64, values, []int{len(values)})
}

// Numbers of element types in ONNX.
const (
	onnxFloat = 1
	onnxInt64 = 7
)

// tensor adds the numbers of a kind: []float32 or []int64.
func (g *graph) tensor(name string, kind uint64, values any, shape []int) string {
	if g.constants[name] {
		return name
	}
	g.constants[name] = true
	var m message
	for _, n := range shape {
		m.integer(1, uint64(n))
	}
	m.integer(2, kind)
	m.text(8, name)
	raw, _ := binary.Append(nil, binary.LittleEndian, values) // of these it cannot fail
	m.bytes(9, raw)
	g.tensors.bytes(5, m)
	return name
}

// Numbers of attribute types in ONNX.
const (
	attributeInt   = 2
	attributeGraph = 5
	attributeInts  = 7
)

func attribute(name string, field int, kind uint64, values ...any) message {
	var m message
	m.text(1, name)
	for _, v := range values {
		switch v := v.(type) {
		case int:
			m.integer(field, uint64(v))
		case message:
			m.bytes(field, v)
		}
	}
	m.integer(20, kind)
	return m
}

func intAttribute(name string, v int) message { return attribute(name, 3, attributeInt, v) }

func intsAttribute(name string, v ...any) message { return attribute(name, 8, attributeInts, v...) }

func graphAttribute(name string, g message) message { return attribute(name, 6, attributeGraph, g) }

// onnxValue returns the ValueInfoProto of a float32 tensor: a dimension is a
// number or, where it may be any, a name.
func onnxValue(name string, dimensions ...any) message {
	var shape, tensor, kind, m message
	for _, d := range dimensions {
		var dimension message
		switch d := d.(type) {
		case int:
			dimension.integer(1, uint64(d))
		case string:
			dimension.text(2, d)
		}
		shape.bytes(1, dimension)
	}
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
