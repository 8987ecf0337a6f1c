package nets

import (
	"fmt"

	"bgtrain/internal/nn"
)

// gnubgLayer adds a layer of GNU Backgammon's approximate sigmoid, in its own
// arithmetic to the last bit: a product is rounded before it is added, and the
// additions come in its order. A Gemm adds in an order of its own, and the sigmoid
// would make steps of 2^-12 out of the last bits. So the additions are a Scan.
func (g *graph) gnubgLayer(l *nn.Layer, k int, last bool, from, out string) {
	name := func(what string) string { return fmt.Sprintf("%s%d", what, k) }
	bias := g.floats(name("bias"), l.Bias, l.Out)
	var sum string
	if last {
		sum = g.dotSums(l, from, bias, name)
	} else {
		sum = g.sums(l, from, bias, name)
	}
	if l.Beta != 1 {
		sum = g.node("Mul", name("steep"), nil, sum, g.floats(name("beta"), []float32{l.Beta}))
	}
	g.gnubgSigmoid(sum, last, out, name)
}

// sums adds the sums of a hidden layer, [batch, units]: the bias, then one input
// after the other.
func (g *graph) sums(l *nn.Layer, from, bias string, name func(string) string) string {
	weight := g.floats(name("weight"), l.Weights, l.In, l.Out)
	start := g.node("Add", name("start"), nil, g.zeros(from, name), bias)
	return g.scan(name, start, from, weight, 1, []any{"batch", l.Out}, []any{"batch"}, []any{l.Out})
}

// partials is the number of partial sums that a dot product has.
const partials = 4

// dotSums adds the sums of the outputs, [batch, outputs]: dot products of four
// partial sums, every fourth input in one, which are added in pairs, and the bias.
func (g *graph) dotSums(l *nn.Layer, from, bias string, name func(string) string) string {
	padded := (l.In + partials - 1) / partials * partials
	if pad := padded - l.In; pad > 0 {
		from = g.node("Pad", name("padded"), nil, from, g.integers(name("padding"), 0, 0, 0, int64(pad)))
	}
	weights := make([]float32, padded*l.Out)
	copy(weights, l.Weights)
	weight := g.floats(name("weight"), weights, padded/partials, partials, l.Out)
	fours := g.node("Reshape", name("fours"), nil, from, g.integers("fours", 0, -1, partials))
	// The first four inputs times 0, for each output: the partial sums to begin with.
	first := g.node("Gather", name("first"), []message{intAttribute("axis", 1)}, fours, g.integers("zero", 0))
	columns := g.node("Transpose", name("columns"), []message{intsAttribute("perm", 0, 2, 1)}, first)
	start := g.node("Mul", name("start"), nil, columns, g.floats(name("zeros"), make([]float32, l.Out), l.Out))
	all := g.scan(name, start, fours, weight, 1, []any{"batch", partials, l.Out}, []any{"batch", partials},
		[]any{partials, l.Out})
	part := func(i int64) string {
		picked := g.node("Gather", fmt.Sprintf("%s_%d", name("picked"), i), []message{intAttribute("axis", 1)}, all,
			g.integers(fmt.Sprintf("part_%d", i), i))
		return g.node("Squeeze", fmt.Sprintf("%s_%d", name("part"), i), nil, picked, g.integers("axis1", 1))
	}
	even := g.node("Add", name("even"), nil, part(0), part(1))
	odd := g.node("Add", name("odd"), nil, part(2), part(3))
	return g.node("Add", name("sum"), nil, g.node("Add", name("dot"), nil, even, odd), bias)
}

// zeros adds [batch, 1] zeros.
func (g *graph) zeros(from string, name func(string) string) string {
	first := g.node("Gather", name("first"), []message{intAttribute("axis", 1)}, from, g.integers("zero", 0))
	return g.node("Mul", name("zeros"), nil, first, g.floats("nothing", []float32{0}))
}

// scan adds state + x·w, rounded twice, for each step of x along an axis and of w
// along its first; the shapes are those within a step.
func (g *graph) scan(name func(string) string, start, x, w string, axis int, state, xs, ws []any) string {
	at := func(what string) string { return name("step_" + what) }
	body := &graph{constants: map[string]bool{}}
	column := body.node("Unsqueeze", at("column"), nil, at("x"), body.integers(at("axis"), -1))
	product := body.node("Mul", at("product"), nil, column, at("w"))
	body.node("Add", at("next"), nil, at("sum"), product)
	proto := body.proto(name("step"),
		[]message{onnxValue(at("sum"), state...), onnxValue(at("x"), xs...), onnxValue(at("w"), ws...)},
		[]message{onnxValue(at("next"), state...)})
	return g.node("Scan", name("scan"), []message{
		graphAttribute("body", proto), intAttribute("num_scan_inputs", 2), intsAttribute("scan_input_axes", axis, 0),
	}, start, x, w)
}

// gnubgSigmoid adds the sigmoid: 1/(1 + e^|x|), e^|x| by its tangent at the tenth
// below, turned round where x > 0. Hidden layers take the reciprocal of x86
// processors, from its table for numbers from 1 to 2, after the exponent is taken
// off by comparisons.
func (g *graph) gnubgSigmoid(x string, last bool, out string, name func(string) string) {
	one := g.floats("one", []float32{1})
	ten := g.floats("ten", []float32{10})
	size := g.node("Abs", name("size"), nil, x)
	tenths := g.node("Min", name("tenths"), nil, g.node("Mul", name("ten_times"), nil, size, ten),
		g.floats("hundred", []float32{100}))
	whole := g.node("Floor", name("whole"), nil, tenths)
	tangents := nn.GNUbgTangents()
	tangent := g.node("Gather", name("tangent"), nil, g.floats("tangents", tangents, len(tangents)),
		g.node("Cast", name("tenth"), []message{intAttribute("to", onnxInt64)}, whole))
	ahead := g.node("Add", name("ahead"), nil, g.node("Sub", name("ten_less"), nil, ten, whole), tenths)
	d := g.node("Add", name("divisor"), nil, one, g.node("Mul", name("power"), nil, tangent, ahead))
	var y string
	if last {
		y = g.node("Div", name("quotient"), nil, one, d)
	} else {
		y = g.gnubgReciprocal(d, name)
	}
	other := g.node("Sub", name("other"), nil, one, y)
	positive := g.node("Greater", name("positive"), nil, x, g.floats("nothing", []float32{0}))
	g.node("Where", out, nil, positive, other, y)
}

// gnubgReciprocal adds the approximate reciprocal of numbers from 1 to below 2^16.
func (g *graph) gnubgReciprocal(d string, name func(string) string) string {
	one := g.floats("one", []float32{1})
	scale := ""
	for _, k := range []int{8, 4, 2, 1} {
		at := func(what string) string { return fmt.Sprintf("%s_%d", name(what), k) }
		large := g.node("GreaterOrEqual", at("large"), nil, d,
			g.floats(fmt.Sprintf("power_%d", k), []float32{float32(int(1) << k)}))
		factor := g.node("Where", at("factor"), nil, large,
			g.floats(fmt.Sprintf("inverse_%d", k), []float32{1 / float32(int(1)<<k)}), one)
		d = g.node("Mul", at("mantissa"), nil, d, factor)
		if scale == "" {
			scale = factor
			continue
		}
		scale = g.node("Mul", at("scale"), nil, scale, factor)
	}
	table := nn.GNUbgReciprocals()
	segments := g.node("Mul", name("segments"), nil, g.node("Sub", name("fraction"), nil, d, one),
		g.floats("segment_count", []float32{float32(len(table))}))
	segment := g.node("Cast", name("segment"), []message{intAttribute("to", onnxInt64)}, segments)
	return g.node("Mul", name("reciprocal"), nil,
		g.node("Gather", name("looked_up"), nil, g.floats("reciprocals", table, len(table)), segment), scale)
}
