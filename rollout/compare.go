package rollout

import (
	"context"
	"math"

	"bgtrain/internal/bg"
	"bgtrain/internal/parallel"
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
// the seed and the key: trial i has the same rolls in each. Options.TargetSE does not count, so that
// each has the same trials. The result does not depend on the number of workers. progress, if not nil,
// is told how many trials of all are done.
func (e *Engine) Compare(ctx context.Context, positions []bg.Board, key bg.Key, workers int,
	progress func(done, total int)) ([]Compared, error) {
	o := e.o
	o.TargetSE = 0
	xs := make([]*expander, parallel.Workers(workers))
	for i := range xs {
		xs[i] = newExpander(e.p, &o)
	}
	count := parallel.NewCounter(len(positions)*o.Trials, progress)
	all := make([]Compared, len(positions))
	kept := make([][]trialResult, len(positions))
	best := 0
	for k := range positions {
		j := &job{keep: true, tick: count.Add}
		r, err := j.rolloutWith(ctx, &positions[k], key, xs)
		if err != nil {
			return nil, err
		}
		if r.Exact {
			count.Add(o.Trials)
		}
		all[k].Result, kept[k] = r, j.kept
		if r.Equity() < all[best].Equity() {
			best = k
		}
	}
	for k := range all {
		if k != best {
			all[k].Difference = all[k].Equity() - all[best].Equity()
			all[k].DifferenceSE = differenceSE(kept[k], kept[best], all[k].EquitySE, all[best].EquitySE)
		}
	}
	return all, nil
}

// differenceSE is the standard error of the difference of two equities: by
// trials, or, where one of the two is exact, that of the other.
func differenceSE(a, b []trialResult, aSE, bSE float64) float64 {
	if len(a) == 0 || len(b) == 0 {
		return math.Hypot(aSE, bSE)
	}
	var s stats
	s.reset(&values{})
	for i := range a {
		d := a[i]
		d.values = a[i].values.sub(&b[i].values)
		s.add(&d)
	}
	return s.standardError(bg.NumOutputs)
}
