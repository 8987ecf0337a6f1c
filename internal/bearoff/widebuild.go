package bearoff

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"bgtrain/internal/identity"
	"bgtrain/internal/parallel"
)

// A one-sided database of more points than the home board is computed by pip counts, since every roll leads to
// fewer pips, and at most to 24 fewer. So what is known of 24 pip counts is enough to go on, besides the mean
// number of rolls of every position.

const (
	// maxRolls is the number of entries of a distribution. The last one stands for
	// as many rolls or more, which has a chance below 1e-5 from anywhere.
	maxRolls = 32

	mostPips    = 24 // of a roll
	mostDiePips = 6
)

// rollsOff are distributions of the rolls to bear off everything, and the first
// checker of fifteen. If fewer are left, the latter is not used.
type rollsOff struct {
	all, first [maxRolls]float32
}

// afterOne holds the best positions after moves of one die: of [k][die-1] after k+1 of them.
type afterOne [3][6]uint32

// wideBuilder computes a one-sided database of up to MaxPoints points.
type wideBuilder struct {
	n       *numbering
	fifteen uint32 // the first position with all checkers on the board

	pips  []uint8  // of each position
	order []uint32 // the positions by pips
	rank  []uint32 // of each position in order
	start []uint32 // of the positions with so many pips in order, and the end

	// value is the mean number of rolls to bear off everything, and the first of fifteen checkers.
	value [2][]float64
	after [2][][]afterOne // by pips; nil where not needed any more, as are levels
	level []*wideLevel
}

// wideLevel holds what is computed of the positions with one pip count.
type wideLevel struct {
	rows  []byte   // see appendRow
	start []uint32 // of each position's row, in order
}

func newWideBuilder(points int) *wideBuilder {
	b := &wideBuilder{n: newNumbering(points)}
	total := b.n.positions(maxCheckers)
	b.fifteen = uint32(b.n.positions(maxCheckers - 1))
	b.pips = make([]uint8, total)
	b.start = make([]uint32, maxCheckers*points+2)
	for id := range b.pips {
		s := b.n.position(uint32(id))
		p := pips(&s)
		b.pips[id] = uint8(p)
		b.start[p+1]++
	}
	for p := range len(b.start) - 1 {
		b.start[p+1] += b.start[p]
	}
	b.order, b.rank = make([]uint32, total), make([]uint32, total)
	next := append([]uint32(nil), b.start...)
	for id, p := range b.pips {
		b.rank[id] = next[p]
		b.order[next[p]] = uint32(id)
		next[p]++
	}
	for o := range b.value {
		b.value[o] = make([]float64, total)
		b.after[o] = make([][]afterOne, len(b.start)-1)
	}
	b.level = make([]*wideLevel, len(b.start)-1)
	return b
}

// positions returns the positions with so many pips.
func (b *wideBuilder) positions(pips int) []uint32 {
	return b.order[b.start[pips]:b.start[pips+1]]
}

// buildWide computes the database of so many points into the file path. What is finished stays on disk, beside it,
// so that the same call goes on after a kill. done is called with numbers of positions.
func buildWide(ctx context.Context, path string, points, workers int, done func(positions int)) error {
	b := newWideBuilder(points)
	next := 0 // the pip count to be computed
	id := identity.ID{"one-sided": strconv.Itoa(points), "version": strconv.Itoa(version)}
	s, err := openSteps(ctx, path, id, func(step []byte) error {
		if next == len(b.level) {
			return errors.New("more steps than pip counts")
		}
		if err := b.restore(next, workers, step); err != nil {
			return err
		}
		done(len(b.positions(next)))
		next++
		return nil
	})
	if err != nil {
		return err
	}
	if w, err := openWide(path, points); err == nil { // by another process, meanwhile
		return errors.Join(w.close(), s.remove())
	}
	for ; next < len(b.level); next++ {
		if err := ctx.Err(); err != nil {
			return errors.Join(err, s.close())
		}
		b.compute(next, workers)
		if err := s.add(b.level[next].rows); err != nil {
			return errors.Join(err, s.close())
		}
		done(len(b.positions(next)))
	}
	b.level, b.after = nil, [2][][]afterOne{}
	if err := b.write(path, s); err != nil {
		return errors.Join(err, s.close())
	}
	return s.remove()
}

// forget drops what the positions with more pips do not need.
func (b *wideBuilder) forget(pips int) {
	if p := pips + 1 - mostPips; p > 0 {
		b.level[p-1] = nil
	}
	if p := pips - mostDiePips; p >= 0 {
		b.after[0][p], b.after[1][p] = nil, nil
	}
}

// compute computes the positions with so many pips.
func (b *wideBuilder) compute(pips, workers int) {
	ids := b.positions(pips)
	rolls := make([]rollsOff, len(ids))
	b.makeAfter(pips)
	parallel.Ranges(workers, len(ids), 64, func(from, to int) {
		var c choice
		for i := from; i < to; i++ {
			c.of(b, ids[i])
			b.prepare(&c, i)
			b.rolls(&c, &rolls[i])
		}
	})
	l := &wideLevel{start: make([]uint32, len(ids)+1)}
	for i, id := range ids {
		l.rows = appendRow(l.rows, b.value[0][id], b.value[1][id], &rolls[i], id >= b.fifteen)
		l.start[i+1] = uint32(len(l.rows))
	}
	b.level[pips] = l
	b.forget(pips)
}

func (b *wideBuilder) makeAfter(pips int) {
	for o := range b.after {
		b.after[o][pips] = make([]afterOne, len(b.positions(pips)))
	}
}

// restore takes in the rows of so many pips, which were computed before.
func (b *wideBuilder) restore(pips, workers int, rows []byte) error {
	ids := b.positions(pips)
	l := &wideLevel{rows: append([]byte(nil), rows...), start: make([]uint32, len(ids)+1)}
	at := 0
	for i, id := range ids {
		r, size, err := rowAt(l.rows[at:])
		if err != nil {
			return err
		}
		b.value[0][id], b.value[1][id] = r.mean, r.meanFirst
		at += size
		l.start[i+1] = uint32(at)
	}
	if at != len(rows) {
		return fmt.Errorf("%d bytes of positions with %d pips, %d expected", len(rows), pips, at)
	}
	b.level[pips] = l
	b.makeAfter(pips)
	parallel.Ranges(workers, len(ids), 64, func(from, to int) {
		var c choice
		for i := from; i < to; i++ {
			c.of(b, ids[i])
			b.prepare(&c, i)
		}
	})
	b.forget(pips)
	return nil
}
