package bg

import "strings"

// Plans is a set of game plans, bit p for plan p.
type Plans uint16

// ParsePlans returns the set of the plans of names that Plan.String gives.
func ParsePlans(names []string) (Plans, error) {
	var s Plans
	for _, name := range names {
		p, err := ParsePlan(name)
		if err != nil {
			return 0, err
		}
		s |= 1 << p
	}
	return s, nil
}

// Has tells whether a plan is in the set.
func (s Plans) Has(p Plan) bool { return s>>p&1 == 1 }

// String returns the names of the plans, in the order of the constants, with commas.
func (s Plans) String() string {
	var names []string
	for p := range NumPlans {
		if s.Has(p) {
			names = append(names, p.String())
		}
	}
	return strings.Join(names, ",")
}

// PlanFilter keeps positions by the game plans of their sides. The zero value keeps
// all.
type PlanFilter struct {
	With    Plans `json:"with,omitempty"`    // where not empty, one of the sides is after one of these
	Without Plans `json:"without,omitempty"` // no side is after one of these
}

// Keeps tells whether a position is kept.
func (f PlanFilter) Keeps(b *Board) bool {
	if f == (PlanFilter{}) {
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
	return strings.Join(parts, " ")
}
