package rollout

import (
	"context"
	"fmt"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/player"
	"bgtrain/rollout/label"
)

// Further gives rows that an older player has valued by look-ahead what a newer one sees a
// ply further, at the cost of look-ahead from one position more, not 21: after one roll,
// drawn by chance, and the older player's play of it, the newer one's value at Ply − 1 takes
// the place of the older one's at Ply − 2. That is the value at Ply, in the mean over the
// rolls: so a net that learns of many rows loses the errors that values at Ply − 1 share.
// The rollouts' variance reduction is the same (rollout.LuckFull), of a trial of Ply plies.
type Further struct {
	Old, New *player.Player
	Ply      int // of the values in the mean; those of the rows are a ply less
	Seed     uint64
}

// GoesFurther reports whether values at a ply can go on by one.
func GoesFurther(ply int) bool { return ply > 0 && ply < player.MaxPly }

// FurtherMethod is the method column of such rows.
func FurtherMethod(ply int) string { return label.Method(ply) + " of one roll" }

// NewWork returns a function that does so, for one goroutine. Rows from the bearoff databases
// stay as they are; others that are not valued at Ply − 1 are errors.
func (f *Further) NewWork() func(context.Context, []dataset.Row) ([]dataset.Row, error) {
	before, now := f.Old.NewEvaluator(), f.New.NewEvaluator()
	had, method := label.Method(f.Ply-1), FurtherMethod(f.Ply)
	return func(ctx context.Context, rows []dataset.Row) ([]dataset.Row, error) {
		for i := range rows {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			r := &rows[i]
			b, err := r.Key.Board()
			if err != nil {
				return nil, fmt.Errorf("position %s: %w", r.Key, err)
			}
			if r.Method != had {
				if r.HasOutputs && before.Class(&b) == bg.Bearoff && r.Method == label.Bearoff(f.Old, &b) {
					continue
				}
				return nil, fmt.Errorf("position %s: method %q, %q expected", r.Key, r.Method, had)
			}
			dice := newDice(f.Seed, r.Key)
			first := dice.trial(0)
			roll := bg.Rolls[first.roll(0)]
			after := before.Reply(&b, roll.Hi, roll.Lo)
			old, anew := before.Evaluate(&after, f.Ply-2), now.Evaluate(&after, f.Ply-1)
			value, was, is := toValues(&r.Outputs), toValues(&old), toValues(&anew)
			change := is.sub(&was)
			value.addLuck(&change, true)
			r.Outputs, r.Method = value.outputs(), method
		}
		return rows, nil
	}
}
