package rollout

import (
	"context"
	"fmt"
	"strconv"

	"bgtrain/dataset"
)

// NewWork returns the work of rolling out the rows of a database, for one
// goroutine: outputs, standard error, trials and method of every row are filled
// in. Positions that a bearoff database covers get its values.
func (e *Engine) NewWork() Work {
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
				row.Method = bearoffMethod(e.p, &b)
				continue
			}
			row.Method = method
			row.EquitySE, row.HasSE = float32(res.EquitySE), true
			row.Trials, row.HasTrials = int32(res.Trials), true
		}
		return rows, nil
	}
}

// Settings are the entries of dataset.Meta.Extra that, with seed and net, tell
// this rollout from others that give other numbers. smallNet is the fingerprint
// of the small nets, "" for none.
func (e *Engine) Settings(smallNet string) map[string]string {
	o := &e.o
	s := map[string]string{
		"rollout": o.Method(),
		"luck":    string(o.Luck),
	}
	if o.Luck == LuckPicked || o.Luck == LuckSmall {
		s["luck"] = fmt.Sprintf("%s picks=%d net=%s", o.Luck, o.Picks, smallNet)
	}
	if db := e.p.Bearoff(); db == nil {
		s["bearoff"] = "none"
	} else {
		s["bearoff"] = "two-sided " + strconv.Itoa(db.TwoSidedCheckers())
	}
	return s
}
