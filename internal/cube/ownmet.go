package cube

import (
	"fmt"
	"math"

	"bgtrain/internal/bg"
	"bgtrain/internal/cube/met"
	"bgtrain/internal/setting"
)

// TableSettings are what a match equity table is computed from.
type TableSettings struct {
	Length      int
	Gammons     float64 // share of the won games that are gammons or backgammons
	Backgammons float64 // share that are backgammons
	Model       Model   // of the cube
	// Spread is how far the chance to win is from 50 % when somebody can first
	// double, on average, to either side.
	Spread float64
	// TrailerGammons is the share of gammons among the games that a side wins while
	// the other is 1 away: the leader has no use for a gammon, so that the trailer
	// plays for it and the leader takes less care. 0 is Gammons.
	TrailerGammons float64
	// FirstChance is how far the chance to win is from 50 % when the trailer can first
	// double after the Crawford game, on average. With it those games are valued by
	// the free drop, see afterCrawford; with 0 as all others, by the cube model.
	FirstChance float64
}

// TableDefaults are the settings of the command.
var TableDefaults = TableSettings{Gammons: 0.27, Backgammons: 0.01, Spread: 0.03,
	Model: Jump{Volatility: AverageVolatility}}

// List returns each setting: its flag, what it may be, what it does.
func (t *TableSettings) List() setting.List {
	return setting.List{
		{Name: "length", To: &t.Length, Range: setting.From(0, met.MaxLength),
			Help: "points: of a computed table (15 without it), or up to which one is printed and compared"},
		{Name: "gammons", To: &t.Gammons, Range: setting.From(0, 1),
			Help: "share of won games that are gammons or backgammons"},
		{Name: "backgammons", To: &t.Backgammons, Range: setting.From(0, 1),
			Help: "share of won games that are backgammons"},
		{Name: "spread", To: &t.Spread, Range: setting.From(0, 0.3),
			Help: "how far the chance to win is from one half when somebody can first double"},
		{Name: "trailer-gammons", To: &t.TrailerGammons, Range: setting.From(0, 1),
			Help: "share of gammons among the wins of a side against one that is 1 away; 0 as --gammons"},
		{Name: "first-chance", To: &t.FirstChance, Range: setting.From(0, 0.2),
			Help: "how far the chance to win is from one half, on average, when the trailer can first double after " +
				"the Crawford game, where the leader has a free drop; 0 leaves those games to the cube model"},
		{Name: "cube", To: ModelValue(&t.Model), Help: "cube model of a computed table: " + Models},
	}
}

// Check refuses settings that make no sense.
func (t *TableSettings) Check() error {
	if err := t.List().Check(); err != nil {
		return err
	}
	switch {
	case t.Length < 2:
		return fmt.Errorf("a match equity table of %d points: 2 to %d expected", t.Length, met.MaxLength)
	case t.Backgammons > t.Gammons || t.TrailerGammons > 0 && t.Backgammons > t.TrailerGammons:
		return fmt.Errorf("shares of gammons %v and %v, of backgammons %v: backgammons among the gammons expected",
			t.Gammons, t.TrailerGammons, t.Backgammons)
	case t.Model == nil:
		return fmt.Errorf("no cube model")
	}
	if m, ok := t.Model.(*Learned); ok {
		return fmt.Errorf("cube model %s looks at positions, of which a computed table has none", m)
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
	if s.TrailerGammons > 0 {
		name += fmt.Sprintf(", gammons of the trailer %v", s.TrailerGammons)
	}
	if s.FirstChance > 0 {
		name += fmt.Sprintf(", first chance %v", s.FirstChance)
	}
	return met.Grow(name, s.Length, func(t *met.Table, away, opponent int, crawford, post bool) (float64, error) {
		if post && s.FirstChance > 0 {
			return s.afterCrawford(t, away), nil
		}
		state := State{Cube: 1, Table: t, Away: away, Opponent: opponent, Crawford: crawford}
		if err := state.Check(); err != nil {
			return 0, err
		}
		swapped := state.Swapped()
		mean := 0.0
		for _, p := range []float64{0.5 - s.Spread, 0.5 + s.Spread} {
			o := s.outputs(p)
			if opponent == 1 && s.TrailerGammons > 0 {
				o[bg.WinGammon] = float32(p * s.TrailerGammons)
			}
			position := Position{Outputs: o, Class: bg.Contact, Volatility: AverageVolatility}
			mine := Decide(s.Model, &position, &state)
			theirs := Decide(s.Model, &position, &swapped)
			mean += (state.Value(mine.Best()) + 1 - swapped.Value(theirs.Best())) / 4
		}
		return mean, nil
	})
}

// afterCrawford is the chance of a trailer away points behind the end, the leader 1
// away, after the Crawford game. The trailer has nothing to lose by doubling at the
// first chance. The leader has no use for the cube: he takes and the game is played
// to its end for twice the points, or drops, where the trailer's chance is so good
// that a point less is worth more. That costs the leader nothing where an even number
// of points is missing, since the trailer needs as many games as before. The chance
// to win at that moment is taken to be normal about one half.
func (s *TableSettings) afterCrawford(t *met.Table, away int) float64 {
	gammons := s.Gammons
	if s.TrailerGammons > 0 {
		gammons = s.TrailerGammons
	}
	won := (1-gammons)*t.At(away-2, 1, true) + (gammons-s.Backgammons)*t.At(away-4, 1, true) +
		s.Backgammons*t.At(away-6, 1, true)
	drop := t.At(away-1, 1, true)
	const steps = 200
	sum := 0.0
	for i := range steps {
		u := (float64(i) + 0.5) / steps
		p := 0.5 + s.FirstChance*math.Sqrt(math.Pi)*math.Erfinv(2*u-1) // mean distance √(2/π) σ
		sum += min(max(p, 0)*won, drop)
	}
	return sum / steps
}

func (s *TableSettings) outputs(p float64) bg.Outputs {
	q := 1 - p
	return bg.Outputs{float32(p), float32(p * s.Gammons), float32(p * s.Backgammons), float32(q * s.Gammons),
		float32(q * s.Backgammons)}
}
