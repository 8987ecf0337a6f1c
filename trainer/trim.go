package trainer

import (
	"context"
	"fmt"
	"slices"

	"bgtrain/dataset"
	"bgtrain/features"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
)

// neighborRows is the number of positions that tell which units are active together.
const neighborRows = 20000

// Trim returns player with the nets of some roles trimmed: without the rectified
// hidden units that are 0 on rows positions of their class, spread over the databases
// (all of them if there are no more). There the outputs stay the same. It says for
// each role what was idle. If hidden is not nil, it has the units of each hidden layer
// that may be left: others go, however active, and the outputs change.
func Trim(ctx context.Context, player *nets.Set, roles []nets.Role, dbs []*dataset.DB, rows int, hidden []int) (*nets.Set,
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
		active := nets.Active(e.Net, len(keys), positions(set, func(row int) bg.Key { return keys[row] }, &err))
		if err != nil {
			return nil, nil, fmt.Errorf("trim %s: %w", role, err)
		}
		trimmed := *e
		if trimmed.Net, err = nets.Trim(e.Net, active); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", role, err)
		}
		some := min(len(keys), neighborRows)
		input := positions(set, func(row int) bg.Key { return keys[row*(len(keys)/some)] }, &err)
		if hidden != nil {
			var failed error
			if trimmed.Net, failed = nets.Weightiest(trimmed.Net, hidden, some, input); failed != nil {
				return nil, nil, fmt.Errorf("trim %s: %w", role, failed)
			}
		}
		trimmed.Net = nets.Neighbors(trimmed.Net, some, input)
		if err != nil {
			return nil, nil, fmt.Errorf("trim %s: %w", role, err)
		}
		player = player.With(role, &trimmed)
		idles = append(idles, *idle(e.Net, len(keys), active))
	}
	return player, idles, nil
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
