package rollout

import (
	"math"

	"bgtrain/internal/bg"
)

// trialResult is what a trial came to, as the player who starts sees it, and the
// first two rolls it was dealt, by which trials are stratified.
type trialResult struct {
	values        values
	first, second uint8 // indices in bg.Rolls
}

// numStats is the number of quantities with a mean and an error: the five
// outputs and, last, the equity.
const numStats = bg.NumOutputs + 1

// trialStats add up trials. Adding them in a fixed order gives the same numbers
// whoever played them.
type trialStats struct {
	n   int
	ref values // near the mean: sums are of differences to it, which keeps them precise

	sum, squares  [numStats]float64
	first, second [numRolls]stratum           // by the first and by the second roll
	pairs         [numRolls][numRolls]stratum // by both
}

// stratum is the sum of some trials.
type stratum struct {
	n   float64
	sum [numStats]float64
}

func (s *trialStats) reset(ref *values) { *s = trialStats{ref: *ref} }

func (s *trialStats) add(r *trialResult) {
	diff := r.values.sub(&s.ref)
	var d [numStats]float64
	copy(d[:], diff[:])
	d[bg.NumOutputs] = r.values.equity() - s.ref.equity()
	s.addNumbers(&d, r.first, r.second)
}

// addNumbers adds a trial with such first rolls: what its quantities differ from ref by.
func (s *trialStats) addNumbers(d *[numStats]float64, first, second uint8) {
	s.n++
	for i, x := range d {
		s.sum[i] += x
		s.squares[i] += x * x
	}
	s.first[first].add(d)
	s.second[second].add(d)
	s.pairs[first][second].add(d)
}

func (t *stratum) add(d *[numStats]float64) {
	t.n++
	for i, x := range d {
		t.sum[i] += x
	}
}

// standardError returns that of the mean of quantity i.
//
// The balance of the dice takes the difference that the first roll makes out of
// the mean, likewise that of the second, and with a multiple of 1,296 trials
// whatever the two make together. So only the spread that is left when such
// differences are fitted counts, with as many degrees of freedom less. Where
// trials are too few to fit the differences they count as chance, which
// overstates the error a little.
func (s *trialStats) standardError(i int) float64 {
	n := float64(s.n)
	var fit float64
	var freedom int
	switch {
	case s.n%(36*36) == 0:
		fit, freedom = s.fitPairs(i)
	case s.n >= minAdditive:
		fit, freedom = s.fitRolls(i)
	case s.n >= 36:
		fit, freedom = fitStrata(s.first[:], i)
	default:
		fit, freedom = s.sum[i]*s.sum[i]/n, s.n-1
	}
	return math.Sqrt(math.Max(s.squares[i]-fit, 0) / float64(freedom) / n)
}

// minAdditive is the number of trials from which on both first rolls are fitted.
const minAdditive = 144

// fitStrata returns the sum of squares that a mean of each stratum accounts for,
// and the degrees of freedom that are left.
func fitStrata(strata []stratum, i int) (squares float64, freedom int) {
	for k := range strata {
		if t := &strata[k]; t.n > 0 {
			squares += t.sum[i] * t.sum[i] / t.n
			freedom += int(t.n) - 1
		}
	}
	return squares, freedom
}

// fitPairs is fitStrata for the pairs of first rolls.
func (s *trialStats) fitPairs(i int) (squares float64, freedom int) {
	for r := range s.pairs {
		sq, f := fitStrata(s.pairs[r][:], i)
		squares += sq
		freedom += f
	}
	return squares, freedom
}

// fitRolls is fitStrata for the sum of one effect of the first roll and one of
// the second, by least squares: each is the mean of what the other leaves, in
// turns until that settles.
func (s *trialStats) fitRolls(i int) (squares float64, freedom int) {
	var first, second [numRolls]float64
	for range 30 {
		for r := range first {
			left := s.first[r].sum[i]
			for c := range second {
				left -= s.pairs[r][c].n * second[c]
			}
			first[r] = left / math.Max(s.first[r].n, 1)
		}
		for c := range second {
			left := s.second[c].sum[i]
			for r := range first {
				left -= s.pairs[r][c].n * first[r]
			}
			second[c] = left / math.Max(s.second[c].n, 1)
		}
	}
	for r := range first {
		squares += first[r]*s.first[r].sum[i] + second[r]*s.second[r].sum[i]
	}
	return squares, s.n - (2*numRolls - 1)
}

// result returns the mean of the trials and its standard errors.
func (s *trialStats) result() Result {
	r := Result{Trials: s.n}
	var mean values
	for i := range mean {
		mean[i] = s.ref[i] + s.sum[i]/float64(s.n)
		r.SE[i] = s.standardError(i)
	}
	r.Mean = mean
	r.EquitySE = s.standardError(bg.NumOutputs)
	r.Outputs = mean.outputs()
	return r
}
