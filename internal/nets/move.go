package nets

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"bgtrain/features"
	"bgtrain/internal/nn"
)

// Clone returns a copy of the player that shares nothing with it.
func (s *Set) Clone() *Set {
	out := s.clone()
	for role, e := range s.Nets {
		out.Nets[role] = e.Clone()
	}
	return out
}

// Clone returns a copy of the net that shares no weights with it.
func (e *Entry) Clone() *Entry {
	out := *e
	out.Net = &nn.Net{Layers: slices.Clone(e.Net.Layers)}
	for i := range out.Net.Layers {
		l := &out.Net.Layers[i]
		l.Weights, l.Bias = slices.Clone(l.Weights), slices.Clone(l.Bias)
	}
	return &out
}

// Move returns a net moved to an input set that has all inputs of its own, by
// their names, and more. The weights of the new inputs are random within ±limit:
// with a limit of 0 the net computes what it did.
func Move(rng *rand.Rand, e *Entry, to *features.Set, limit float64) (*Entry, error) {
	from, err := features.Lookup(e.Inputs, e.InputsVersion)
	if err != nil {
		return nil, err
	}
	out := e.Clone()
	if from == to {
		return out, nil
	}
	places := make(map[string]int, to.Size)
	for i := range to.Size {
		places[to.InputName(i)] = i
	}
	old := &e.Net.Layers[0]
	l := &out.Net.Layers[0]
	l.In = to.Size
	l.Weights = make([]float32, to.Size*l.Out)
	fill(rng, l.Weights, limit)
	for i := range from.Size {
		at, ok := places[from.InputName(i)]
		if !ok {
			return nil, fmt.Errorf("move from %s to %s: that has no input %q; start from random weights",
				from.Name, to.Name, from.InputName(i))
		}
		copy(l.Weights[at*l.Out:(at+1)*l.Out], old.Weights[i*l.Out:(i+1)*l.Out])
	}
	out.Inputs, out.InputsVersion = to.Name, to.Version
	return out, nil
}
