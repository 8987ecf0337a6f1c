package bg

import "strings"

// Plans is a set of game plans, bit p for plan p.
type Plans uint16

// ParsePlans returns the set of the plans of names that Plan.String gives.
func ParsePlans(names []string) (Plans, error) {
	s, err := parseSet(names, ParsePlan)
	return Plans(s), err
}

// Has tells whether a plan is in the set.
func (s Plans) Has(p Plan) bool { return s>>p&1 == 1 }

// String returns the names of the plans, in the order of the constants, with commas.
func (s Plans) String() string { return setNames(uint16(s), NumPlans) }

// Themes is a set of themes, bit t for theme t.
type Themes uint16

// ParseThemes returns the set of the themes of names that Theme.String gives.
func ParseThemes(names []string) (Themes, error) {
	s, err := parseSet(names, ParseTheme)
	return Themes(s), err
}

// Has tells whether a theme is in the set.
func (s Themes) Has(t Theme) bool { return s>>t&1 == 1 }

// String returns the names of the themes, in the order of the constants, with commas.
func (s Themes) String() string { return setNames(uint16(s), NumThemes) }

// parseSet returns a bit for each name.
func parseSet[T ~uint8](names []string, parse func(string) (T, error)) (uint16, error) {
	var s uint16
	for _, name := range names {
		v, err := parse(name)
		if err != nil {
			return 0, err
		}
		s |= 1 << v
	}
	return s, nil
}

// setNames returns the names of the values below end whose bits are set.
func setNames[T interface {
	~uint8
	String() string
}](s uint16, end T) string {
	var names []string
	for v := range end {
		if s>>v&1 == 1 {
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
