package nets

import (
	"strings"

	"bgtrain/internal/bg"
)

// Class is the class of positions that a net in this role is for.
func (r Role) Class() bg.Class {
	switch Role(strings.TrimPrefix(string(r), "prune.")) {
	case Contact:
		return bg.Contact
	case Crashed:
		return bg.Crashed
	}
	return bg.Race
}

// Main lists the roles that every player has.
var Main = [3]Role{Contact, Crashed, Race}

// Pruning is the role of the pruning net beside a main role's.
func (r Role) Pruning() Role { return "prune." + r }

// IsPruning reports whether the net only preselects plays.
func (r Role) IsPruning() bool { return strings.HasPrefix(string(r), "prune.") }

// With returns the player with another net in a role; the nets are not copied.
func (s *Set) With(role Role, e *Entry) *Set {
	out := s.clone()
	out.Nets[role] = e
	return out
}

// CanPrune reports whether the player has all pruning nets.
func (s *Set) CanPrune() bool {
	for _, r := range Main {
		if s.Nets[r.Pruning()] == nil {
			return false
		}
	}
	return true
}

// PruningPlayer returns the pruning nets as a player of their own, or nil where
// one is missing.
func (s *Set) PruningPlayer() *Set {
	if !s.CanPrune() {
		return nil
	}
	small := &Set{Nets: map[Role]*Entry{}}
	for _, r := range Main {
		small.Nets[r] = s.Nets[r.Pruning()]
	}
	return small
}
