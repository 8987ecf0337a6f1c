package cube

import (
	"fmt"

	"bgtrain/benchmark/cube/met"
	"bgtrain/internal/bg"
)

// TableSettings say from what a match equity table is computed.
type TableSettings struct {
	Length      int
	Gammons     float64 // share of the won games that are gammons or backgammons
	Backgammons float64 // share that are backgammons
	Model       Model   // of the cube
	// Spread is how far the chance to win is from 50 % when somebody can first
	// double, on average, to either side.
	Spread float64
}

// Check refuses settings that make no sense.
func (t *TableSettings) Check() error {
	switch {
	case t.Length < 2 || t.Length > met.MaxLength:
		return fmt.Errorf("a match equity table of %d points: 2 to %d expected", t.Length, met.MaxLength)
	case !(t.Gammons >= 0 && t.Gammons <= 1 && t.Backgammons >= 0 && t.Backgammons <= t.Gammons):
		return fmt.Errorf("shares of gammons %v and of backgammons %v: from 0 to 1 expected, backgammons among "+
			"the gammons", t.Gammons, t.Backgammons)
	case !(t.Spread >= 0 && t.Spread <= 0.3):
		return fmt.Errorf("a spread of %v: 0 to 0.3 expected", t.Spread)
	case t.Model == nil:
		return fmt.Errorf("no cube model")
	}
	return nil
}

// NewTable computes a match equity table by recursion from its end: the chance at
// a score is the mean over who is on roll at the first chance to double, and over
// a chance to win that far above and below 50 %, of what both sides' best cube
// decisions are worth by the model, with the scores that the game can lead to
// taken from the table so far.
func NewTable(s TableSettings) (*met.Table, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	name := fmt.Sprintf("bgtrain %d points, gammons %v, backgammons %v, cube %s, spread %v", s.Length, s.Gammons,
		s.Backgammons, s.Model, s.Spread)
	return met.Grow(name, s.Length, func(t *met.Table, away, opponent int, crawford, _ bool) (float64, error) {
		state := State{Cube: 1, Table: t, Away: away, Opponent: opponent, Crawford: crawford}
		if err := state.Check(); err != nil {
			return 0, err
		}
		swapped := state.Swapped()
		mean := 0.0
		for _, p := range []float64{0.5 - s.Spread, 0.5 + s.Spread} {
			o := s.outputs(p)
			position := Position{Outputs: o, Class: bg.Contact, Volatility: AverageVolatility}
			mine := Decide(s.Model, &position, &state)
			theirs := Decide(s.Model, &position, &swapped)
			mean += (state.Value(mine.Best()) + 1 - swapped.Value(theirs.Best())) / 4
		}
		return mean, nil
	})
}

func (s *TableSettings) outputs(p float64) bg.Outputs {
	q := 1 - p
	return bg.Outputs{float32(p), float32(p * s.Gammons), float32(p * s.Backgammons), float32(q * s.Gammons),
		float32(q * s.Backgammons)}
}
