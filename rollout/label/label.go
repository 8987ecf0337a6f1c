// Package label gives positions outputs by look-ahead evaluation.
package label

import (
	"context"
	"fmt"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/player"
)

// Method is the method column of outputs by n-ply evaluation; positions whose
// outputs come from a bearoff database have that of Bearoff.
func Method(ply int) string { return fmt.Sprintf("eval ply=%d", ply) }

// Bearoff is the method column of outputs from the bearoff databases: only the
// two-sided one is exact.
func Bearoff(p *player.Player, b *bg.Board) string {
	if db := p.Bearoff(); db != nil && db.Exact(b) {
		return "exact bearoff"
	}
	return "one-sided bearoff"
}

// Labeler labels rows for one goroutine.
type Labeler struct {
	p   *player.Player
	ev  *player.Evaluator
	ply int
}

// New returns a labeler by ply-deep evaluation, 0 to player.MaxPly.
func New(p *player.Player, ply int) *Labeler { return &Labeler{p, p.NewEvaluator(), ply} }

// Rows fills in outputs and method of rows and returns them. It fails where ctx
// ends or a key is no position.
func (l *Labeler) Rows(ctx context.Context, rows []dataset.Row) ([]dataset.Row, error) {
	for i := range rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r := &rows[i]
		b, err := r.Key.Board()
		if err != nil {
			return nil, fmt.Errorf("position %s: %w", r.Key, err)
		}
		r.Outputs, r.HasOutputs = l.ev.Evaluate(&b, l.ply), true
		r.Method = Method(l.ply)
		if l.ev.Class(&b) == bg.Bearoff && (l.ply == 0 || l.p.Bearoff().Exact(&b)) {
			r.Method = Bearoff(l.p, &b)
		}
	}
	return rows, nil
}
