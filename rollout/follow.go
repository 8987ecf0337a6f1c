package rollout

import (
	"context"
	"fmt"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/rollout/label"
)

// NewFollow returns a function that follows one trial from every row and labels all
// positions it goes through, not its start only, for one goroutine: so every ply
// of every trial makes a label, at the cost of one ply. Options.Trials and TargetSE do
// not count; Options.Truncate is how many plies are followed.
//
// With lambda 1 a position's outputs are the value at the end of the trial less
// the luck that followed the position: the result of one trial with variance
// reduction, unbiased. Smaller values, from 0, mix in the nets' values on the way as
// TD(λ) does (Sutton 1988), with the mean over the 21 rolls in place of what was
// rolled; 0 is one-ply look-ahead. Outputs that luck takes out of range are moved
// back, see values.outputs.
//
// With ends, a row without outputs follows those of each trial: where it was cut, or, if its
// end is exact, the position before that again. A Renewal needs them.
func (e *Engine) NewFollow(lambda float64, ends bool) func(context.Context, []dataset.Row) ([]dataset.Row, error) {
	f := &follower{e: e, x: newExpander(e.p, &e.o), lambda: lambda, ends: ends, method: e.o.FollowMethod(lambda)}
	return func(ctx context.Context, rows []dataset.Row) ([]dataset.Row, error) {
		out := make([]dataset.Row, 0, len(rows)*(max(e.o.Truncate, 10)+1))
		for i := range rows {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			b, err := rows[i].Key.Board()
			if err != nil {
				return nil, fmt.Errorf("position %s: %w", rows[i].Key, err)
			}
			out = f.follow(&rows[i], &b, out)
		}
		return out, nil
	}
}

// FollowMethod is the method column of what NewFollow labels.
func (o Options) FollowMethod(lambda float64) string {
	o.Trials, o.TargetSE = 1, 0
	return fmt.Sprintf("%s follow lambda=%g", o.Method(), lambda)
}

// follower follows trials for one goroutine.
type follower struct {
	e      *Engine
	x      *expander
	lambda float64
	ends   bool // each trial's end is a row too
	method string
	steps  []step
}

// step is a position of a trial.
type step struct {
	board  bg.Board
	value  bg.Outputs // of the position at 0-ply, to the player on roll
	luck   values     // of the roll, to the player on roll
	result values     // what the position is worth by the rest of the trial, likewise
}

// follow appends the row of b, and those of the positions that a trial from
// there goes through.
func (f *follower) follow(row *dataset.Row, b *bg.Board, rows []dataset.Row) []dataset.Row {
	x := f.x
	p := play{*b, x.eval.Evaluate(b, 0)}
	if x.known(b) {
		r := *row
		r.Class, r.Outputs, r.HasOutputs, r.Method = dataset.ClassOf(b), p.out, true, label.Bearoff(f.e.p, b)
		return append(rows, r)
	}
	dice := newDice(x.o.Seed, b.Key())
	d := dice.trial(0)
	f.steps = f.steps[:0]
	var end bg.Outputs
	for ply := 0; ; {
		s := step{board: p.next, value: p.out}
		roll := d.roll(ply)
		if x.o.Luck != LuckNone {
			p = x.measure(&s.board, roll, x.o.plyAt(ply), &x.scratch)
			s.luck = x.scratch.of(roll)
		} else {
			p = x.choose(&s.board, roll, x.o.plyAt(ply))
		}
		f.steps = append(f.steps, s)
		ply++
		if x.ends(&p, ply, &end) {
			break
		}
	}
	at := len(rows)
	for i := range f.steps {
		b := &f.steps[i].board
		rows = append(rows, dataset.Row{
			Key: b.Key(), Class: dataset.ClassOf(b), HasOutputs: true,
			Trials: 1, HasTrials: true, Method: f.method, Source: row.Source,
		})
	}
	if f.ends {
		end := &p.next
		if x.known(end) {
			end = &f.steps[len(f.steps)-1].board
		}
		rows = append(rows, dataset.Row{Key: end.Key(), Class: dataset.ClassOf(end), Source: row.Source})
	}
	// Backwards: target is what the position after a step is worth.
	target := toValues(&end)
	for i := len(f.steps) - 1; i >= 0; i-- {
		s := &f.steps[i]
		s.result = target.inverted()
		s.result = s.result.sub(&s.luck)
		rows[at+i].Outputs = s.result.outputs()
		target = mixed(&s.value, &s.result, f.lambda)
	}
	return rows
}
