package trainer

import (
	"context"
	"fmt"
	"slices"

	"bgtrain/dataset"
	"bgtrain/features"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
)

// neighborRows is the number of positions by which units are found to be active together.
const neighborRows = 20000

// Trim returns player with the nets of some roles trimmed: without the rectified
// hidden units that are 0 on rows positions of their class, spread over the databases
// (all of them if there are no more). There the outputs stay the same. It says for
// each role what was idle. If hidden is not nil, it has the units of each hidden layer
// that may be left: others go, however active, and the outputs change.
func Trim(ctx context.Context, player *nets.Set, roles []nets.Role, dbs []*dataset.DB, rows int,
	hidden []int) (*nets.Set,
	[]Idle, error) {
	var idles []Idle
	for _, role := range roles {
		e := player.Nets[role]
		if e == nil {
			return nil, nil, fmt.Errorf("trim: no %s net", role)
		}
		set, err := features.Lookup(e.Inputs, e.InputsVersion)
		if err != nil {
			return nil, nil, fmt.Errorf("trim %s: %w", role, err)
		}
		keys, err := keysOf(ctx, dbs, role.Class(), rows)
		if err != nil {
			return nil, nil, fmt.Errorf("trim %s: %w", role, err)
		}
		trimmed := *e
		var active [][]int
		if trimmed.Net, active, err = trim(ctx, e.Net, set, keys, hidden); err != nil {
			return nil, nil, fmt.Errorf("trim %s: %w", role, err)
		}
		player = player.With(role, &trimmed)
		idles = append(idles, *idle(e.Net, len(keys), active))
	}
	return player, idles, nil
}

// trim returns n as Trim has it, and on how many of the positions each of its units was
// active.
func trim(ctx context.Context, n *nn.Net, set *features.Set, keys []bg.Key, hidden []int) (*nn.Net, [][]int, error) {
	key := func(row int) bg.Key { return keys[row] }
	active, err := nets.Active(n, positions(ctx, set, len(keys), len(keys), key))
	if err != nil {
		return nil, nil, err
	}
	if n, err = nets.Trim(n, active); err != nil {
		return nil, nil, err
	}
	few := positions(ctx, set, min(len(keys), neighborRows), len(keys), key)
	if hidden != nil {
		if n, err = nets.Weightiest(n, hidden, few); err != nil {
			return nil, nil, err
		}
	}
	n, err = nets.Neighbors(n, few)
	return n, active, err
}

// keysOf returns up to n positions of a class, spread evenly over the databases.
func keysOf(ctx context.Context, dbs []*dataset.DB, class bg.Class, n int) ([]bg.Key, error) {
	var keys []bg.Key
	for _, db := range dbs {
		for b, err := range db.Batches(ctx, dataset.Filter{Columns: dataset.ColClass, Classes: []bg.Class{class}}) {
			if err != nil {
				return nil, err
			}
			keys = append(keys, slices.Clone(b.Keys)...)
		}
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("no %s positions in the databases", class)
	}
	n = min(n, len(keys))
	some := make([]bg.Key, n)
	for i := range some {
		some[i] = keys[i*len(keys)/n]
	}
	return some, nil
}
