// Package stats has the mean and its standard error.
package stats

import "math"

// Stat is a mean with its standard error.
type Stat struct {
	Mean float64 `json:"mean"`
	SE   float64 `json:"se"` // 0 with fewer than two values
}

// Scaled returns the statistics of the values times k.
func (s Stat) Scaled(k float64) Stat { return Stat{k * s.Mean, math.Abs(k) * s.SE} }

// Tally adds numbers up, for their mean and its standard error.
type Tally struct {
	N          int
	Mean, sumS float64 // sumS: squared differences from the mean (Welford)
}

// Add adds a number.
func (t *Tally) Add(x float64) {
	t.N++
	d := x - t.Mean
	t.Mean += d / float64(t.N)
	t.sumS += d * (x - t.Mean)
}

// sd is the standard deviation of one value.
func (t *Tally) sd() float64 {
	if t.N < 2 {
		return 0
	}
	return math.Sqrt(t.sumS / float64(t.N-1))
}

// Stat returns the mean and its standard error, zeros where there is no number.
func (t *Tally) Stat() Stat {
	if t.N == 0 {
		return Stat{}
	}
	return Stat{t.Mean, t.sd() / math.Sqrt(float64(t.N))}
}

// Sums adds numbers up as they are, so that sums can be merged; for values whose mean is not large beside their
// differences. Whole numbers add up exactly, in any order.
type Sums struct {
	N            int
	Sum, Squares float64
}

// Add adds a number.
func (s *Sums) Add(x float64) {
	s.N++
	s.Sum += x
	s.Squares += x * x
}

// Merge adds the numbers of t.
func (s *Sums) Merge(t Sums) {
	s.N += t.N
	s.Sum += t.Sum
	s.Squares += t.Squares
}

// Stat returns the mean and its standard error, zeros where there is no number.
func (s *Sums) Stat() Stat {
	if s.N == 0 {
		return Stat{}
	}
	n := float64(s.N)
	mean := s.Sum / n
	if s.N < 2 {
		return Stat{Mean: mean}
	}
	return Stat{mean, math.Sqrt(max(s.Squares-s.Sum*mean, 0) / (n - 1) / n)}
}
