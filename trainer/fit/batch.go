package fit

import (
	"bgtrain/features"
	"bgtrain/internal/bg"
)

// batchRows gives the stepper the rows of one batch: the examples of a table at
// the places in order, their inputs encoded as they are asked for.
type batchRows struct {
	set   *features.Set
	table *table
	order []uint32
	first uint32  // with order nil: the examples from here on
	scale float32 // makes the mean weight of the training set 1

	// Of the rows of the batch. Boards would be moved to the heap from the stack
	// of Row, one by one, because Encode is a function value.
	examples []Example
	boards   []bg.Board
}

func newBatchRows(set *features.Set, batch int, scale float32) batchRows {
	return batchRows{set: set, scale: scale, examples: make([]Example, batch), boards: make([]bg.Board, batch)}
}

// Fetch implements backprop.Rows. The examples of a shuffled batch are all over
// the memory: copied in one loop, the processor waits for many of them at once.
func (r *batchRows) Fetch(lo, n int) {
	for i := lo; i < lo+n; i++ {
		at := r.first + uint32(i)
		if r.order != nil {
			at = r.order[i]
		}
		r.examples[i] = *r.table.at(at)
	}
}

// Row implements backprop.Rows.
func (r *batchRows) Row(i int, x []float32, t *bg.Outputs) ([]float32, float32) {
	e, b := &r.examples[i], &r.boards[i]
	var err error
	if *b, err = e.Key.Board(); err != nil {
		panic(err) // Data.Add checked it
	}
	r.set.Encode(b, x)
	*t = e.Target
	return x, e.Weight * r.scale
}

// Sibling implements backprop.Decisions.
func (r *batchRows) Sibling(i int) bool { return r.examples[i].sibling }
