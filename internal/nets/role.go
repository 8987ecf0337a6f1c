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

// IsPruning says whether the net only preselects plays.
func (r Role) IsPruning() bool { return strings.HasPrefix(string(r), "prune.") }

// With returns the player with another net in a role; the nets are not copied.
func (f *Set) With(role Role, e *Entry) *Set {
	out := f.clone()
	out.Nets[role] = e
	return out
}
