package trainer

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"bgtrain/features"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
)

// Streams keep the uses of one seed apart.
const (
	streamWeights = 0x77656967687473
	streamWiden   = 0x776964656e
	streamRevive  = 0x726576697665
)

// start returns the player to start from, complete with the nets to train: those
// of from, which may be nil, and random ones where it has none or Random asks for
// them.
func (s *Settings) start(from *nets.Set) (*nets.Set, error) {
	player := &nets.Set{Nets: map[nets.Role]*nets.Entry{}}
	if from != nil {
		for role, entry := range from.Nets {
			player.Nets[role] = entry
		}
	}
	trained := s.roles()
	for _, role := range nets.Roles {
		wanted := slices.Contains(trained, role)
		if player.Nets[role] != nil && !(wanted && s.Random) || !wanted && role.IsPruning() {
			continue
		}
		entry, err := s.random(role)
		if err != nil {
			return nil, err
		}
		player.Nets[role] = entry
	}
	return player, nil
}

// random returns a net of random weights. Pruning nets are small.
func (s *Settings) random(role nets.Role) (*nets.Entry, error) {
	name, hidden := s.Inputs, []int{128}
	switch {
	case role.IsPruning():
		name, hidden = "gnubg-prune", []int{16}
	case s.Inputs == "gnubg", s.Inputs == "": // a set for each class
		name = "gnubg-" + string(role)
	}
	if len(s.Hidden) > 0 && !role.IsPruning() {
		hidden = s.Hidden
	}
	set, err := features.ByName(name)
	if err != nil {
		return nil, err
	}
	sizes := slices.Concat([]int{set.Size}, hidden, []int{bg.NumOutputs})
	act, err := nn.ParseActivation(s.Activation)
	if err != nil {
		return nil, err
	}
	n := nets.Random(rand.New(rand.NewPCG(s.Seed, streamWeights)), limitOf(act, len(sizes)-2), act, sizes...)
	return &nets.Entry{Net: n, Inputs: set.Name, InputsVersion: set.Version,
		Provenance: map[string]string{"start": fmt.Sprintf("random weights, seed %d", s.Seed)}}, nil
}

// limitOf is the range of the first weights. Rectified units start with the variance
// that keeps that of their inputs (He and others, 2015).
func limitOf(hidden nn.Activation, layers int) func(layer, inputs int) float64 {
	return func(layer, inputs int) float64 {
		limit := nets.ByInputs(layer, inputs)
		if hidden == nn.ReLU && layer < layers {
			limit *= math.Sqrt(6)
		}
		return limit
	}
}

// move brings a net to the inputs asked for. Pruning nets keep theirs.
func (s *Settings) move(role nets.Role, e *nets.Entry) (*nets.Entry, error) {
	if s.Inputs == "" || role.IsPruning() {
		return e, nil
	}
	name := s.Inputs
	if name == "gnubg" {
		name = "gnubg-" + string(role)
	}
	set, err := features.ByName(name)
	if err != nil {
		return nil, err
	}
	moved, err := nets.Move(nil, e, set, 0)
	if err != nil {
		return nil, fmt.Errorf("%w (--random)", err)
	}
	return moved, nil
}

// widen brings a net to the hidden units asked for. Pruning nets stay small.
func (s *Settings) widen(role nets.Role, n *nn.Net) (*nn.Net, error) {
	if len(s.Hidden) == 0 || role.IsPruning() {
		return n, nil
	}
	if len(n.Layers) != len(s.Hidden)+1 {
		return nil, fmt.Errorf("the net to start from has other hidden layers than %v: widening leaves their "+
			"number alone; --random starts from random weights", s.Hidden)
	}
	for layer, hidden := range s.Hidden {
		if n.Layers[layer].Out == hidden {
			continue
		}
		if old := n.Layers[layer].Out; hidden < old {
			return nil, fmt.Errorf("the net to start from has %d hidden units, %d asked for: it can only be "+
				"widened; --random starts from random weights", old, hidden)
		}
		var err error
		if n, err = nets.Widen(rand.New(rand.NewPCG(s.Seed, streamWiden+uint64(layer))), n, layer, hidden); err != nil {
			return nil, err
		}
	}
	return n, nil
}
