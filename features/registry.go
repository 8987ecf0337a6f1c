// Package features turns positions into the input vectors of nets. Input sets
// are known by name and version; a net file names the set it was trained on.
package features

import (
	"fmt"
	"strings"

	"bgtrain/internal/bg"
)

// Set is one way to describe a position to a net.
type Set struct {
	Name    string // as net files name it
	Version int    // raised when the meaning of any input changes
	Size    int    // length of the input vector
	About   string // one line for people

	// Encode writes all Size inputs of a position, seen by the player on roll,
	// to dst[:Size]. It allocates nothing.
	Encode func(b *bg.Board, dst []float32)

	inputName func(i int) string // see InputName
}

var sets []*Set

// register adds a set; input sets call it from their own file.
func register(s *Set) *Set {
	sets = append(sets, s)
	return s
}

// Lookup finds an input set by the name and version that a net file gives.
func Lookup(name string, version int) (*Set, error) {
	for _, s := range sets {
		if s.Name == name && s.Version == version {
			return s, nil
		}
	}
	return nil, fmt.Errorf("unknown inputs %q version %d (known: %s)", name, version, Known())
}

// ByName finds the newest version of an input set.
func ByName(name string) (*Set, error) {
	var best *Set
	for _, s := range sets {
		if s.Name == name && (best == nil || s.Version > best.Version) {
			best = s
		}
	}
	if best == nil {
		return nil, fmt.Errorf("unknown inputs %q (known: %s)", name, Known())
	}
	return best, nil
}

// Known lists the input sets for messages, as "tesauro version 1 (196), …".
func Known() string {
	var b strings.Builder
	for i, s := range sets {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s version %d (%d)", s.Name, s.Version, s.Size)
	}
	return b.String()
}
