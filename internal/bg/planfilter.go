package bg

import "strings"

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

// ParsePlans returns the set of the plans of names that Plan.String gives.
func ParsePlans(names []string) (Plans, error) { return parseSet(names, ParsePlan) }

// ParseThemes returns the set of the themes of names that Theme.String gives.
func ParseThemes(names []string) (Themes, error) { return parseSet(names, ParseTheme) }

// parseSet returns the set of the values of names.
func parseSet[T kind](names []string, parse func(string) (T, error)) (Set[T], error) {
	var s Set[T]
	for _, name := range names {
		v, err := parse(name)
		if err != nil {
			return 0, err
		}
		s |= 1 << v
	}
	return s, nil
}

// Has tells whether v is in the set.
func (s Set[T]) Has(v T) bool { return s>>v&1 == 1 }

// String returns the names, in the order of the constants, with commas.
func (s Set[T]) String() string {
	var names []string
	for v := range T(16) {
		if s.Has(v) {
			names = append(names, v.String())
		}
	}
	return strings.Join(names, ",")
}

// PlanFilter keeps positions by the game plans of their sides, and by theme. The zero
// value keeps all.
type PlanFilter struct {
	With    Plans  `json:"with,omitempty"`    // where not empty, one of the sides is after one of these
	Without Plans  `json:"without,omitempty"` // no side is after one of these
	Themes  Themes `json:"themes,omitempty"`  // where not empty, the theme is one of these
}

// Keeps tells whether a position is kept.
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
