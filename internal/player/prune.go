package player

import (
	"math/bits"

	"bgtrain/internal/bg"
)

// preselect lets the pruning nets narrow the plays of a node as GNU Backgammon
// does: with n plays, the best 5 + log2(n) go on. Positions of different classes
// are not comparable by these nets: then, and with a finished game or a database
// position among them, all plays go on.
func (e *Evaluator) preselect(lv *level, plays []bg.Board) []bg.Board {
	keep := 5 + bits.Len(uint(len(plays))) - 1
	if len(plays) <= keep {
		return plays
	}
	class := e.p.Class(&plays[0])
	if class < bg.Race {
		return plays
	}
	for i := range plays[1:] {
		if e.p.Class(&plays[i+1]) != class {
			return plays
		}
	}
	if cap(lv.fast) < len(plays) {
		lv.fast = make([]bg.Outputs, len(plays)+64)
	}
	fast := lv.fast[:len(plays)]
	t := &e.pruning[class]
	for i := range plays {
		if t.add(&plays[i], cacheKey{}, &fast[i]) || i == len(plays)-1 {
			t.run()
			for j := range t.waiting[:t.n] {
				e.finish(class, &t.waiting[j])
			}
			t.n = 0
		}
	}
	// Keep the plays that leave the opponent the smallest equity, by repeated
	// replacement of the worst kept one.
	lv.kept = lv.kept[:0]
	var equity [16]float32
	worst := 0
	for i := range plays {
		eq := fast[i].Equity()
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
