package rollout

import (
	"context"
	"fmt"

	"bgtrain/dataset"
	"bgtrain/rollout/label"
)

// NewWork returns a function that rolls out the rows of a database, for one
// goroutine: outputs, standard error, trials and method of every row are filled
// in. Positions that a bearoff database covers get its values.
func (e *Engine) NewWork() func(context.Context, []dataset.Row) ([]dataset.Row, error) {
	r := e.NewRoller()
	method := e.o.Method()
	return func(ctx context.Context, rows []dataset.Row) ([]dataset.Row, error) {
		for i := range rows {
			row := &rows[i]
			b, err := row.Key.Board()
			if err != nil {
				return nil, fmt.Errorf("position %s: %w", row.Key, err)
			}
			res, err := r.Rollout(ctx, &b)
			if err != nil {
				return nil, err
			}
			row.Outputs, row.HasOutputs = res.Outputs, true
			row.Class = dataset.ClassOf(&b)
			if res.Exact {
				row.Method = label.Bearoff(e.p, &b)
				continue
			}
			row.Method = method
			row.EquitySE, row.HasSE = float32(res.EquitySE), true
			row.Trials, row.HasTrials = int32(res.Trials), true
		}
		return rows, nil
	}
}
