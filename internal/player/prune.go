package player

import (
	"math/bits"

	"bgtrain/internal/bg"
)

// preselect lets the pruning nets narrow the plays of a node as GNU Backgammon
// does: with n plays, the best 5 + log2(n) go on. Positions of different classes
// are not comparable by these nets: then, and with a finished game or a database
// position among them, all plays go on.
func (e *Evaluator) preselect(lv *level, b *bg.Board, plays []bg.Board) []bg.Board {
	keep := 5 + bits.Len(uint(len(plays))) - 1
	if len(plays) <= keep {
		return plays
	}
	fast := room(&lv.equity, len(plays))
	if !e.prune(b, plays, fast) {
		return plays
	}
	// Keep the plays that leave the opponent the smallest equity, by repeated
	// replacement of the worst kept one.
	lv.kept = lv.kept[:0]
	var equity [16]float32
	worst := 0
	for i := range plays {
		eq := fast[i]
		switch {
		case len(lv.kept) < keep:
			equity[len(lv.kept)] = eq
			lv.kept = append(lv.kept, plays[i])
		case eq < equity[worst]:
			equity[worst], lv.kept[worst] = eq, plays[i]
		default:
			continue
		}
		for j := range lv.kept {
			if equity[j] > equity[worst] {
				worst = j
			}
		}
	}
	return lv.kept
}

// prune writes the opponent's equities after the plays of b by the pruning nets,
// if the results are of one class that these evaluate.
func (e *Evaluator) prune(b *bg.Board, plays []bg.Board, equity []float32) bool {
	class, all := e.p.outcome(b)
	if !all {
		class = e.p.Class(&plays[0])
		if class < bg.Race {
			return false
		}
		for i := range plays[1:] {
			if e.p.Class(&plays[i+1]) != class {
				return false
			}
		}
	}
	t, r := &e.pruning[class], &e.ranking
	// makeConsistent corrects more in positions with no contact to spare.
	near := t.net.near != nil && class != bg.Race
	r.odd = r.odd[:0]
	if near {
		e.rankNear(t.net.near, b, plays, equity)
		if all {
			return true
		}
	}
	for i := range plays {
		if !near || !touching(&plays[i]) {
			r.odd = append(r.odd, i)
		}
	}
	outs := room(&r.outs, len(r.odd))
	for k, i := range r.odd {
		if t.add(&plays[i], cacheKey{}, &outs[k]) || k == len(r.odd)-1 {
			t.run()
			for j := range t.waiting[:t.n] {
				e.finish(class, &t.waiting[j])
			}
			t.n = 0
		}
	}
	for k, i := range r.odd {
		equity[i] = outs[k].Equity()
	}
	return true
}
