package backprop

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bgtrain/internal/bg"
)

// LossKind is the formula of a loss.
type LossKind uint8

// The formulas, for outputs p and targets t of a position.
const (
	// SquaredError is sum over k of Outputs[k]·(p[k]-t[k])² + Equity·(E(p)-E(t))²,
	// with E the equity.
	SquaredError LossKind = iota
	// CrossEntropy is -sum over k of Outputs[k]·(t[k]·ln p[k] + (1-t[k])·ln(1-p[k])).
	CrossEntropy
)

var lossNames = []string{SquaredError: "squared", CrossEntropy: "cross-entropy"}

// String returns the name that flags and files use.
func (k LossKind) String() string {
	if int(k) < len(lossNames) {
		return lossNames[k]
	}
	return fmt.Sprintf("loss(%d)", uint8(k))
}

// ParseLossKind is the inverse of LossKind.String.
func ParseLossKind(s string) (LossKind, error) {
	if k := slices.Index(lossNames, s); k >= 0 {
		return LossKind(k), nil
	}
	return 0, fmt.Errorf("unknown loss %q (known: %s)", s, strings.Join(lossNames, ", "))
}

// Loss is what training makes small, averaged over weighted positions.
type Loss struct {
	Kind    LossKind
	Outputs [bg.NumOutputs]float32 // weight of each output
	Equity  float32                // weight of the equity's squared error; 0: off. SquaredError only

	// Within is the weight of the squared errors within a decision, the mean errors of its
	// positions taken off: what chooses plays. Those of the outputs weigh Outputs beside that of
	// the equity, as a match needs what money does not. 0: off. For Rows that are Decisions.
	Within float32
}

// Decisions are Rows some of which are candidate plays of one decision, next to each other.
type Decisions interface {
	Rows

	// Sibling reports whether row i is of the decision of row i-1. Rows are not taken together
	// across a multiple of 64 in the batch.
	Sibling(i int) bool
}

// within adds the part of Loss.Within to the losses and errors of rows lo to lo+n-1.
func (e *Stepper) within(rows Decisions, lo, n int) {
	for i := lo; i < lo+n; {
		end := i + 1
		for end < lo+n && end%slabRows != 0 && rows.Sibling(end) {
			end++
		}
		if end > i+1 {
			e.oneDecision(i, end)
		}
		i = end
	}
}

// oneDecision is within for the rows of one decision, up to the one before end.
func (e *Stepper) oneDecision(first, end int) {
	l := &e.opt.Loss
	var mean [outputs + 1]float32 // errors of the outputs and of the equity
	var weight float32
	for i := first; i < end; i++ {
		p, t, w := e.Output(i)
		errs := errorsOf((*[outputs]float32)(p), t)
		for k, v := range errs {
			mean[k] += w * v
		}
		weight += w
	}
	if weight == 0 {
		return
	}
	for k := range mean {
		mean[k] /= weight
	}
	for i := first; i < end; i++ {
		p, t, w := e.Output(i)
		own := errorsOf((*[outputs]float32)(p), t)
		for k := range own {
			own[k] -= mean[k]
		}
		by, d := l.Within*w, (*[outputs]float32)(e.errors[i*outputs:])
		e.losses[i] += by * own[outputs] * own[outputs]
		for k := range d {
			e.losses[i] += by * l.Outputs[k] * own[k] * own[k]
			d[k] += 2 * by / float32(e.n) * (equitySlope[k]*own[outputs] + l.Outputs[k]*own[k]) * (p[k] - p[k]*p[k])
		}
	}
}

// errorsOf returns the errors of the outputs, then that of the equity.
func errorsOf(p *[outputs]float32, t *bg.Outputs) (errs [outputs + 1]float32) {
	for k := range p {
		errs[k] = p[k] - t[k]
		errs[outputs] += equitySlope[k] * errs[k]
	}
	return errs
}

// equitySlope is the derivative of the equity by each output.
var equitySlope = [bg.NumOutputs]float32{2, 1, 1, -1, -1}

// gradient returns the loss of one position, times weight, and writes its
// derivative by the outputs' sums (before the sigmoid), times weight·scale, to d.
func (l *Loss) gradient(p, d *[bg.NumOutputs]float32, t *bg.Outputs, weight, scale float32) float32 {
	scale *= weight
	if l.Kind == CrossEntropy {
		for k := range d {
			d[k] = l.Outputs[k] * (p[k] - t[k]) * scale
		}
		return weight * l.crossEntropy(p, t)
	}
	e := errorsOf(p, t)
	equity, sum := e[outputs], float32(0)
	for k := range d {
		sum += l.Outputs[k] * e[k] * e[k]
	}
	sum += l.Equity * equity * equity
	for k := range d {
		d[k] = 2 * (l.Outputs[k]*e[k] + l.Equity*equity*equitySlope[k]) * (p[k] - p[k]*p[k]) * scale
	}
	return weight * sum
}

func (l *Loss) crossEntropy(p *[bg.NumOutputs]float32, t *bg.Outputs) float32 {
	const tiny = 1e-30
	var sum float64
	for k := range p {
		a, b := max(float64(p[k]), tiny), max(1-float64(p[k]), tiny)
		sum -= float64(l.Outputs[k]) * (float64(t[k])*math.Log(a) + (1-float64(t[k]))*math.Log(b))
	}
	return float32(sum)
}
