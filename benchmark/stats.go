package benchmark

import "math"

// Stat is a mean with its standard error.
type Stat struct {
	Mean float64 `json:"mean"`
	SE   float64 `json:"se"` // 0 with fewer than two values
}

// tally adds numbers up, for a mean and its standard error.
type tally struct {
	n          int
	mean, sumS float64 // sumS: squared differences from the mean (Welford)
}

func (t *tally) add(x float64) {
	t.n++
	d := x - t.mean
	t.mean += d / float64(t.n)
	t.sumS += d * (x - t.mean)
}

// sd is the standard deviation of one value.
func (t *tally) sd() float64 {
	if t.n < 2 {
		return 0
	}
	return math.Sqrt(t.sumS / float64(t.n-1))
}

func (t *tally) stat() Stat {
	if t.n == 0 {
		return Stat{}
	}
	return Stat{t.mean, t.sd() / math.Sqrt(float64(t.n))}
}

// scaled returns the statistics of the values times k.
func (s Stat) scaled(k float64) Stat { return Stat{k * s.Mean, math.Abs(k) * s.SE} }

// splitmix is the finalizer of the SplitMix64 generator: it turns related
// numbers into unrelated seeds.
func splitmix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
