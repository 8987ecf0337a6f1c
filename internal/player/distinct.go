package player

import (
	"math/bits"

	"bgtrain/internal/bg"
	"bgtrain/internal/splitmix"
)

// distinct finds boards that are equal.
type distinct struct {
	boards []bg.Board   // without repetition
	outs   []bg.Outputs // of boards
	at     []int32      // where each of all stands in boards
	slots  []int32      // by hash: 1 + where a board stands in boards, 0 for none
}

// EvaluateDistinct is EvaluateBatch, to the bit, but each position is evaluated once only: of the plays that are picked
// for all rolls one in eight repeats a position, as 31 and 11 may lead to the same.
func (e *Evaluator) EvaluateDistinct(all []bg.Board, outs []bg.Outputs) {
	d := &e.distinct
	d.collect(all)
	own := room(&d.outs, len(d.boards))
	e.EvaluateBatch(d.boards, own)
	for i, at := range d.at {
		outs[i] = own[at]
	}
}

// collect fills boards and at.
func (d *distinct) collect(all []bg.Board) {
	size := 1 << bits.Len(uint(2*len(all)))
	if len(d.slots) < size {
		d.slots = make([]int32, size)
	}
	d.boards, d.at = d.boards[:0], d.at[:0]
	slots := d.slots[:size]
	clear(slots)
	for i := range all {
		slot := boardHash(&all[i]) & uint64(size-1)
		for slots[slot] != 0 && d.boards[slots[slot]-1] != all[i] {
			slot = (slot + 1) & uint64(size-1)
		}
		if slots[slot] == 0 {
			d.boards = append(d.boards, all[i])
			slots[slot] = int32(len(d.boards))
		}
		d.at = append(d.at, slots[slot]-1)
	}
}

// boardHash scatters positions. The bars are left out: with equal points they
// differ only where a checker was hit twice or borne off.
func boardHash(b *bg.Board) uint64 {
	h := uint64(0)
	for _, s := range [...]*bg.Side{&b.Me, &b.Opp} {
		w0, w1, w2 := s.Words()
		h = splitmix.Mix(h ^ w0 ^ bits.RotateLeft64(w1, 21) ^ bits.RotateLeft64(w2, 42))
	}
	return h
}
