package trainer

import "bgtrain/internal/bg"

// Weighting turns what is known about a position's outputs into the weight of
// its example. The zero value of a field but Classes switches it off.
type Weighting struct {
	// Classes are the weights of the classes; 0 leaves a class out.
	Classes [bg.NumClasses]float32

	// SE is a standard error of the equity, in points: an example with the
	// standard error s weighs SE²/(SE²+s²), 1 for exact outputs and half for
	// s = SE. A good value is the error that the net itself will have.
	SE float32

	// Trials is a number of rollout trials: an example with n trials weighs
	// n/(n+Trials). One that was evaluated, not rolled out, weighs 1.
	Trials float32
}

// Of returns the weight of an example. se and trials are negative where they are
// not known, and then do not matter.
func (w *Weighting) Of(class bg.Class, se, trials float32) float32 {
	x := w.Classes[class]
	if w.SE > 0 && se > 0 {
		x *= w.SE * w.SE / (w.SE*w.SE + se*se)
	}
	if w.Trials > 0 && trials >= 0 {
		x *= trials / (trials + w.Trials)
	}
	return x
}
