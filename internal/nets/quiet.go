package nets

import (
	"slices"

	"bgtrain/internal/nn"
)

// Quiet sets the biases of the rectified hidden layers of n so that each of their units is active on a part of
// the rows, as those of a trained net are on a fifth: what leaves zeros out takes then as long as there.
func Quiet(n *nn.Net, rows Rows, active float64) error {
	x := make([][]float32, rows.N)
	for i := range x {
		x[i] = make([]float32, n.Inputs())
		if err := rows.Input(i, x[i]); err != nil {
			return err
		}
	}
	for k := range n.Layers[:len(n.Layers)-1] {
		l := &n.Layers[k]
		if !l.Activation.IsRectified() {
			break
		}
		clear(l.Bias)
		column := make([]float32, rows.N)
		for i := range x {
			y := make([]float32, l.Out)
			addProducts(l, x[i], y)
			x[i] = y
		}
		for unit := range l.Bias {
			for i := range x {
				column[i] = x[i][unit]
			}
			slices.Sort(column)
			bias := -column[int((1-active)*float64(rows.N))]
			for i := range x {
				x[i][unit] = max(0, x[i][unit]+bias)
			}
			l.Bias[unit] = bias
		}
	}
	return nil
}
