package fit

import "math"

// schedules are the names of the shapes of the learning rate after the warm-up.
var schedules = []string{"constant", "linear", "cosine", "exponential"}

// RateAt is the learning rate of a step, counted from 0, of steps in all, with
// perEpoch steps an epoch. It depends on nothing else.
func (s *Settings) RateAt(step, steps, perEpoch int64) float64 {
	warm := s.Warmup * float64(perEpoch)
	t := float64(step)
	if t < warm {
		return s.Rate * (t + 1) / (warm + 1)
	}
	// Part of the way from the end of the warm-up to the last step.
	x := 1.0
	if rest := float64(steps-1) - warm; rest > 0 {
		x = min(1, (t-warm)/rest)
	}
	switch s.Schedule {
	case "linear":
		return s.Rate * (1 + (s.FinalRate-1)*x)
	case "cosine":
		return s.Rate * (s.FinalRate + (1-s.FinalRate)*(1+math.Cos(math.Pi*x))/2)
	case "exponential":
		return s.Rate * math.Pow(s.FinalRate, x)
	}
	return s.Rate
}
