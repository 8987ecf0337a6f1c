package cubelife

import (
	"math"
	"math/rand/v2"

	"bgtrain/internal/cube"
	"bgtrain/internal/cube/life"
	"bgtrain/internal/gemm"
)

// sample is a position with its labels, as far as a net is trained by it: by the holder of
// the cube the equity of a dead one less the label, and what whole indices add to it. For
// money there are all three holders, at a score one; the others are 0.
type sample struct {
	inputs             life.Active
	over, mine, theirs [3]float32
}

// newSample is a position for money.
func newSample(p *cube.Position, labels *equities) (s sample) {
	for h := range holders {
		s.add(p, &holders[h], labels[h])
	}
	return s
}

// add adds the label of a state.
func (s *sample) add(p *cube.Position, at *cube.State, label float64) {
	t := cube.Teach(p, at)
	s.inputs = t.Inputs
	s.over[at.Owner], s.mine[at.Owner], s.theirs[at.Owner] = float32(t.Dead-label), float32(t.Mine), float32(t.Theirs)
}

// errors returns by how much the equities by indices x are more than the labels.
func (s *sample) errors(x *[life.Indices]float64) (off [3]float64) {
	for h := range off {
		mine, theirs := indicesOf(cube.Holder(h))
		off[h] = float64(s.over[h]) + float64(s.mine[h])*x[mine] + float64(s.theirs[h])*x[theirs]
	}
	return off
}

// indicesOf are the indices of the player on roll and the opponent for a holder.
func indicesOf(h cube.Holder) (mine, theirs life.Index) {
	switch h {
	case cube.Owned:
		return life.Own, life.Own
	case cube.OpponentOwned:
		return life.Theirs, life.Theirs
	}
	return life.Mine, life.Opponents
}

// fitter trains one net by Adam.
type fitter struct {
	net                              *life.Net
	weights, gradient, first, second []float32 // longer than the net's, as kernels ask for
	steps                            int
	units                            [life.MaxHidden]float32
}

const batch = 256

// newFitter begins with random weights.
func newFitter(hidden int, rng *rand.Rand) *fitter {
	const multiple = 16
	n := (life.Size(hidden) + multiple - 1) / multiple * multiple
	f := &fitter{weights: gemm.Alloc(n), gradient: gemm.Alloc(n), first: gemm.Alloc(n), second: gemm.Alloc(n)}
	f.net = &life.Net{Hidden: hidden, Weights: f.weights[:life.Size(hidden)]}
	for i := range life.Inputs * hidden {
		f.net.Weights[i] = float32(rng.NormFloat64()) * 0.15
	}
	return f
}

// step trains on a batch of samples and returns the sum of their squared errors.
func (f *fitter) step(samples []*sample, rate float64) (loss float64) {
	clear(f.gradient)
	scale := 1 / float64(len(samples))
	for _, s := range samples {
		x := f.net.Of(&s.inputs, f.units[:])
		var d [life.Indices]float32
		for h, off := range s.errors(&x) {
			loss += off * off
			mine, theirs := indicesOf(cube.Holder(h))
			d[mine] += float32(off * float64(s.mine[h]) * x[mine] * (1 - x[mine]) * scale)
			d[theirs] += float32(off * float64(s.theirs[h]) * x[theirs] * (1 - x[theirs]) * scale)
		}
		f.net.Backward(&s.inputs, f.units[:], &d, f.gradient)
	}
	f.steps++
	const beta1, beta2, epsilon = 0.9, 0.999, 1e-8
	c1, c2 := 1-math.Pow(beta1, float64(f.steps)), math.Sqrt(1-math.Pow(beta2, float64(f.steps)))
	gemm.Adam(f.weights, f.first, f.second, f.gradient, &gemm.AdamStep{
		Beta1: beta1, Gain1: 1 - beta1, Beta2: beta2, Gain2: 1 - beta2,
		MinusRate: float32(-rate * c2 / c1), Epsilon: float32(epsilon * c2), Keep: 1,
	})
	return loss
}

// pass trains on all samples once, in an order of rng's.
func (f *fitter) pass(samples []sample, rng *rand.Rand, rate func() float64) (loss float64) {
	order := rng.Perm(len(samples))
	var at [batch]*sample
	for from := 0; from < len(order); from += batch {
		to := min(from+batch, len(order))
		for i, k := range order[from:to] {
			at[i] = &samples[k]
		}
		loss += f.step(at[:to-from], rate())
	}
	return loss
}
