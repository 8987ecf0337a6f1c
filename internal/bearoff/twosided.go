package bearoff

import (
	"context"

	"bgtrain/internal/parallel"
)

// MaxTwoSided is the largest number of checkers a side that a two-sided database can be built for. Memory and file
// grow with the square of the number of positions: 3.4 MB for 6 checkers, 100 MB for 9, 613 MB for 11.
const MaxTwoSided = 11

// certain is the probability 1 in the two-sided database, which counts in units of 2^-31.
const certain = 1 << 31

// twoSided is an exact database of winning chances, gammons not counted: with at
// most 14 checkers a side there are none.
type twoSided struct {
	checkers int // at most so many on each side
	n        int // positions a side
	// moved[x*n+y] is the probability that the side at x wins when it has just
	// moved there and the other side, at y, is on roll.
	moved []uint32
}

// win returns the probability that the side on roll wins.
func (t *twoSided) win(me, opp int) float32 {
	return float32(certain-t.moved[opp*t.n+me]) * (1.0 / certain)
}

// buildTwoSided computes the database for so many checkers a side. done is called with numbers of pairs computed.
//
// Let v(x, y) be the probability that the side at x wins on roll. Step a
// computes all v(a, y) and v(x, a) with x, y <= a, from earlier steps and itself:
//
//	v(a, y) = mean over rolls, max over results x of moved(x, y),  x < a
//	v(x, a) = mean over rolls, max over results z of 1 - v(a, z),  z < x
//
// The first runs along rows of moved, elementwise over y; the second gathers
// from the one row v(a, ·). Both stay in the processor's caches.
func buildTwoSided(ctx context.Context, checkers, workers int, done func(pairs int)) (*twoSided, error) {
	t := newTwoSided(checkers)
	return t, t.build(ctx, 1, workers, func(a int) error {
		done(pairsOf(a))
		return nil
	})
}

func newTwoSided(checkers int) *twoSided {
	n := Positions(checkers)
	t := &twoSided{checkers: checkers, n: n, moved: make([]uint32, n*n)}
	for y := range n {
		t.moved[y] = certain // the last checker is off
	}
	return t
}

// pairsOf returns how many pairs step a computes.
func pairsOf(a int) int { return 2*a - 1 }

// build makes the steps from first on, and calls done after each of them.
func (t *twoSided) build(ctx context.Context, first, workers int, done func(a int) error) error {
	pl := makePlays(t.n)
	onRoll := make([]uint32, t.n) // v(a, ·); v(a, 0) = 0, the other side has won
	for a := first; a < t.n; a++ {
		if a%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		parallel.Ranges(workers, a-1, 512, func(from, to int) { t.rowStep(pl, a, from+1, to+1, onRoll) })
		parallel.Ranges(workers, a, 512, func(from, to int) { t.columnStep(pl, a, from+1, to+1, onRoll) })
		if err := done(a); err != nil {
			return err
		}
	}
	return nil
}

// rowBlock is the number of positions that rowStep works on at a time, so that
// its sums stay in the first-level cache.
const rowBlock = 512

// rowStep computes v(a, y) for y in [from, to).
func (t *twoSided) rowStep(pl *plays, a, from, to int, onRoll []uint32) {
	var sums [rowBlock]uint64
	var best [rowBlock]uint32
	for ; from < to; from += rowBlock {
		width := min(rowBlock, to-from)
		most := best[:width]
		sum := sums[:len(most)]
		clear(sum)
		for r, w := range weights {
			results := pl.of(a, r)
			copy(most, t.moved[int(results[0])*t.n+from:])
			for results = results[1:]; len(results) > 1; results = results[2:] {
				row := t.moved[int(results[0])*t.n+from:][:len(most)]
				other := t.moved[int(results[1])*t.n+from:][:len(most)]
				for i, v := range row {
					most[i] = max(most[i], v, other[i])
				}
			}
			for _, x := range results {
				row := t.moved[int(x)*t.n+from:][:len(most)]
				for i, v := range row {
					most[i] = max(most[i], v)
				}
			}
			for i, v := range most {
				sum[i] += uint64(w) * uint64(v)
			}
		}
		for i, s := range sum {
			v := uint32((s + 18) / 36)
			onRoll[from+i] = v
			t.moved[(from+i)*t.n+a] = certain - v
		}
	}
}

// columnStep computes v(x, a) for x in [from, to) once all v(a, y), y < a, are known.
func (t *twoSided) columnStep(pl *plays, a, from, to int, onRoll []uint32) {
	moved := t.moved[a*t.n:][:t.n]
	for x := from; x < to; x++ {
		sum := uint64(0)
		starts := pl.start[x*numRolls:][:numRolls+1]
		begin := starts[0]
		for r, w := range weights {
			end := starts[r+1]
			least := uint32(certain)
			for _, z := range pl.to[begin:end] {
				least = min(least, onRoll[z])
			}
			begin = end
			sum += uint64(w) * uint64(certain-least)
		}
		moved[x] = certain - uint32((sum+18)/36)
	}
}
