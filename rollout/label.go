package rollout

import (
	"context"
	"fmt"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/player"
)

// LabelMethod is the method column of outputs by n-ply evaluation; positions
// whose outputs come from a bearoff database have that of bearoffMethod.
func LabelMethod(ply int) string { return fmt.Sprintf("eval ply=%d", ply) }

// bearoffMethod is the method column of outputs from the bearoff databases: only
// the two-sided one is exact.
func bearoffMethod(p *player.Player, b *bg.Board) string {
	if db := p.Bearoff(); db != nil && db.Exact(b) {
		return "exact bearoff"
	}
	return "one-sided bearoff"
}

// Label returns the work of a labelling run: it fills in the outputs of rows by
// n-ply evaluation.
func Label(p *player.Player, ply int) func() Work {
	return func() Work {
		ev := p.NewEvaluator()
		return func(ctx context.Context, rows []dataset.Row) ([]dataset.Row, error) {
			for i := range rows {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				r := &rows[i]
				b, err := r.Key.Board()
				if err != nil {
					return nil, err
				}
				r.Outputs, r.HasOutputs = ev.Evaluate(&b, ply), true
				r.Method = LabelMethod(ply)
				if ev.Class(&b) == bg.Bearoff && (ply == 0 || p.Bearoff().Exact(&b)) {
					r.Method = bearoffMethod(p, &b)
				}
			}
			return rows, nil
		}
	}
}
