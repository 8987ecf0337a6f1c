package td

import (
	"fmt"
	"math"
	"slices"

	"bgtrain/features"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
	"bgtrain/internal/splitmix"
)

// State is where a training stands: the nets and how many games they have learned
// from. With the settings it determines everything that follows.
type State struct {
	Nets  *nets.Set
	Games int
	From  string // fingerprint of the net that training started from; empty: random weights

	memory memory
	ahead  []step // of the games played already, to be learned from next
	played int    // games that ahead is of
}

// New returns the state before the first game, of random weights.
func New(s Settings) (*State, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	s.Inputs = s.fromRandom()
	player := &nets.Set{Nets: map[nets.Role]*nets.Entry{}, Provenance: map[string]string{}}
	for _, role := range nets.Main {
		var err error
		if player.Nets[role], err = s.starting().Random(role); err != nil {
			return nil, err
		}
	}
	return s.begin(&State{Nets: player})
}

// From returns the state before the first game, of a player's nets; where the
// settings name other inputs, moved to these.
func From(player *nets.Set, s Settings) (*State, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	st := &State{Nets: player.Clone(), From: player.Fingerprint()}
	for _, role := range nets.Main {
		moved, err := s.starting().Move(role, st.Nets.Nets[role])
		if err != nil {
			return nil, fmt.Errorf("%s net: %w", role, err)
		}
		st.Nets.Nets[role] = moved
	}
	return s.begin(st)
}

// starting returns what the nets to start from are like. About 70 inputs of a position
// are not 0.
func (s *Settings) starting() *nets.Start {
	return &nets.Start{Seed: s.Seed, Inputs: s.Inputs, Hidden: s.Hidden, Activation: s.activation(), Init: s.Init,
		Used: 70}
}

// begin gives nets that learn together one place in memory, and outputs and
// weights that are not free the values that they keep.
func (s *Settings) begin(st *State) (*State, error) {
	s.share(st.Nets)
	for _, role := range nets.Main {
		e := st.Nets.Nets[role]
		if err := trainable(e.Net); err != nil {
			return nil, fmt.Errorf("%s net: %w", role, err)
		}
		s.chooseOutputs(&e.Net.Layers[len(e.Net.Layers)-1])
		if !s.Symmetric {
			continue
		}
		set, err := features.Lookup(e.Inputs, e.InputsVersion)
		if err == nil {
			err = symmetrizable(set, e.Net)
		}
		if err != nil {
			return nil, fmt.Errorf("%s net: %w", role, err)
		}
		symmetrize(e.Net)
	}
	return st, nil
}

// chooseOutputs sets the outputs of the last layer that do not learn to what they
// stay at, and those that did not learn before, but do now, to random weights.
func (s *Settings) chooseOutputs(last *nn.Layer) {
	rng := splitmix.Rand(s.Seed, math.MaxUint64/4)
	limit := s.starting().Limit(len(s.Hidden), len(s.Hidden)+1, last.In)
	for o := range bg.NumOutputs {
		learns := slices.Contains(s.outputs(), o)
		if learns && last.Bias[o] != never {
			continue
		}
		last.Bias[o] = never
		if learns {
			last.Bias[o] = 0
		}
		for h := range last.In {
			w := &last.Weights[h*bg.NumOutputs+o]
			if *w = 0; learns {
				*w = float32((2*rng.Float64() - 1) * limit)
			}
		}
	}
}

// never is the threshold of an output that does not learn: a sigmoid of 1e-13.
const never = -30

// share makes the nets that learn as one the same net.
func (s *Settings) share(player *nets.Set) {
	if s.Phases < 3 {
		player.Nets[nets.Crashed] = player.Nets[nets.Contact]
	}
	if s.Phases < 2 {
		player.Nets[nets.Race] = player.Nets[nets.Contact]
	}
}
