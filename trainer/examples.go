package trainer

import (
	"context"
	"fmt"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/rollout/selfplay"
	"bgtrain/trainer/fit"
)

// examples reads the rows with outputs of the classes that w gives a weight, but
// for the positions of Without. Repeats is the number of rows with a position of an
// earlier one. Families: see fit.NewData.
func (src *Sources) examples(ctx context.Context, w *Weighting, validation float64, families bool) (data *fit.Data,
	repeats int, err error) {
	src.Bad = dataset.Counts{}
	filter := dataset.Filter{Columns: dataset.ColClass | dataset.ColOutputs | dataset.ColEquitySE | dataset.ColTrials,
		SkipBad: src.SkipBad, Bad: &src.Bad}
	if families {
		filter.Columns |= dataset.ColSource
	}
	for c, weight := range w.Classes {
		if weight > 0 {
			filter.Classes = append(filter.Classes, bg.Class(c))
		}
	}
	data = fit.NewData(validation, families)
	var seen dataset.KeySet
	for _, db := range src.Databases {
		for b, err := range db.Batches(ctx, filter) {
			if err != nil {
				return nil, 0, err
			}
			again, err := addBatch(data, b, w, src.Without, &seen)
			if err != nil {
				return nil, 0, fmt.Errorf("read database %s: %w", b.Part, err)
			}
			repeats += again
		}
	}
	if data.Training() == 0 {
		return nil, 0, fmt.Errorf("no positions with outputs of class %v in the databases", filter.Classes)
	}
	return data, repeats, nil
}

// addBatch adds the rows of a batch and returns how many repeat a position.
func addBatch(data *fit.Data, b *dataset.Batch, w *Weighting, without map[bg.Key]bool,
	seen *dataset.KeySet) (repeats int, err error) {
	for i, key := range b.Keys {
		if !b.HasOutputs[i] || without[key] {
			continue
		}
		target := b.Outputs[i]
		for k := range target {
			// Rounding errors up to 1e-4 are let into databases.
			target[k] = min(1, max(0, target[k]))
		}
		weight := w.Of(b, i)
		e := fit.Example{Key: key, Target: target, Weight: weight,
			Reply: b.Source.At(i) == selfplay.RepliesSource}
		if err := data.Add(e); err != nil {
			return repeats, err
		}
		if weight > 0 && !seen.Add(key) {
			repeats++
		}
	}
	return repeats, nil
}
