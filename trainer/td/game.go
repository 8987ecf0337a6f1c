package td

import (
	"math/rand/v2"

	"bgtrain/internal/bg"
	"bgtrain/internal/player"
)

// step is one position of a self-play game that a net evaluated, with the
// value it is to learn.
type step struct {
	board  bg.Board
	class  bg.Class
	target bg.Outputs // as the player on roll sees it
}

// gamePlayer plays training games for one goroutine.
type gamePlayer struct {
	ev    *player.Evaluator
	plays bg.Plays
	inner bg.Plays // of the rolls of a look-ahead
	outs  []bg.Outputs

	boards []bg.Board   // of the game, each before its roll
	values []bg.Outputs // values[i]: the net's (or exact) value of boards[i]
}

// play plays one game by 0-ply choices until a database or the rules settle its
// outcome, or for Settings.MaxPlies, and appends its positions to dst.
func (g *gamePlayer) play(rng *rand.Rand, s *Settings, dst []step) []step {
	b := bg.Start
	g.boards, g.values = g.boards[:0], g.values[:0]
	d1, d2 := openingRoll(rng)
	value := g.evaluate(&b)
	for ply := 0; ; ply++ {
		g.boards = append(g.boards, b)
		g.values = append(g.values, value)
		if g.ev.Class(&b) <= bg.Bearoff || ply == s.MaxPlies {
			break
		}
		results := g.plays.Generate(&b, d1, d2)
		b, value = g.choose(results)
		d1, d2 = rng.IntN(6)+1, rng.IntN(6)+1
	}
	return g.returns(float32(s.Lambda), dst)
}

// returns walks the game backwards and gives every position its λ-return: the
// mixture of the values of all later positions, of which the last is exact unless
// Settings.MaxPlies were played.
func (g *gamePlayer) returns(lambda float32, dst []step) []step {
	last := len(g.boards) - 1
	ret := g.values[last]
	for i := last - 1; i >= 0; i-- {
		next := &g.values[i+1]
		for k := range ret {
			ret[k] = (1-lambda)*next[k] + lambda*ret[k]
		}
		ret = ret.Inverted()
		dst = append(dst, step{g.boards[i], g.ev.Class(&g.boards[i]), ret})
	}
	return dst
}

func (g *gamePlayer) evaluate(b *bg.Board) bg.Outputs { return g.ev.Evaluate(b, 0) }

// choose returns the result of the play that leaves the opponent worst, and its value
// as the opponent sees it.
func (g *gamePlayer) choose(results []bg.Board) (bg.Board, bg.Outputs) {
	if cap(g.outs) < len(results) {
		g.outs = make([]bg.Outputs, len(results)+64)
	}
	outs := g.outs[:len(results)]
	g.ev.EvaluateBatch(results, outs)
	best := player.Best(outs)
	return results[best], outs[best]
}

// openingRoll rolls until the dice differ.
func openingRoll(rng *rand.Rand) (int, int) {
	for {
		if d1, d2 := rng.IntN(6)+1, rng.IntN(6)+1; d1 != d2 {
			return d1, d2
		}
	}
}
