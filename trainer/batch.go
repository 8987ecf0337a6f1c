package trainer

import (
	"bgtrain/features"
	"bgtrain/internal/bg"
)

// batchRows gives the engine the rows of one batch: the examples of a table at
// the places in order, their inputs encoded as they are asked for.
type batchRows struct {
	set   *features.Set
	table *table
	order []uint32
	first uint32  // with order nil: the examples from here on
	scale float32 // makes the mean weight of the training set 1

	// boards are those of the rows: on the stack of Row they would be moved to
	// the heap, row by row, because Encode is a function value.
	boards []bg.Board
}

// Row implements backprop.Rows.
func (r *batchRows) Row(i int, x []float32, t *bg.Outputs) float32 {
	at := r.first + uint32(i)
	if r.order != nil {
		at = r.order[i]
	}
	e := r.table.at(at)
	b := &r.boards[i]
	var err error
	if *b, err = e.Key.Board(); err != nil {
		panic(err) // Data.Add checked it
	}
	r.set.Encode(b, x)
	*t = e.Target
	return e.Weight * r.scale
}
