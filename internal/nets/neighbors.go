package nets

import (
	"cmp"
	"math/bits"
	"slices"

	"bgtrain/internal/nn"
)

// Neighbors returns n with the units of its rectified hidden layers in another order: by
// twos, such that those are neighbors that are active on the same rows. It computes the
// same but for the order of additions. In fixed point (see package nn) a layer takes two
// inputs at a time and skips them where both are 0.
func Neighbors(n *nn.Net, rows Rows) (*nn.Net, error) {
	on := make([][][]uint64, len(n.Layers)-1)
	for i := range on {
		on[i] = make([][]uint64, n.Layers[i].Out)
		for unit := range on[i] {
			on[i][unit] = make([]uint64, (rows.N+63)/64)
		}
	}
	err := eachActive(n, rows, func(layer, unit, row int, _ float32) { on[layer][unit][row/64] |= 1 << (row % 64) })
	if err != nil {
		return nil, err
	}
	out := &nn.Net{Layers: append([]nn.Layer(nil), n.Layers...)}
	for layer := range on {
		if !n.Layers[layer].Activation.IsRectified() {
			break
		}
		keep(out, layer, byTwos(on[layer]))
	}
	return out, nil
}

// byTwos is an order of units in which neighbors are on together as often as a greedy
// choice makes them, those that are on most often first.
func byTwos(on [][]uint64) []int {
	type two struct{ a, b, together int }
	var twos []two
	for a := range on {
		for b := range on[:a] {
			twos = append(twos, two{a, b, ones(on[a], on[b])})
		}
	}
	slices.SortStableFunc(twos, func(x, y two) int { return cmp.Compare(y.together, x.together) })
	taken := make([]bool, len(on))
	var order []int
	for _, t := range twos {
		if !taken[t.a] && !taken[t.b] {
			taken[t.a], taken[t.b] = true, true
			order = append(order, t.a, t.b)
		}
	}
	for unit, t := range taken {
		if !t {
			order = append(order, unit)
		}
	}
	return order
}

// ones counts the rows on which both of two units are on.
func ones(a, b []uint64) int {
	n := 0
	for i, x := range a {
		n += bits.OnesCount64(x & b[i])
	}
	return n
}
