package td

import (
	"context"
	"math"

	"bgtrain/internal/bg"
	"bgtrain/internal/parallel"
	"bgtrain/internal/player"
	"bgtrain/internal/splitmix"
)

// The amplified estimator is the second kind of target: the value of a position
// by one ply of look-ahead, that is the mean over all 21 rolls of the best
// play's value. It costs some four hundred evaluations instead of none, but
// carries no luck of the dice. Positions for it come from a replay buffer,
// between rounds of games (as in Jacob Hilton's backgammon program).

// ring holds the last items that were added.
type ring[T any] struct {
	items []T
	next  int // index of the oldest, once the ring is full
}

// add adds an item to a ring of at most size.
func (r *ring[T]) add(item T, size int) {
	if len(r.items) < size {
		r.items = append(r.items, item)
		return
	}
	r.items[r.next] = item
	r.next = (r.next + 1) % size
}

// amplify draws positions from the replay buffer, values them by look-ahead
// with the nets as they are, and lets the nets learn. first is the number of the
// round's first game.
func (r *runner) amplify(ctx context.Context, first int, alpha float64) error {
	p, err := player.New(r.st.Nets, r.db, player.Options{})
	if err != nil {
		return err
	}
	rng := splitmix.Rand(r.s.Seed, math.MaxUint64/2+uint64(first))
	drawn := make([]step, r.s.Amplify)
	for i := range drawn {
		drawn[i].board = r.st.replay.items[rng.IntN(len(r.st.replay.items))]
		drawn[i].class = bg.Classify(&drawn[i].board)
	}
	evaluators := make([]*player.Evaluator, r.workers)
	err = parallel.For(ctx, r.workers, len(drawn), func(worker, i int) error {
		if evaluators[worker] == nil {
			evaluators[worker] = p.NewEvaluator()
		}
		drawn[i].target = evaluators[worker].Evaluate(&drawn[i].board, 1)
		return nil
	})
	if err != nil {
		return err
	}
	r.learn(drawn, alpha)
	return nil
}
