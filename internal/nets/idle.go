package nets

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"bgtrain/internal/nn"
)

// Rows are inputs of a net to try it on: N rows, of which Input sets x, of the net's
// inputs, to one. Its first error ends the pass and is what the caller gets, so it can
// also say when to stop.
type Rows struct {
	N     int
	Input func(row int, x []float32) error
}

// Weightiest returns n with so many units of each rectified hidden layer, those that give
// the next layer most: the sum of a unit's values on the rows, times the length of its
// outgoing weights. Layers that do not have more stay as they are.
func Weightiest(n *nn.Net, units []int, rows Rows) (*nn.Net, error) {
	if len(units) != len(n.Layers)-1 {
		return nil, fmt.Errorf("widths of %d hidden layers for %d", len(units), len(n.Layers)-1)
	}
	gives := make([][]float64, len(units))
	for i := range gives {
		gives[i] = make([]float64, n.Layers[i].Out)
	}
	err := eachActive(n, rows, func(layer, unit, _ int, value float32) { gives[layer][unit] += float64(value) })
	if err != nil {
		return nil, err
	}
	out := &nn.Net{Layers: append([]nn.Layer(nil), n.Layers...)}
	for layer, sums := range gives {
		next := &n.Layers[layer+1]
		if !n.Layers[layer].Activation.IsRectified() || units[layer] >= len(sums) {
			continue
		}
		order := make([]int, len(sums))
		for unit := range sums {
			square := 0.0
			for _, w := range next.Weights[unit*next.Out : (unit+1)*next.Out] {
				square += float64(w) * float64(w)
			}
			sums[unit] *= math.Sqrt(square)
			order[unit] = unit
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sums[b], sums[a]) })
		most := order[:max(1, units[layer])]
		slices.Sort(most)
		keep(out, layer, most)
	}
	return out, nil
}

// Active counts, for each unit of the rectified hidden layers of n, the rows on which
// it is not 0: by layer, then unit. From the first layer of another activation on
// there is nil.
//
// A rectified unit that is 0 on all rows gets no gradient: training never changes it
// again, but by weight decay.
func Active(n *nn.Net, rows Rows) ([][]int, error) {
	active := make([][]int, len(n.Layers)-1)
	for i := range active {
		if !n.Layers[i].Activation.IsRectified() {
			break
		}
		active[i] = make([]int, n.Layers[i].Out)
	}
	err := eachActive(n, rows, func(layer, unit, _ int, _ float32) { active[layer][unit]++ })
	return active, err
}

// eachActive passes each unit of the rectified hidden layers, the rows on which it is not
// 0, and its value there, as Active goes through them.
func eachActive(n *nn.Net, rows Rows, is func(layer, unit, row int, value float32)) error {
	var values [][]float32
	for i := range n.Layers[:len(n.Layers)-1] {
		if !n.Layers[i].Activation.IsRectified() {
			break
		}
		values = append(values, make([]float32, n.Layers[i].Out))
	}
	if len(values) == 0 {
		return nil
	}
	inputs := make([]float32, n.Inputs())
	for row := range rows.N {
		if err := rows.Input(row, inputs); err != nil {
			return err
		}
		x := inputs
		for i, y := range values {
			rectified(&n.Layers[i], x, y)
			for o, v := range y {
				if v > 0 {
					is(i, o, row, v)
				}
			}
			x = y
		}
	}
	return nil
}

// rectified computes a rectified layer, leaving out inputs of 0.
func rectified(l *nn.Layer, x, y []float32) {
	copy(y, l.Bias)
	addProducts(l, x, y)
	for o, v := range y {
		if y[o] = max(v, 0); l.Activation == nn.SquaredReLU {
			y[o] *= y[o]
		}
	}
}

// addProducts adds to y what the inputs x give a layer's units.
func addProducts(l *nn.Layer, x, y []float32) {
	for i, v := range x {
		if v == 0 {
			continue
		}
		for o, w := range l.Weights[i*l.Out : (i+1)*l.Out] {
			y[o] += v * w
		}
	}
}

// Trim returns n without the hidden units that are active on no row, as Active counts
// them: on these rows it computes the same. The first unit of a layer that would have
// none left stays.
func Trim(n *nn.Net, active [][]int) (*nn.Net, error) {
	if len(active) != len(n.Layers)-1 {
		return nil, fmt.Errorf("trim: %d hidden layers counted, %d expected", len(active), len(n.Layers)-1)
	}
	out := &nn.Net{Layers: append([]nn.Layer(nil), n.Layers...)}
	for layer, counts := range active {
		if counts == nil {
			continue
		}
		if len(counts) != n.Layers[layer].Out {
			return nil, fmt.Errorf("trim: layer %d has %d units, %d counted", layer, n.Layers[layer].Out, len(counts))
		}
		var units []int
		for unit, c := range counts {
			if c > 0 {
				units = append(units, unit)
			}
		}
		if len(units) == 0 {
			units = []int{0}
		}
		keep(out, layer, units)
	}
	return out, nil
}

// keep leaves a hidden layer of n with these of its units, in this order.
func keep(n *nn.Net, layer int, units []int) {
	l, next := &n.Layers[layer], &n.Layers[layer+1]
	l.Weights, l.Bias = columns(l.Weights, l.Out, units), columns(l.Bias, l.Out, units)
	l.Out = len(units)
	rows := make([]float32, 0, len(units)*next.Out)
	for _, unit := range units {
		rows = append(rows, next.Weights[unit*next.Out:(unit+1)*next.Out]...)
	}
	next.Weights, next.In = rows, len(units)
}

// columns returns some columns of rows that are width wide.
func columns(m []float32, width int, keep []int) []float32 {
	out := make([]float32, 0, len(m)/width*len(keep))
	for at := 0; at < len(m); at += width {
		for _, k := range keep {
			out = append(out, m[at+k])
		}
	}
	return out
}

// Revive returns n with the units that are active on no row, as Active counts them,
// started anew as Widen starts units: on these rows it computes the same, and they can
// learn. Within a layer they come last then.
func Revive(rng *rand.Rand, n *nn.Net, rows Rows) (*nn.Net, error) {
	active, err := Active(n, rows)
	if err != nil {
		return nil, err
	}
	out, err := Trim(n, active)
	if err != nil {
		return nil, err
	}
	for layer := range out.Layers[:len(out.Layers)-1] {
		units, kept := n.Layers[layer].Out, out.Layers[layer].Out
		if kept == units {
			continue
		}
		if out, err = Widen(rng, out, layer, units); err != nil {
			return nil, err
		}
		// One that the random weights leave below 0 everywhere is above 0 with them
		// negated.
		if active, err = Active(out, rows); err != nil {
			return nil, err
		}
		for unit, c := range active[layer][kept:] {
			if c == 0 {
				negate(&out.Layers[layer], kept+unit)
			}
		}
	}
	return out, nil
}

// negate negates the incoming weights of a unit.
func negate(l *nn.Layer, unit int) {
	for at := unit; at < len(l.Weights); at += l.Out {
		l.Weights[at] = -l.Weights[at]
	}
}
