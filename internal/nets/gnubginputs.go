package nets

import (
	"fmt"

	"bgtrain/features"
	"bgtrain/internal/bg"
	"bgtrain/internal/nn"
)

// onGNUbgInputs returns a net's first layer on the inputs that GNU Backgammon
// gives it.
func onGNUbgInputs(e *Entry, set *features.Set) (nn.Layer, error) {
	first := e.Net.Layers[0]
	switch {
	case e.Inputs == set.Name && e.InputsVersion == set.Version:
		return first, nil
	case e.Inputs == features.Tesauro.Name && e.InputsVersion == features.Tesauro.Version:
		return tesauroOnGNUbg(&first, set), nil
	}
	return first, fmt.Errorf("it takes inputs %s version %d; GNU Backgammon has %s (or tesauro, rewritten) to give it",
		e.Inputs, e.InputsVersion, set.Name)
}

// tesauroOnGNUbg rewrites a layer on tesauro inputs to give the same sums on
// GNU Backgammon's: every tesauro input is a linear function of the four inputs
// of each point and of the bar, with which all of GNU Backgammon's sets begin.
//
// With n checkers on a point, GNU Backgammon's inputs are n=1, n=2, n≥3 and
// (n-3)/2; tesauro's are n≥1, n≥2, n≥3 and (n-3)/2. The bar is n≥1, n≥2, n≥3 and
// (n-3)/2 there, n/2 here. The checkers off are those on no point and not on the
// bar. GNU Backgammon's race inputs have no 24-point and no bar, where there are
// no checkers in a race.
func tesauroOnGNUbg(l *nn.Layer, set *features.Set) nn.Layer {
	out := *l
	out.In = set.Size
	out.Weights = make([]float32, set.Size*l.Out)
	out.Bias = append([]float32(nil), l.Bias...)

	// Of a side, in GNU Backgammon's inputs: points of four inputs each, the bar's four
	// after them or none, and the distance to the other side, the opponent's being first.
	points, bar, stride := 24, true, 100
	if set == features.GNUbgRace {
		points, bar, stride = 23, false, set.Size/2
	}
	for k := range 2 {
		// The player on roll comes first there, second in GNU Backgammon.
		theirs, ours := k*features.Tesauro.Size/2, (1-k)*stride
		for unit := range l.Out {
			from := func(i int) float64 { return float64(l.Weights[(theirs+i)*l.Out+unit]) }
			to := func(i int, v float64) { out.Weights[(ours+i)*l.Out+unit] = float32(v) }
			off := from(4*bg.Bar+1) / bg.Checkers // of each checker not off
			for p := range points {
				one, two, three, more := from(4*p), from(4*p+1), from(4*p+2), from(4*p+3)
				to(4*p, one-off)
				to(4*p+1, one+two-2*off)
				to(4*p+2, one+two+three-3*off)
				to(4*p+3, more-2*off)
			}
			if bar {
				each := from(4*bg.Bar)/2 - off // of each checker on it
				for i := range 3 {
					to(4*bg.Bar+i, each)
				}
				to(4*bg.Bar+3, 2*each)
			}
			out.Bias[unit] += float32(off * bg.Checkers)
		}
	}
	return out
}
