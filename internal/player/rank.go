package player

import (
	"bgtrain/features"
	"bgtrain/internal/bg"
	"bgtrain/internal/nn"
)

// Small nets rank the plays of a position all together: the plays are near the
// position before, so that of a net's hidden layer only some rows of weights
// change. That takes a fraction of an evaluation's time.

// ranking is the scratch of an Evaluator's ranking.
type ranking struct {
	scratch *nn.NearScratch
	odd     []int // plays that are evaluated one by one
	boards  []bg.Board
	outs    []bg.Outputs
}

// compileNear returns nil for a net that cannot rank: it must be small, and its
// inputs those of single points.
func compileNear(n *nn.Net, set *features.Set) (*nn.Near, error) {
	if set != features.GNUbgPrune || !n.FitsNear() {
		return nil, nil
	}
	return nn.CompileNear(n, bg.BoardPlaces, func(place, count int, x []float32) {
		var b [1]bg.Board
		bg.Counts(b[:])[place] = byte(count)
		set.Encode(&b[0], x)
	})
}

// Rank writes the opponent's equity after each of the plays of a position b, as
// results with the opponent on roll: the smaller, the better the play. It is that
// of EvaluateBatch, but where the nets are small, for which it takes much less
// time, it may differ from that in the last digits, and in positions with no
// contact lack what these rule out.
func (e *Evaluator) Rank(b *bg.Board, plays []bg.Board, equity []float32) {
	r := &e.ranking
	r.odd = r.odd[:0]
	class, all := e.p.outcome(b)
	net := e.p.nets[class]
	near := net != nil && net.near != nil && e.others == nil
	if near {
		e.rankNear(net.near, b, plays, equity)
		if all {
			return
		}
	}
	for i := range plays {
		if !near || e.p.Class(&plays[i]) != class {
			r.odd = append(r.odd, i)
		}
	}
	r.boards = r.boards[:0]
	for _, i := range r.odd {
		r.boards = append(r.boards, plays[i])
	}
	outs := room(&r.outs, len(r.odd))
	e.EvaluateBatch(r.boards, outs)
	for k, i := range r.odd {
		equity[i] = outs[k].Equity()
	}
}

// outcome returns the class of a position, and whether it is certain that all plays lead
// to positions of that class, with contact to spare if this is a class with contact.
func (p *Player) outcome(b *bg.Board) (class bg.Class, all bool) {
	const moves = 4 // at most
	class = p.Class(b)
	switch class {
	case bg.Race:
		all = checkers(b.Me[:]) > moves
		if p.bearoff != nil {
			points := p.bearoff.OneSidedPoints()
			all = all && (b.Opp.Back() >= points || checkers(b.Me[points:]) > moves)
		}
		return class, all
	case bg.Contact, bg.Crashed:
		// A hit only sends the opponent further back. Nor does it change whether he is
		// crashed, as single checkers on the points in question do not count.
		back := b.Opp.Back()
		if checkers(b.Me[bg.Bar-back:]) <= moves {
			return class, false
		}
		if class == bg.Contact {
			// A move counts for one checker less to play with, or, to a single checker on
			// the 1-point, for two, which can be but once.
			return class, b.Me.Spare() > moves+1
		}
		return class, b.Opp.Spare() <= 0
	}
	return class, false
}

// checkers returns how many checkers there are on some points.
func checkers(points []uint8) (n int) {
	for _, c := range points {
		n += int(c)
	}
	return n
}

// rankNear is Rank for plays of the net's class.
func (e *Evaluator) rankNear(net *nn.Near, b *bg.Board, plays []bg.Board, equity []float32) {
	const block = nn.NearBlock
	s := e.ranking.scratch
	e.one[0] = b.Swapped()
	net.SetBase(s, bg.Counts(e.one[:1]))
	// Who has borne off a checker cannot lose a gammon.
	mine, others := float32(1), float32(1)
	if b.Me.OnBoard() < bg.Checkers {
		mine = 0
	}
	if b.Opp.OnBoard() < bg.Checkers {
		others = 0
	}
	first := mine > 0 && checkers(b.Me[6:]) < 4 // a play may bear off the first one
	for len(plays) > 0 {
		n := min(len(plays), nn.NearBatch)
		outs := net.Eval(s, bg.Counts(plays[:n]), n)
		for v := range n {
			out := (*[bg.NumOutputs * block]float32)(outs[v/block*block*bg.NumOutputs:])
			i := v % block
			lose := mine
			if first && plays[v].Opp.OnBoard() < bg.Checkers {
				lose = 0
			}
			// As makeConsistent does, the opponent on roll.
			win := out[bg.Win*block+i]
			winGammon := below(lose*out[bg.WinGammon*block+i], win)
			loseGammon := below(others*out[bg.LoseGammon*block+i], 1-win)
			winBackgammon := below(lose*out[bg.WinBackgammon*block+i], winGammon)
			loseBackgammon := below(others*out[bg.LoseBackgammon*block+i], loseGammon)
			equity[v] = 2*win - 1 + winGammon + winBackgammon - loseGammon - loseBackgammon
		}
		plays, equity = plays[n:], equity[n:]
	}
}

// below is x, or limit if x is above, or 0 if that is noise, see makeConsistent.
func below(x, limit float32) float32 {
	if x > limit {
		x = limit
	}
	if x < noise {
		return 0
	}
	return x
}
