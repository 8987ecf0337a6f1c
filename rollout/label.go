package rollout

import (
	"context"
	"fmt"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/player"
)

// LabelMethod is the method column of outputs by n-ply evaluation; positions
// that the two-sided bearoff database knows are "exact bearoff".
func LabelMethod(ply int) string { return fmt.Sprintf("eval ply=%d", ply) }

// methodExact is the method column of outputs from a bearoff database.
const methodExact = "exact bearoff"

// Label returns the work of a labelling run: it fills in the outputs of rows by
// n-ply evaluation.
func Label(p *player.Player, ply int) func() Work {
	return func() Work {
		ev := p.NewEvaluator()
		return func(ctx context.Context, rows []dataset.Row) error {
			for i := range rows {
				if err := ctx.Err(); err != nil {
					return err
				}
				r := &rows[i]
				b, err := r.Key.Board()
				if err != nil {
					return err
				}
				r.Outputs, r.HasOutputs = ev.Evaluate(&b, ply), true
				r.Method = LabelMethod(ply)
				if ev.Class(&b) == bg.Bearoff && p.Bearoff().Exact(&b) {
					r.Method = methodExact
				}
			}
			return nil
		}
	}
}
