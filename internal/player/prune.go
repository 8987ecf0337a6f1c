package player

import (
	"math/bits"

	"bgtrain/internal/bg"
)

// preselect appends to lv.kept the plays of a roll that go on in a node: the pruning nets narrow them as GNU
// Backgammon does, so that of n plays the best 5 + log2(n) are kept. Positions of different classes are not
// comparable by these nets: then, and with a finished game or a database position among them, all plays go on.
func (e *Evaluator) preselect(lv *level, b *bg.Board, plays []bg.Board) {
	keep := 5 + bits.Len(uint(len(plays))) - 1
	fast := room(&lv.equity, len(plays))
	if e.p.pruning[bg.Contact] == nil || len(plays) <= keep || !e.prune(b, plays, fast) {
		lv.kept = append(lv.kept, plays...)
		return
	}
	// Keep the plays that leave the opponent the smallest equity, by repeated
	// replacement of the worst kept one.
	at := len(lv.kept)
	var equity [16]float32
	worst := 0
	for i := range plays {
		eq := fast[i]
		n := len(lv.kept) - at
		switch {
		case n < keep:
			equity[n] = eq
			lv.kept = append(lv.kept, plays[i])
		case eq < equity[worst]:
			equity[worst], lv.kept[at+worst] = eq, plays[i]
		default:
			continue
		}
		for j := range lv.kept[at:] {
			if equity[j] > equity[worst] {
				worst = j
			}
		}
	}
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
