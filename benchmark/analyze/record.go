package analyze

import (
	"cmp"
	"slices"

	"bgtrain/benchmark/bm"
	"bgtrain/dataset/match"
	"bgtrain/internal/bg"
	"bgtrain/internal/player"
)

// Record returns the decision of a Play or Roll as a benchmark record whose losses
// are those of a look-ahead: the best candidates, at most so many, and the play
// that was made, wherever it ranks. value is the equity of a play to who makes it,
// nil the cubeless equity for money. There must be a legal play that moves a
// checker, else the one candidate is to stay.
func Record(e *player.Evaluator, a *match.Action, ply, candidates int,
	value func(*player.Candidate) float64) bm.Record {
	plays := e.Plays(&a.Board, a.Dice[0], a.Dice[1], ply)
	values := make([]float64, len(plays))
	order := make([]int, len(plays))
	for i := range plays {
		order[i] = i
		if values[i] = float64(plays[i].Equity); value != nil {
			values[i] = value(&plays[i])
		}
	}
	if value != nil { // plays of a lower ply stay behind those of a higher
		slices.SortStableFunc(order, func(x, y int) int {
			return cmp.Or(cmp.Compare(plays[y].Ply, plays[x].Ply), cmp.Compare(values[y], values[x]))
		})
	}
	r := bm.Record{Key: a.Board.Key(), Dice: a.Dice, BestEquity: values[order[0]]}
	for rank, i := range order {
		p := &plays[i]
		if rank >= candidates && (a.Kind != match.Play || p.Result != a.After) {
			continue
		}
		loss := max(0, r.BestEquity-values[i])
		if n := len(r.Candidates); n > 0 { // plays of a lower ply may seem better than the last of a higher
			loss = max(loss, r.Candidates[n-1].Loss)
		}
		r.Candidates = append(r.Candidates, bm.Candidate{Key: p.Result.Key(), Loss: loss})
	}
	return r
}

// index returns the place in a record of the play of an action.
func index(r *bm.Record, after *bg.Board) int {
	key := after.Key()
	for i := range r.Candidates {
		if r.Candidates[i].Key == key {
			return i
		}
	}
	return -1
}
