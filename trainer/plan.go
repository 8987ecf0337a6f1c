package trainer

import (
	"context"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
)

// Planned is a net that a run will train, as far as that shows before.
type Planned struct {
	Role nets.Role

	// Rows to train on: all of the net's classes in the databases but the part that is held
	// out. An estimate: rows without outputs, and those that are left out, are among them.
	Rows float64
	Cost float64 // of a row: the weights of the net
}

// plan returns the nets to train, in order; none where the databases or the nets cannot be
// read, which is an error when their turn comes.
func (r *run) plan(ctx context.Context, weightings map[nets.Role]Weighting) []Planned {
	var rows [bg.NumClasses]float64
	for _, db := range r.src.Databases {
		for b, err := range db.Batches(ctx, dataset.Filter{Columns: dataset.ColClass, SkipBad: r.src.SkipBad}) {
			if err != nil {
				return nil
			}
			for _, c := range b.Class {
				rows[c]++
			}
		}
	}
	var all []Planned
	for _, role := range r.s.roles() {
		entry, err := r.s.starting().Move(role, r.player.Nets[role])
		if err != nil {
			return nil
		}
		net, err := r.s.starting().Widen(role, entry.Net)
		if err != nil {
			return nil
		}
		p := Planned{Role: role}
		for c, weight := range weightings[role].Classes {
			if weight > 0 {
				p.Rows += rows[c] * (1 - r.s.Validation)
			}
		}
		for i := range net.Layers {
			p.Cost += float64(len(net.Layers[i].Weights))
		}
		all = append(all, p)
	}
	return all
}
