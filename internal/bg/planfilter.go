package bg

import (
	"fmt"
	"slices"
	"strings"
)

// Set is a set of game plans or of themes, bit v for value v.
type Set[T kind] uint16

// kind is what positions are sorted by.
type kind interface {
	~uint8
	String() string
}

// Plans is a set of game plans.
type Plans = Set[Plan]

// Themes is a set of themes.
type Themes = Set[Theme]

// Set makes it the set of names that String gives, with commas between them.
func (s *Set[T]) Set(text string) error {
	if text == "" {
		*s = 0
		return nil
	}
	all := strings.Split((^Set[T](0)).String(), ",")
	var set Set[T]
	for name := range strings.SplitSeq(text, ",") {
		v := slices.Index(all, name)
		if v < 0 {
			return fmt.Errorf("of %s expected", strings.Join(all, ", "))
		}
		set |= 1 << v
	}
	*s = set
	return nil
}

// Type is that of a flag with names.
func (s *Set[T]) Type() string { return "strings" }

// unknown is the name of values that are none.
const unknown = "unknown"

// nameOf returns the name of v, of names.
func nameOf[T ~uint8](v T, names []string) string {
	if int(v) < len(names) {
		return names[v]
	}
	return unknown
}

// parseName returns the value of a name, of names; what begins the message of an error.
func parseName[T ~uint8](what, name string, names []string) (T, error) {
	v := slices.Index(names, name)
	if v < 0 {
		return 0, fmt.Errorf("%s %q: one of %s expected", what, name, strings.Join(names, ", "))
	}
	return T(v), nil
}

// Has reports whether v is in the set.
func (s Set[T]) Has(v T) bool { return s>>v&1 == 1 }

// String returns the names, in the order of the constants, with commas.
func (s Set[T]) String() string {
	var names []string
	for v := range T(16) {
		if s.Has(v) && v.String() != unknown {
			names = append(names, v.String())
		}
	}
	return strings.Join(names, ",")
}

// PlanFilter keeps positions by the game plans of their sides, and by theme. The zero value keeps all.
type PlanFilter struct {
	With    Plans  `json:"with,omitempty"`    // where not empty, one of the sides is after one of these
	Without Plans  `json:"without,omitempty"` // no side is after one of these
	Themes  Themes `json:"themes,omitempty"`  // where not empty, the theme is one of these
}

// Keeps reports whether a position is kept.
func (f PlanFilter) Keeps(b *Board) bool {
	if f.Themes != 0 {
		if t, _ := ThemeOf(b); !f.Themes.Has(t) {
			return false
		}
	}
	if f.With == 0 && f.Without == 0 {
		return true
	}
	other := b.Swapped()
	mine, theirs := PlanOf(b), PlanOf(&other)
	return (f.With == 0 || f.With.Has(mine) || f.With.Has(theirs)) && !f.Without.Has(mine) && !f.Without.Has(theirs)
}

// KeepsKey reports whether the position of a key is kept; one that is no position is not,
// but by the zero value.
func (f PlanFilter) KeepsKey(k Key) bool {
	if f == (PlanFilter{}) {
		return true
	}
	b, err := k.Board()
	return err == nil && f.Keeps(&b)
}

// String describes what is kept, "" where all is, for the identity of a run.
func (f PlanFilter) String() string {
	var parts []string
	if f.With != 0 {
		parts = append(parts, "plans="+f.With.String())
	}
	if f.Without != 0 {
		parts = append(parts, "without="+f.Without.String())
	}
	if f.Themes != 0 {
		parts = append(parts, "themes="+f.Themes.String())
	}
	return strings.Join(parts, " ")
}
