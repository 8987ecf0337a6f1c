package dataset

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"bgtrain/internal/bg"
)

// MergeOptions are those of Merge. The zero value is usable.
type MergeOptions struct {
	SkipBad bool // leave bad rows out, where they would be refused
	Partial bool // allow directories with parts missing
	Write   Options

	// Progress, if not nil, is called now and then with the number of rows done
	// of the total; a row is half done when it has been read once.
	Progress func(done, total int)
}

// Merge writes the rows of databases, one after the other, into the database
// out. Of several rows with one position it keeps the best and drops the rest:
//
//  1. exact values (method "exact …");
//  2. rollouts, the smallest standard error first;
//  3. evaluations ("eval ply=N"), the deepest first;
//  4. other outputs;
//  5. rows without outputs.
//
// Of equals it keeps the first. Rows are checked as on import.
//
// The databases are read twice, the first time to find the best row of each
// position, so that memory is bounded: about 30 bytes for each position.
func Merge(ctx context.Context, dbs []*DB, out string, o MergeOptions) (Report, error) {
	m := merger{o: o, dbs: dbs, best: map[bg.Key]bestRow{}}
	for _, db := range dbs {
		m.total += 2 * db.NumRows()
	}
	if m.total/2 > math.MaxUint32 {
		return m.report, fmt.Errorf("merge: %d rows, more than the %d that a merge can number", m.total/2,
			uint32(math.MaxUint32))
	}
	w, err := Create(out, o.Write)
	if err != nil {
		return m.report, err
	}
	defer w.Abort()
	if err := m.rank(ctx); err != nil {
		return m.report, err
	}
	if err := m.copy(ctx, w); err != nil {
		return m.report, err
	}
	return m.report, w.Close()
}

// merger is the state of a Merge.
type merger struct {
	o           MergeOptions
	dbs         []*DB
	done, total int64
	best        map[bg.Key]bestRow
	report      Report
}

// bestRow is the best row of a position: its rank, small is good, and its number among all rows of all databases.
type bestRow struct {
	rank float32
	row  uint32
}

// rank finds the best row of every position.
func (m *merger) rank(ctx context.Context) error {
	var first *BadRowsError
	ranks := methodRanks{}
	err := m.each(ctx, func(b *Batch, i int, row uint32) error {
		r := b.Row(i)
		if bad := CheckRow(&r); bad != nil {
			m.report.Bad[bad.Kind]++
			if first == nil && !m.o.SkipBad {
				first = &BadRowsError{Doing: fmt.Sprintf("merge %s: row %d", b.Part, b.FirstRow+int64(i)+1), First: bad}
			}
			return nil
		}
		rank := ranks.of(&r)
		best, there := m.best[r.Key]
		if there {
			m.report.Dropped++
		}
		if !there || rank < best.rank {
			m.best[r.Key] = bestRow{rank, row}
		}
		return nil
	})
	if err == nil && first != nil {
		first.Bad = m.report.Bad
		err = first
	}
	return err
}

// copy writes the best rows.
func (m *merger) copy(ctx context.Context, w *Writer) error {
	return m.each(ctx, func(b *Batch, i int, row uint32) error {
		if best, there := m.best[b.Keys[i]]; !there || best.row != row {
			return nil
		}
		r := b.Row(i)
		m.report.Rows++
		m.report.Classes[r.Class]++
		return w.Write(&r)
	})
}

// each calls f for every row of every database with its number.
func (m *merger) each(ctx context.Context, f func(b *Batch, i int, row uint32) error) error {
	row := uint32(0)
	for _, db := range m.dbs {
		for b, err := range db.Batches(ctx, Filter{Partial: m.o.Partial, Unchecked: true}) {
			if err != nil {
				return fmt.Errorf("merge: %w", err)
			}
			for i := range b.Len() {
				if err := f(b, i, row); err != nil {
					return err
				}
				row++
			}
			if m.done += int64(b.Len()); m.o.Progress != nil {
				m.o.Progress(int(m.done/2), int(m.total/2)) // each row is read twice
			}
		}
	}
	return nil
}

// methodRanks remembers what rowRank makes of a method.
type methodRanks map[string]float32

// Ranks of rows, see Merge. The standard error of a rollout is its own rank.
const (
	rankExact     = -1
	rankEval      = 1000 // minus the plies
	rankOther     = 2000
	rankNoOutputs = 3000
)

// of returns the rank of a row among those with the same position.
func (m methodRanks) of(r *Row) float32 {
	if !r.HasOutputs {
		return rankNoOutputs
	}
	rank, ok := m[r.Method]
	if !ok {
		rank = methodRank(r.Method)
		m[r.Method] = rank
	}
	if r.HasSE && rank != rankExact {
		return min(r.EquitySE, rankEval/2)
	}
	return rank
}

func methodRank(method string) float32 {
	words := strings.Fields(method)
	switch {
	case len(words) == 0:
	case words[0] == "exact":
		return rankExact
	case words[0] == "eval":
		for _, w := range words[1:] {
			if ply, err := strconv.Atoi(strings.TrimPrefix(w, "ply=")); err == nil && ply >= 0 && ply < 100 {
				return rankEval - float32(ply)
			}
		}
		return rankEval + 1
	}
	return rankOther
}
