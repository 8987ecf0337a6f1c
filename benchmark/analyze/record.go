package analyze

import (
	"bgtrain/benchmark/bm"
	"bgtrain/dataset/match"
	"bgtrain/internal/bg"
	"bgtrain/internal/player"
)

// Record returns the decision of a Play or Roll as a benchmark record whose losses
// are those of a look-ahead: the best candidates, at most so many, and the play
// that was made, wherever it ranks. There must be a legal play that moves a
// checker, else the one candidate is to stay.
func Record(e *player.Evaluator, a *match.Action, ply, candidates int) bm.Record {
	plays := e.Plays(&a.Board, a.Dice[0], a.Dice[1], ply)
	r := bm.Record{Key: a.Board.Key(), Dice: a.Dice, BestEquity: float64(plays[0].Equity)}
	for i := range plays {
		p := &plays[i]
		if i >= candidates && (a.Kind != match.Play || p.Result != a.After) {
			continue
		}
		loss := max(0, r.BestEquity-float64(p.Equity))
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
