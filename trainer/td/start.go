package td

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

// State is where a training stands: the nets and how many games they have learned
// from. With the settings it determines everything that follows.
type State struct {
	Nets  *nets.Set
	Games int
	From  string // fingerprint of the net that training started from; empty: random weights

	replay replay
	memory memory
	ahead  []step // of the games played already, to be learned from next
	played int    // games that ahead is of
}

// New returns the state before the first game, of random weights.
func New(s Settings) (*State, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	sets, err := inputSets(s.Inputs)
	if err != nil {
		return nil, err
	}
	player := &nets.Set{Nets: map[nets.Role]*nets.Entry{}, Provenance: map[string]string{}}
	for i, role := range nets.Main {
		set := sets[i]
		sizes := slices.Concat([]int{set.Size}, s.Hidden, []int{bg.NumOutputs})
		n := nets.Random(newRand(s.Seed, math.MaxUint64-uint64(i)), s.limit, s.activation(), sizes...)
		player.Nets[role] = &nets.Entry{Net: n, Inputs: set.Name, InputsVersion: set.Version}
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
	if s.Inputs != "" {
		sets, err := inputSets(s.Inputs)
		if err != nil {
			return nil, err
		}
		for i, role := range nets.Main {
			moved, err := nets.Move(newRand(s.Seed, math.MaxUint64-uint64(i)), st.Nets.Nets[role], sets[i], s.Init)
			if err != nil {
				return nil, fmt.Errorf("%s net: %w", role, err)
			}
			st.Nets.Nets[role] = moved
		}
	}
	return s.begin(st)
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
		if s.Symmetric {
			mirror(&e.Net.Layers[0])
		}
	}
	return st, nil
}

// chooseOutputs sets the outputs of the last layer that do not learn to what they
// stay at, and those that did not learn before, but do now, to random weights.
func (s *Settings) chooseOutputs(last *nn.Layer) {
	rng := newRand(s.Seed, math.MaxUint64/4)
	limit := s.limit(len(s.Hidden), last.In)
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

// mirror gives the second half of the inputs the weights of the first half with
// the other sign.
func mirror(l *nn.Layer) {
	half := l.In / 2 * l.Out
	for i := range half {
		l.Weights[half+i] = -l.Weights[i]
	}
}

// share makes the nets that learn as one the same net.
func (s *Settings) share(player *nets.Set) {
	if s.Phases < 3 {
		player.Nets[nets.Crashed] = player.Nets[nets.Contact]
	}
	if s.Phases < 2 {
		player.Nets[nets.Race] = player.Nets[nets.Contact]
	}
}

// limit is that of the first weights: a unit's sum starts at about one half.
// About 70 inputs of a position are not zero. Rectified units start with the
// variance that keeps that of their inputs (He and others, 2015).
func (s *Settings) limit(layer, inputs int) float64 {
	if s.Init > 0 {
		return s.Init
	}
	if layer == 0 {
		inputs = 70
	}
	limit := nets.ByInputs(layer, inputs)
	if s.activation() == nn.ReLU && layer < len(s.Hidden) {
		limit *= math.Sqrt(6)
	}
	return limit
}

// inputSets returns the input sets of the three nets: "gnubg" or "" is a set for
// each class, any other name one for all.
func inputSets(name string) (sets [len(nets.Main)]*features.Set, err error) {
	for i, role := range nets.Main {
		set := name
		if name == "gnubg" || name == "" {
			set = "gnubg-" + string(role)
		}
		if sets[i], err = features.ByName(set); err != nil {
			return sets, err
		}
	}
	return sets, nil
}

// newRand returns the generator of one purpose: a game by its number, or
// another stream. Neighbouring numbers give unrelated sequences.
func newRand(seed, stream uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, stream*0x9e3779b97f4a7c15+1))
}
