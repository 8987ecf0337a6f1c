package nets

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"bgtrain/features"
	"bgtrain/internal/bg"
	"bgtrain/internal/nn"
	"bgtrain/internal/splitmix"
)

// Start is what the nets are like that a training starts from. Pruning nets are small
// and on inputs of their own, whatever Inputs and Hidden are.
type Start struct {
	Seed       uint64 // of the random weights; each role has its own of them
	Inputs     string // "gnubg": a set for each class, else one for all; "": as the net is, gnubg for random weights
	Hidden     []int  // units of each hidden layer; nil: as the net is, 128 for random weights
	Activation nn.Activation

	Init float64 // random weights are within ± this; 0: see Limit
	Used int     // inputs of a position that are not 0, on which the limit of the first layer rests; 0: all
}

// The uses of a seed, each of which has numbers of its own.
const (
	useWeights = iota << 32
	useWiden   // and the layer
	useRevive
)

// rand returns the generator for a role's net and one use of it.
func (s *Start) rand(role Role, use uint64) *rand.Rand {
	return splitmix.Rand(s.Seed, math.MaxUint64-use-uint64(slices.Index(Roles, role)))
}

// inputs returns the input set of a role.
func (s *Start) inputs(role Role) (*features.Set, error) {
	switch {
	case role.IsPruning():
		return features.ByName("gnubg-prune")
	case s.Inputs == "gnubg" || s.Inputs == "":
		return features.ByName("gnubg-" + string(role))
	}
	return features.ByName(s.Inputs)
}

// hidden returns the units of a role's hidden layers.
func (s *Start) hidden(role Role) []int {
	switch {
	case role.IsPruning():
		return []int{16}
	case len(s.Hidden) == 0:
		return []int{128}
	}
	return s.Hidden
}

// Limit returns that of the random weights of a layer, of so many in a net, with so many
// inputs: 1/√inputs, with which the sums of sigmoid units start within their slope.
// Rectified units start with the variance that keeps that of their inputs (He and
// others, 2015).
func (s *Start) Limit(layer, layers, inputs int) float64 {
	if s.Init > 0 {
		return s.Init
	}
	if layer == 0 && s.Used > 0 {
		inputs = s.Used
	}
	limit := ByInputs(layer, inputs)
	if s.Activation == nn.ReLU && layer < layers-1 {
		limit *= math.Sqrt(6)
	}
	return limit
}

// Random returns a net of random weights. It fails where the input set is unknown.
func (s *Start) Random(role Role) (*Entry, error) {
	set, err := s.inputs(role)
	if err != nil {
		return nil, err
	}
	sizes := slices.Concat([]int{set.Size}, s.hidden(role), []int{bg.NumOutputs})
	limit := func(layer, inputs int) float64 { return s.Limit(layer, len(sizes)-1, inputs) }
	return &Entry{Net: Random(s.rand(role, useWeights), limit, s.Activation, sizes...), Inputs: set.Name,
		InputsVersion: set.Version}, nil
}

// Move returns a net moved to the inputs asked for, see Move; with an Init of 0 it
// computes what it did.
func (s *Start) Move(role Role, e *Entry) (*Entry, error) {
	if s.Inputs == "" || role.IsPruning() {
		return e, nil
	}
	set, err := s.inputs(role)
	if err != nil {
		return nil, err
	}
	return Move(s.rand(role, useWeights), e, set, s.Init)
}

// Widen returns a net with the hidden units asked for and the function of n, see Widen.
// It fails where n has more units, or another number of hidden layers.
func (s *Start) Widen(role Role, n *nn.Net) (*nn.Net, error) {
	if len(s.Hidden) == 0 || role.IsPruning() {
		return n, nil
	}
	if len(n.Layers) != len(s.Hidden)+1 {
		return nil, fmt.Errorf("the net to start from has other hidden layers than %v: widening leaves their "+
			"number alone; --random starts from random weights", s.Hidden)
	}
	for layer, hidden := range s.Hidden {
		old := n.Layers[layer].Out
		if hidden < old {
			return nil, fmt.Errorf("the net to start from has %d hidden units, %d asked for: it can only be "+
				"widened; --random starts from random weights", old, hidden)
		}
		if hidden == old {
			continue
		}
		var err error
		if n, err = Widen(s.rand(role, useWiden+uint64(layer)<<16), n, layer, hidden); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// Revive returns n with its idle units started anew, see Revive.
func (s *Start) Revive(role Role, n *nn.Net, rows Rows) (*nn.Net, error) {
	return Revive(s.rand(role, useRevive), n, rows)
}
