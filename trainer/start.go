package trainer

import (
	"fmt"
	"slices"

	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
)

// starting describes what the nets to start from are like.
func (s *Settings) starting() *nets.Start {
	activation, _ := nn.ParseActivation(s.Activation) // checked
	return &nets.Start{Seed: s.Seed, Inputs: s.Inputs, Hidden: s.Hidden, Activation: activation}
}

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
		if wanted {
			if err := s.mayBeRandom(); err != nil {
				return nil, fmt.Errorf("%s net: %w", role, err)
			}
		}
		entry, err := s.starting().Random(role)
		if err != nil {
			return nil, err
		}
		entry.Provenance = map[string]string{"start": fmt.Sprintf("random weights, seed %d", s.Seed)}
		player.Nets[role] = entry
	}
	return player, nil
}
