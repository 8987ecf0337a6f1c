// Package label gives positions outputs by look-ahead evaluation.
package label

import (
	"context"
	"fmt"
	"slices"

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
	p      *player.Player
	ev     *player.Evaluator
	ply    int
	method string // of outputs by look-ahead
	boards []bg.Board
	outs   []bg.Outputs
}

// New returns a labeler by ply-deep evaluation, 0 to player.MaxPly.
func New(p *player.Player, ply int) *Labeler {
	return &Labeler{p: p, ev: p.NewEvaluator(), ply: ply, method: Method(ply)}
}

// Rows fills in outputs and method of rows and returns them. It fails where ctx
// ends or a key is no position.
func (l *Labeler) Rows(ctx context.Context, rows []dataset.Row) ([]dataset.Row, error) {
	l.boards = l.boards[:0]
	for i := range rows {
		b, err := rows[i].Key.Board()
		if err != nil {
			return nil, fmt.Errorf("position %s: %w", rows[i].Key, err)
		}
		l.boards = append(l.boards, b)
	}
	if err := l.evaluate(ctx); err != nil {
		return nil, err
	}
	for i := range rows {
		r, b := &rows[i], &l.boards[i]
		r.Outputs, r.HasOutputs = l.outs[i], true
		r.Method = l.method
		if l.ev.Class(b) == bg.Bearoff && (l.ply == 0 || l.p.Bearoff().Exact(b)) {
			r.Method = Bearoff(l.p, b)
		}
	}
	return rows, nil
}

// evaluate writes the outputs of the boards to outs: all at once where nets are all the work.
func (l *Labeler) evaluate(ctx context.Context) error {
	l.outs = slices.Grow(l.outs[:0], len(l.boards))[:len(l.boards)]
	if l.ply == 0 {
		l.ev.EvaluateBatch(l.boards, l.outs)
		return ctx.Err()
	}
	for i := range l.boards {
		if err := ctx.Err(); err != nil {
			return err
		}
		l.outs[i] = l.ev.Evaluate(&l.boards[i], l.ply)
	}
	return nil
}
