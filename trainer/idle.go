package trainer

import (
	"math/rand/v2"

	"bgtrain/features"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
	"bgtrain/trainer/net"
)

// idleRows is the number of training rows that a unit has to be 0 on to count as idle.
const idleRows = 20000

// Idle says of the hidden layers of a net, in their order, how many units there are
// and how many are 0 on all of Rows positions to train on.
type Idle struct {
	Rows        int
	Units, Idle []int
}

// Any says whether there are idle units.
func (d *Idle) Any() bool {
	for _, n := range d.Idle {
		if n > 0 {
			return true
		}
	}
	return false
}

// positions sets inputs to those of positions, and err where one is not legal.
func positions(set *features.Set, key func(row int) bg.Key, err *error) func(row int, x []float32) {
	return func(row int, x []float32) {
		b, failed := key(row).Board()
		if failed != nil {
			*err = failed
			return
		}
		set.Encode(&b, x)
	}
}

// idle says how many units of n are idle by the rows on which each is active.
func idle(n *nn.Net, rows int, active [][]int) *Idle {
	d := &Idle{Rows: rows}
	for layer, counts := range active {
		idle := 0
		for _, c := range counts {
			if c == 0 {
				idle++
			}
		}
		d.Units, d.Idle = append(d.Units, n.Layers[layer].Out), append(d.Idle, idle)
	}
	return d
}

// revive looks for idle units of a net that is to learn from data, and starts them
// anew if the settings say so.
func (s *Settings) revive(n *nn.Net, set *features.Set, data *net.Data) (*nn.Net, *Idle, error) {
	rows := min(idleRows, data.Training())
	var failed error
	input := positions(set, func(row int) bg.Key { return data.Key(row * (data.Training() / rows)) }, &failed)
	d := idle(n, rows, nets.Active(n, rows, input))
	if failed != nil || !s.Revive || !d.Any() {
		return n, d, failed
	}
	n, err := nets.Revive(rand.New(rand.NewPCG(s.Seed, streamRevive)), n, rows, input)
	return n, d, err
}
