package trainer

import (
	"bgtrain/dataset"
	"bgtrain/internal/bg"
)

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

// Of returns the weight of row i of a batch. A standard error or number of trials
// that is not known does not matter.
func (w *Weighting) Of(b *dataset.Batch, i int) float32 {
	x := w.Classes[b.Class[i]]
	if w.SE > 0 && b.HasSE(i) {
		se := b.EquitySE[i]
		x *= w.SE * w.SE / (w.SE*w.SE + se*se)
	}
	if w.Trials > 0 && b.HasTrials(i) {
		trials := float32(b.Trials[i])
		x *= trials / (trials + w.Trials)
	}
	return x
}
