package trainer

import (
	"context"
	"fmt"
	"strings"

	"bgtrain/features"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
	"bgtrain/trainer/fit"
)

// idleRows is the number of training rows that a unit has to be 0 on to count as idle.
const idleRows = 20000

// Idle says of the hidden layers of a net, in their order, how many units there are
// and how many are 0 on all of Rows positions to train on.
type Idle struct {
	Rows        int
	Units, Idle []int
}

// Any reports whether there are idle units.
func (d *Idle) Any() bool {
	for _, n := range d.Idle {
		if n > 0 {
			return true
		}
	}
	return false
}

// positions are n of total positions, spread evenly over them, as rows of a net's
// inputs, until ctx is done.
func positions(ctx context.Context, set *features.Set, n, total int, key func(row int) bg.Key) nets.Rows {
	return nets.Rows{N: n, Input: func(row int, x []float32) error {
		b, err := key(row * total / n).Board()
		if err != nil {
			return err
		}
		set.Encode(&b, x)
		return ctx.Err()
	}}
}

// idle describes how many units of n are idle by the rows on which each is active.
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
func (s *Settings) revive(ctx context.Context, role nets.Role, n *nn.Net, set *features.Set,
	data *fit.Data) (*nn.Net, *Idle, error) {
	rows := min(idleRows, data.Training())
	some := positions(ctx, set, rows, data.Training(), data.Key)
	active, err := nets.Active(n, some)
	if err != nil {
		return nil, nil, err
	}
	d := idle(n, rows, active)
	if !s.Revive || !d.Any() {
		return n, d, nil
	}
	n, err = s.starting().Revive(role, n, some)
	return n, d, err
}

// String lists the idle units of each layer, as "514 of 1280, 111 of 320".
func (d *Idle) String() string {
	parts := make([]string, len(d.Idle))
	for i, n := range d.Idle {
		parts[i] = fmt.Sprintf("%d of %d", n, d.Units[i])
	}
	return strings.Join(parts, ", ")
}
