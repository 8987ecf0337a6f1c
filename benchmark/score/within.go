package score

import (
	"context"
	"math"

	"bgtrain/benchmark/bm"
	"bgtrain/benchmark/opponents"
	"bgtrain/internal/stats"
)

// EquityErrors holds how far a player's equities are from those of a benchmark
// file, on the candidates of each decision.
type EquityErrors struct {
	decisions []candidateErrors // of File.Records, in their order
}

// candidateErrors adds up the errors e of the n candidates of a decision, the player's
// equity less the file's, points.
type candidateErrors struct {
	n       float64
	squares float64 // sum of e²
	within  float64 // sum of (e − their mean)²
}

// EquityError sums up equity errors of decisions with two candidates or more, in
// points, with standard errors by the jackknife over decisions (0 with fewer than two).
//
// What all plays of a roll share does not change which one is chosen, so Within is
// without it: with e the player's equity less the file's,
//
//	RMS²    = Σ e² / candidates
//	Within² = Σ (e − its mean over the decision)² / (candidates − decisions)
//
// Both contain the noise of the file's rollouts.
type EquityError struct {
	Decisions  int     `json:"decisions"`
	Candidates int     `json:"candidates"`
	RMS        float64 `json:"rms"`
	RMSSE      float64 `json:"rms_se"`
	Within     float64 `json:"within"`
	WithinSE   float64 `json:"within_se"`
}

// Equities evaluates all candidates of a file as the player does at its ply, and
// compares their equities with those of the m records. The result does not depend on
// the number of workers; it is nil for a player that gives no equity, such as PubEval.
func Equities(ctx context.Context, p opponents.Player, f *bm.File, o Options) (*EquityErrors, error) {
	ms := opponents.NewPool(p, o.Workers)
	defer ms.Close()
	m, err := ms.Get(0)
	if err != nil {
		return nil, err
	}
	if _, ok := m.(opponents.Evaluator); !ok {
		return nil, nil
	}
	e := &EquityErrors{decisions: make([]candidateErrors, len(f.Records))}
	err = eachRecord(ctx, ms, f, o, func(m opponents.Mover, i int) (err error) {
		e.decisions[i], err = equityErrors(m.(opponents.Evaluator), &f.Records[i])
		return err
	})
	if err != nil {
		return nil, err
	}
	return e, nil
}

// equityErrors evaluates the candidates of a record.
func equityErrors(v opponents.Evaluator, r *bm.Record) (candidateErrors, error) {
	errs := make([]float64, len(r.Candidates))
	for i := range r.Candidates {
		c := &r.Candidates[i]
		b, err := c.Key.Board()
		if err != nil {
			return candidateErrors{}, err
		}
		theirs, err := v.Evaluate(&b) // the opponent is on roll
		if err != nil {
			return candidateErrors{}, err
		}
		errs[i] = -float64(theirs.Equity()) - (r.BestEquity - c.Loss)
	}
	return sumErrors(errs), nil
}

func sumErrors(errs []float64) candidateErrors {
	t := candidateErrors{n: float64(len(errs))}
	mean := 0.0
	for _, e := range errs {
		t.squares += e * e
		mean += e / t.n
	}
	for _, e := range errs {
		t.within += (e - mean) * (e - mean)
	}
	return t
}

// Summary sums all decisions up.
func (e *EquityErrors) Summary() EquityError {
	return e.SummaryOf(Every)
}

// SummaryOf sums the decisions up for which include, given the index of the record,
// returns true.
func (e *EquityErrors) SummaryOf(include func(i int) bool) EquityError {
	all := ratio{sums: func(c *candidateErrors) (float64, float64) { return c.squares, c.n }}
	within := ratio{sums: withinSums}
	e.each(include, func(c *candidateErrors) {
		all.add(c)
		within.add(c)
	})
	s := EquityError{Decisions: len(all.parts), Candidates: int(all.whole.below)}
	s.RMS, s.Within = all.whole.root(), within.whole.root()
	s.RMSSE, s.WithinSE = jackknife(all.without()), jackknife(within.without())
	return s
}

// WithinLess returns e's error within a decision less that of another player on the
// same file, over the decisions that include selects. The jackknife leaves the same
// decision out for both, so the standard error is that of paired results.
func (e *EquityErrors) WithinLess(other *EquityErrors, include func(i int) bool) stats.Stat {
	a, b := ratio{sums: withinSums}, ratio{sums: withinSums}
	e.each(include, a.add)
	other.each(include, b.add)
	differences := a.without()
	for i, r := range b.without() {
		differences[i] -= r
	}
	return stats.Stat{Mean: a.whole.root() - b.whole.root(), SE: jackknife(differences)}
}

// each calls f for the decisions that have something to choose between.
func (e *EquityErrors) each(include func(i int) bool, f func(*candidateErrors)) {
	for i := range e.decisions {
		if c := &e.decisions[i]; c.n > 1 && include(i) {
			f(c)
		}
	}
}

func withinSums(c *candidateErrors) (above, below float64) { return c.within, c.n - 1 }

// ratio is the root of a ratio of sums over decisions.
type ratio struct {
	sums  func(*candidateErrors) (above, below float64)
	parts []quotient
	whole quotient
}

type quotient struct{ above, below float64 }

func (r *ratio) add(c *candidateErrors) {
	above, below := r.sums(c)
	r.parts = append(r.parts, quotient{above, below})
	r.whole.above += above
	r.whole.below += below
}

// root is 0 where nothing was added up. The sum above may be less than 0 by rounding.
func (q quotient) root() float64 {
	if q.below <= 0 {
		return 0
	}
	return math.Sqrt(max(q.above, 0) / q.below)
}

// without returns the root without each of the decisions in turn.
func (r *ratio) without() []float64 {
	out := make([]float64, len(r.parts))
	for i, p := range r.parts {
		out[i] = quotient{r.whole.above - p.above, r.whole.below - p.below}.root()
	}
	return out
}

// jackknife returns the standard error of a statistic from its values without each of
// the n parts: the root of (n − 1)/n times the sum of their squared differences from
// their mean.
func jackknife(values []float64) float64 {
	var t stats.Tally
	for _, v := range values {
		t.Add(v)
	}
	if t.N < 2 {
		return 0
	}
	return float64(t.N-1) * t.Stat().SE
}
