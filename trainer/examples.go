package trainer

import (
	"context"
	"fmt"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/trainer/net"
)

// examples reads the rows with outputs of the classes that w gives a weight, but
// for the positions of Without.
func (src *Sources) examples(ctx context.Context, w *Weighting, validation float64) (*net.Data, error) {
	src.Bad = dataset.Counts{}
	filter := dataset.Filter{Columns: dataset.ColClass | dataset.ColOutputs | dataset.ColEquitySE | dataset.ColTrials,
		SkipBad: src.SkipBad, Bad: &src.Bad}
	for c, weight := range w.Classes {
		if weight > 0 {
			filter.Classes = append(filter.Classes, bg.Class(c))
		}
	}
	data := net.NewData(validation)
	for _, db := range src.Databases {
		for b, err := range db.Batches(ctx, filter) {
			if err != nil {
				return nil, err
			}
			if err := addBatch(data, b, w, src.Without); err != nil {
				return nil, fmt.Errorf("read database %s: %w", b.Part, err)
			}
		}
	}
	if data.Training() == 0 {
		return nil, fmt.Errorf("no positions with outputs of class %v in the databases", filter.Classes)
	}
	return data, nil
}

func addBatch(data *net.Data, b *dataset.Batch, w *Weighting, without map[bg.Key]bool) error {
	for i, key := range b.Keys {
		if !b.HasOutputs[i] || without[key] {
			continue
		}
		target := b.Outputs[i]
		for k := range target {
			// Rounding errors up to 1e-4 are let into databases.
			target[k] = min(1, max(0, target[k]))
		}
		if err := data.Add(net.Example{Key: key, Target: target, Weight: w.Of(b, i)}); err != nil {
			return err
		}
	}
	return nil
}
