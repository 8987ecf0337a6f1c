package features

import "math"

// standard returns what makes a whole number with these second and third central
// moments standard: the factor, and its skewness, within bounds.
func standard(variance, skew float32) (s, third float32) {
	// Sheppard's correction: whole numbers vary by 1/12 more than what they round.
	variance = max(variance-1./12, 0.04)
	s = 1 / float32(math.Sqrt(float64(variance)))
	return s, min(max(skew*s*s*s, -1), 1)
}

// edgeworth returns the probability that a standard number is no less than -z,
// by the normal distribution and the first term of Edgeworth's series.
func edgeworth(z, skew float32) float32 {
	z = min(max(z, -maxZ), maxZ)
	t := (z + maxZ) * zSteps
	k := int(t)
	f := t - float32(k)
	lo, hi := &normal[k], &normal[k+1]
	p := lo.p + float32(f*(hi.p-lo.p))
	third := lo.third + float32(f*(hi.third-lo.third))
	p += float32(skew * third)
	return min(max(p, 0), 1)
}

const (
	maxZ   = 4
	zSteps = 32
)

// normal holds the normal distribution from -maxZ to maxZ in steps of 1/zSteps,
// and what Edgeworth's series adds to it for each unit of skewness.
var normal = func() (t [2*maxZ*zSteps + 2]struct{ p, third float32 }) {
	for i := range t {
		z := float64(i)/zSteps - maxZ
		t[i].p = float32(math.Erfc(-z/math.Sqrt2) / 2)
		t[i].third = float32((z*z - 1) * math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) / 6)
	}
	return t
}()
