// Package nets has the nets of a player by role, with their inputs: their files (our
// .safetensors, GNU Backgammon's gnubg.weights, ONNX), and the nets that training starts
// from. What one net computes is in package nn.
package nets

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"bgtrain/features"
	"bgtrain/internal/bg"
	"bgtrain/internal/nn"
)

// Role is what a net of a player evaluates.
type Role string

// The roles. A player needs the first three; pruning nets are optional.
const (
	Contact      Role = "contact"
	Crashed      Role = "crashed"
	Race         Role = "race"
	PruneContact Role = "prune.contact"
	PruneCrashed Role = "prune.crashed"
	PruneRace    Role = "prune.race"
)

// Roles lists all roles in the order of our files.
var Roles = []Role{Contact, Crashed, Race, PruneContact, PruneCrashed, PruneRace}

// Entry is one net with the inputs it was trained on.
type Entry struct {
	Net           *nn.Net
	Inputs        string            // name of the input set, see package features
	InputsVersion int               // its version
	Provenance    map[string]string // parent net, data, settings, scores: free text by key
}

// Set is the nets of one player, as data: what a net file holds.
type Set struct {
	Nets       map[Role]*Entry
	Provenance map[string]string // of the file as a whole

	// Others are other players, none of which has any: a value is the mean of all theirs. It
	// is what they have in common, as errors of their own are not. No file holds it.
	Others []*Set
}

// Mean returns a player whose values are the means of those of the given ones, at least one,
// and which plays are looked at is the first one's choice.
func Mean(sets ...*Set) *Set {
	out := sets[0]
	for _, s := range sets[1:] {
		if out == sets[0] {
			out = out.clone()
		}
		out.Others = append(out.Others, s)
	}
	return out
}

// Check reports a net that is missing or inconsistent, whose inputs this program
// does not know, or that does not give five probabilities.
func (s *Set) Check() error {
	for _, r := range Main {
		if s.Nets[r] == nil {
			return fmt.Errorf("no %s net", r)
		}
	}
	for _, r := range s.roles() {
		if err := s.Nets[r].check(); err != nil {
			return fmt.Errorf("%s net: %w", r, err)
		}
	}
	for _, other := range s.Others {
		if len(other.Others) > 0 {
			return errors.New("a mean of means")
		}
		if err := other.Check(); err != nil {
			return err
		}
	}
	return nil
}

func (e *Entry) check() error {
	set, err := features.Lookup(e.Inputs, e.InputsVersion)
	if err != nil {
		return err
	}
	if e.Net == nil {
		return fmt.Errorf("no layers")
	}
	if err := e.Net.Check(); err != nil {
		return err
	}
	if e.Net.Inputs() != set.Size || e.Net.Outputs() != bg.NumOutputs {
		return fmt.Errorf("%d inputs and %d outputs; %s takes %d, and there are %d outputs",
			e.Net.Inputs(), e.Net.Outputs(), set.Name, set.Size, bg.NumOutputs)
	}
	for i := range e.Net.Layers {
		l := &e.Net.Layers[i]
		switch {
		case l.Activation.IsSigmoid() && !(l.Beta > 0):
			return fmt.Errorf("layer %d: a %v with beta %g, more than 0 expected", i, l.Activation, l.Beta)
		case i == len(e.Net.Layers)-1 && !l.Activation.IsSigmoid():
			return fmt.Errorf("the outputs come from %v: %v or %v expected, for probabilities",
				l.Activation, nn.Sigmoid, nn.SigmoidGNUbg)
		}
	}
	return nil
}

// roles returns the roles that the file has nets for, in the order of Roles.
func (s *Set) roles() []Role {
	var out []Role
	for _, r := range Roles {
		if s.Nets[r] != nil {
			out = append(out, r)
		}
	}
	return out
}

// Own returns the player without the others of a Mean.
func (s *Set) Own() *Set {
	if len(s.Others) == 0 {
		return s
	}
	return &Set{Nets: s.Nets, Provenance: s.Provenance}
}

// clone returns a player with the same entries, to which others may be given.
func (s *Set) clone() *Set {
	return &Set{Nets: maps.Clone(s.Nets), Provenance: s.Provenance, Others: slices.Clone(s.Others)}
}

// WithSigmoids returns the player with every sigmoid, exact or GNU Backgammon's
// approximation, replaced by the given one of the two.
func (s *Set) WithSigmoids(a nn.Activation) *Set {
	out, _ := s.changed(func(_ Role, _ int, l *nn.Layer) error {
		if l.Activation.IsSigmoid() {
			l.Activation = a
		}
		return nil
	})
	return out
}

// changed returns the player with each layer, by its number in its net, changed; do may give
// the layer other slices, but not write into those that it has.
func (s *Set) changed(do func(role Role, k int, l *nn.Layer) error) (*Set, error) {
	out := s.clone()
	for _, r := range s.roles() {
		e := *s.Nets[r]
		e.Net = &nn.Net{Layers: append([]nn.Layer(nil), e.Net.Layers...)}
		for k := range e.Net.Layers {
			if err := do(r, k, &e.Net.Layers[k]); err != nil {
				return nil, err
			}
		}
		out.Nets[r] = &e
	}
	return out, nil
}
