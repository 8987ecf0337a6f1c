package rollout

import (
	"context"
	"fmt"
	"math"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/parallel"
	"bgtrain/rollout/label"
)

// Compared is the rollout of one of several positions with the same dice.
type Compared struct {
	Result

	// Difference is the equity less the lowest of all, in points, and DifferenceSE
	// its standard error: that of the differences trial by trial, which vary less
	// than the equities do, since both met the same rolls.
	Difference, DifferenceSE float64
}

// Compare rolls out positions, such as those after the plays of a roll, with common dice, derived from
// the seed and the key: trial i has the same rolls in each, and each has the same trials. With
// Options.TargetSE they end when the standard error of every difference is below it. The result does
// not depend on the number of workers. One position alone, with its own key, has the result of Rollout.
func (e *Engine) Compare(ctx context.Context, positions []bg.Board, key bg.Key, w Watch[[]Compared]) ([]Compared,
	error) {
	watched := &Engine{e.p, e.o}
	watched.o.watched = w.Look != nil
	xs := watched.expanders(parallel.Workers(w.Workers))
	return compare(ctx, positions, key, xs, parallel.NewCounter(len(positions)*e.o.Trials, w.Progress).Add, w.Look)
}

// compare is Compare by the goroutines' expanders; tick gets trials done. look, if not nil,
// gets the results after every wave.
func compare(ctx context.Context, positions []bg.Board, key bg.Key, xs []*expander, tick func(n int),
	look func([]Compared) error) ([]Compared, error) {
	o := xs[0].o
	jobs := make([]*job, len(positions))
	all := make([]Compared, len(positions))
	left := 0 // positions that are played
	for k := range positions {
		jobs[k] = &job{keep: true, tick: tick}
		if r, known := jobs[k].begin(&positions[k], key, xs[0]); known {
			all[k].Result = r
			tick(o.Trials)
		} else {
			left++
		}
	}
	for n := 0; n < o.Trials && left > 0; {
		end := o.waveEnd(n)
		for k, j := range jobs {
			if all[k].Exact {
				continue
			}
			if err := j.play(ctx, n, end, xs); err != nil {
				return nil, err
			}
			all[k].Result = j.stats.result()
		}
		if n = end; o.TargetSE > 0 && differences(all, jobs) < o.TargetSE {
			break
		}
		if look != nil {
			differences(all, jobs)
			if err := look(all); err != nil {
				return nil, err
			}
		}
	}
	differences(all, jobs)
	return all, nil
}

// differences sets those of all results, and returns the largest standard error: that
// of the equity where there is only one position.
func differences(all []Compared, jobs []*job) (largest float64) {
	best := 0
	for k := range all {
		if all[k].Equity() < all[best].Equity() {
			best = k
		}
	}
	if len(all) == 1 {
		return all[0].EquitySE
	}
	for k := range all {
		all[k].Difference, all[k].DifferenceSE = 0, 0
		if k != best {
			all[k].Difference = all[k].Equity() - all[best].Equity()
			all[k].DifferenceSE = differenceSE(jobs[k].kept, jobs[best].kept, all[k].EquitySE, all[best].EquitySE)
			largest = max(largest, all[k].DifferenceSE)
		}
	}
	return largest
}

// NewCompareWork returns a function that rolls out rows, group by group, for one
// goroutine: each group of so many rows is the candidates of a decision, which meet
// common dice, those of its first row. A row that repeats one before it in its group
// fills the group up: it gets the same values and costs nothing. EquitySE is the
// standard error of the equity for the best row of a group, that which leaves the
// player on roll least, and of the difference to it for the others.
func (e *Engine) NewCompareWork(group int) func(context.Context, []dataset.Row) ([]dataset.Row, error) {
	xs := e.expanders(1)
	method := e.o.Method() + ", common dice"
	return func(ctx context.Context, rows []dataset.Row) ([]dataset.Row, error) {
		for first := 0; first < len(rows); first += group {
			if err := compareRows(ctx, rows[first:min(first+group, len(rows))], xs, method); err != nil {
				return nil, err
			}
		}
		return rows, nil
	}
}

func compareRows(ctx context.Context, rows []dataset.Row, xs []*expander, method string) error {
	var positions []bg.Board
	place := map[bg.Key]int{}
	for i := range rows {
		key := rows[i].Key
		if _, again := place[key]; again {
			continue
		}
		b, err := key.Board()
		if err != nil {
			return fmt.Errorf("position %s: %w", key, err)
		}
		place[key], positions = len(positions), append(positions, b)
	}
	all, err := compare(ctx, positions, rows[0].Key, xs, func(int) {}, nil)
	if err != nil {
		return err
	}
	for i := range rows {
		row := &rows[i]
		k := place[row.Key]
		r, b := &all[k], &positions[k]
		row.Outputs, row.HasOutputs, row.Class, row.Method = r.Outputs, true, dataset.ClassOf(b), method
		se := r.EquitySE
		if r.DifferenceSE > 0 {
			se = r.DifferenceSE
		}
		if r.Exact {
			row.Method = label.Bearoff(xs[0].eval.Player(), b)
		} else {
			row.Trials, row.HasTrials = int32(r.Trials), true
		}
		if row.HasSE = !r.Exact || se > 0; row.HasSE {
			row.EquitySE = float32(se)
		}
	}
	return nil
}

// differenceSE is the standard error of the difference of two equities: by
// trials, or, where one of the two is exact, that of the other.
func differenceSE(a, b []trialResult, aSE, bSE float64) float64 {
	if len(a) == 0 || len(b) == 0 {
		return math.Hypot(aSE, bSE)
	}
	var s trialStats
	s.reset(&values{})
	for i := range a {
		d := a[i]
		d.values = a[i].values.sub(&b[i].values)
		s.add(&d)
	}
	return s.standardError(bg.NumOutputs)
}
