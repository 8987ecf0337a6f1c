package curve

import (
	"math"
	"slices"
)

// axis maps values from lo to hi to the picture, from to to.
type axis struct {
	lo, hi   float64
	from, to float64
	log      bool
}

// newAxis covers values, with some room beyond them where it may be logarithmic.
func newAxis(values []float64, mayBeLog bool, from, to float64) axis {
	a := axis{lo: 0, hi: 1, from: from, to: to}
	if len(values) == 0 {
		return a
	}
	a.lo, a.hi = slices.Min(values), slices.Max(values)
	if mayBeLog {
		a.log = a.lo > 0 && a.hi > 10*a.lo
		if a.log {
			a.lo, a.hi = a.lo/1.1, a.hi*1.1
		} else {
			room := (a.hi - a.lo) / 20
			a.lo, a.hi = a.lo-room, a.hi+room
		}
	}
	if a.hi-a.lo <= 1e-9*math.Abs(a.hi) {
		room := max(1e-9, math.Abs(a.hi)/10)
		a.lo, a.hi = a.lo-room, a.hi+room
	}
	return a
}

// verticalAxis covers values by a scale.
func verticalAxis(values []float64, scale Scale, from, to float64) axis {
	if len(values) == 0 || scale == Auto {
		return newAxis(values, true, from, to)
	}
	low, high := slices.Min(values), slices.Max(values)
	if scale == Log && low > 0 && high > low {
		return axis{lo: low / 1.1, hi: high * 1.1, from: from, to: to, log: true}
	}
	room := (high - low) / 20
	return newAxis([]float64{low - room, high + room}, false, from, to)
}

// at is the place of a value.
func (a *axis) at(x float64) float64 {
	part := (x - a.lo) / (a.hi - a.lo)
	if a.log {
		part = math.Log(x/a.lo) / math.Log(a.hi/a.lo)
	}
	return a.from + part*(a.to-a.from)
}

// ticks are round values along the axis, about five.
func (a *axis) ticks() []float64 {
	if a.log {
		if t := a.logTicks(); len(t) > 1 {
			return t
		}
	}
	const most = 6
	step := math.Pow(10, math.Floor(math.Log10(a.hi-a.lo))-1)
	for _, m := range []float64{2, 2.5, 2, 2} { // 2, 5, 10, 20 times
		if (a.hi-a.lo)/step <= most {
			break
		}
		step *= m
	}
	var t []float64
	for k := math.Ceil(a.lo / step); k*step <= a.hi*(1+1e-12) && len(t) < 20; k++ {
		t = append(t, k*step)
	}
	return t
}

// logTicks are 1, 2 and 5 times powers of ten, or only the powers where there
// are many.
func (a *axis) logTicks() []float64 {
	steps := []float64{1, 2, 5}
	if a.hi/a.lo > 1e3 {
		steps = steps[:1]
	}
	var t []float64
	for p := math.Pow(10, math.Floor(math.Log10(a.lo))); p <= a.hi && len(t) < 40; p *= 10 {
		for _, m := range steps {
			if m*p >= a.lo && m*p <= a.hi {
				t = append(t, m*p)
			}
		}
	}
	return t
}
