package bearoff

import (
	"encoding/binary"

	"bgtrain/internal/bg"
)

// run is a distribution of numbers of rolls: from on, in units of 1/65535.
type run struct {
	from    int
	entries []byte // 2 bytes each
}

func (r *run) at(i int) uint64 { return uint64(binary.LittleEndian.Uint16(r.entries[2*i:])) }

func (r *run) sum() (sum int) {
	for i := range len(r.entries) / 2 {
		sum += int(r.at(i))
	}
	return sum
}

// runs returns the rolls to bear off everything and, with all checkers on the
// board, the first one, from a position.
func (w *wide) runs(id uint32) (all, first run) {
	r := w.records[2*int(binary.LittleEndian.Uint32(w.index[4*id:])):]
	count, countFirst := 2*int(r[1]), 2*int(r[3])
	entries := r[recordHead : recordHead+count+countFirst]
	return run{int(r[0]), entries[:count]}, run{int(r[2]), entries[count:]}
}

// meets returns the chance that a comes to some number n of rolls, and b to at least n+later.
func meets(a, b *run, later int) float32 {
	sum, tail := uint64(0), uint64(0)
	j := len(b.entries)/2 - 1
	for i := len(a.entries)/2 - 1; i >= 0; i-- {
		for n := a.from + i + later; j >= 0 && b.from+j >= n; j-- {
			tail += b.at(j)
		}
		sum += a.at(i) * tail
	}
	return float32(float64(sum) / (unit * unit))
}

// evaluate is DB.Evaluate.
func (w *wide) evaluate(b *bg.Board, out *bg.Outputs) {
	me, myCheckers := w.n.side(&b.Me)
	opp, oppCheckers := w.n.side(&b.Opp)
	mine, myFirst := w.runs(me)
	theirs, theirFirst := w.runs(opp)
	*out = bg.Outputs{}
	win := meets(&mine, &theirs, 0)
	out[bg.Win] = win
	if oppCheckers == maxCheckers {
		out[bg.WinGammon] = min(meets(&mine, &theirFirst, 0), win)
	}
	if myCheckers == maxCheckers {
		out[bg.LoseGammon] = min(meets(&theirs, &myFirst, 1), 1-win)
	}
}
