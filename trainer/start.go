package trainer

import (
	"fmt"
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
	case s.Inputs == "gnubg": // a set for each class
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
	n := nets.Random(rand.New(rand.NewPCG(s.Seed, streamWeights)), nets.ByInputs, nn.Sigmoid, sizes...)
	return &nets.Entry{Net: n, Inputs: set.Name, InputsVersion: set.Version,
		Provenance: map[string]string{"start": fmt.Sprintf("random weights, seed %d", s.Seed)}}, nil
}

// widen brings a net to the hidden units asked for. Pruning nets stay small.
func (s *Settings) widen(role nets.Role, n *nn.Net) (*nn.Net, error) {
	if len(s.Hidden) == 0 || role.IsPruning() {
		return n, nil
	}
	same := len(n.Layers) == len(s.Hidden)+1
	for i := range s.Hidden {
		same = same && n.Layers[i].Out == s.Hidden[i]
	}
	switch {
	case same:
		return n, nil
	case len(s.Hidden) == 1 && len(n.Layers) == 2:
		return nets.Widen(rand.New(rand.NewPCG(s.Seed, streamWiden)), n, 0, s.Hidden[0])
	}
	return nil, fmt.Errorf("the net to start from has other hidden layers than %v: only a single one can be widened", s.Hidden)
}
