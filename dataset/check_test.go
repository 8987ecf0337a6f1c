package dataset

import (
	"testing"

	"bgtrain/internal/bg"
)

// TestRoundingErrorIsAllowed has values just inside and just outside of it.
func TestRoundingErrorIsAllowed(t *testing.T) {
	b := bg.Board{Opp: bg.Side{5: 14}, Me: bg.Side{5: 14}}
	for _, c := range []struct {
		o    bg.Outputs
		want bool
	}{
		{bg.Outputs{1.00009}, true}, {bg.Outputs{1.0002}, false},
		{bg.Outputs{-0.00009}, true}, {bg.Outputs{-0.0002}, false},
		{bg.Outputs{0.5, 0.00009}, true}, {bg.Outputs{0.5, 0.0002}, false},
		{bg.Outputs{0.5, 0, 0, 0.00009}, true}, {bg.Outputs{0.5, 0, 0, 0.0002}, false},
		{bg.Outputs{0, 0.00009}, true}, {bg.Outputs{0.5, 0, 0.0002}, false},
		{bg.Outputs{1, 0, 0, 0.00009}, true},
	} {
		if bad := CheckOutputs(&b, &c.o); (bad == nil) != c.want {
			t.Errorf("%v: %v", c.o, bad)
		}
	}
}
