package cube

import (
	"errors"
	"fmt"
	"math/bits"

	"bgtrain/internal/cube/met"
)

// Holder is who may double next, as the player on roll sees it.
type Holder uint8

// The holders of the cube.
const (
	Centered      Holder = iota // either player
	Owned                       // the player on roll
	OpponentOwned               // the opponent
)

// MaxCube is where doubling ends for money.
const MaxCube = 1 << 10

// State is all that a cube decision depends on besides the position.
type State struct {
	Cube  int // its value, a power of 2
	Owner Holder

	// Jacoby is the rule that gammons count once the cube has been turned; money
	// only.
	Jacoby bool

	// Table is the match equity table, nil for money. The rest is of a match:
	// points that the player on roll and the opponent still need, and whether this
	// is the Crawford game. With a side 1 point away that is no Crawford game, it
	// has been played.
	Table          *met.Table
	Away, Opponent int
	Crawford       bool
}

// Money is the state at the beginning of a game for money.
var Money = State{Cube: 1}

// ToDouble is the state of a player on roll who may turn a cube of a value, in the middle at 1
// and that player's otherwise, so many points away; for money, away is 0 and t not used.
func ToDouble(value, away, opponent int, t *met.Table) State {
	s := State{Cube: value}
	if value > 1 {
		s.Owner = Owned
	}
	if away > 0 {
		s.Table, s.Away, s.Opponent = t, away, opponent
	}
	return s
}

// Check refuses states that cannot be.
func (s *State) Check() error {
	switch {
	case s.Cube < 1 || s.Cube > MaxCube || bits.OnesCount(uint(s.Cube)) != 1:
		return fmt.Errorf("cube of %d: a power of 2 from 1 to %d expected", s.Cube, MaxCube)
	case s.Owner > OpponentOwned:
		return fmt.Errorf("cube holder %d", s.Owner)
	case s.Owner == Centered && s.Cube > 1:
		return fmt.Errorf("a cube of %d in the center: somebody must own it", s.Cube)
	case s.Table == nil && s.Crawford:
		return errors.New("a Crawford game without a match")
	case s.Table == nil:
		return nil
	case s.Jacoby:
		return errors.New("the Jacoby rule in a match")
	case s.Away < 1 || s.Opponent < 1 || max(s.Away, s.Opponent) > met.MaxLength:
		return fmt.Errorf("score %d away against %d away: 1 to %d expected", s.Away, s.Opponent, met.MaxLength)
	case s.Crawford && s.Away != 1 && s.Opponent != 1:
		return fmt.Errorf("a Crawford game at %d away against %d away: one side must be 1 away", s.Away, s.Opponent)
	case s.Crawford && s.Away == 1 && s.Opponent == 1:
		return errors.New("a Crawford game at 1 away against 1 away: it has been played or was never due")
	case s.Crawford && (s.Cube > 1 || s.Owner != Centered):
		return fmt.Errorf("a cube of %d in a Crawford game: it must not be turned", s.Cube)
	}
	return nil
}

// String states where the cube lies and what is played for.
func (s *State) String() string {
	text := fmt.Sprintf("%d, ", s.Cube) + [...]string{"centered", "of the player on roll", "of the opponent"}[s.Owner]
	switch {
	case s.Jacoby:
		return text + ", money with the Jacoby rule"
	case s.Table == nil:
		return text + ", money"
	case s.Crawford:
		text += ", Crawford game"
	}
	return text + fmt.Sprintf(", %d away against %d (%s)", s.Away, s.Opponent, s.Table.Name)
}

// Swapped is the state as the other player sees it.
func (s State) Swapped() State {
	s.Away, s.Opponent = s.Opponent, s.Away
	switch s.Owner {
	case Owned:
		s.Owner = OpponentOwned
	case OpponentOwned:
		s.Owner = Owned
	}
	return s
}

// Doubled is the state after the player on roll has doubled and the opponent
// has taken.
func (s State) Doubled() State {
	s.Cube *= 2
	s.Owner = OpponentOwned
	return s
}

// post reports whether the Crawford game has been played, or is being.
func (s *State) post() bool { return s.Away == 1 || s.Opponent == 1 }

// MayDouble reports whether the rules let the player on roll double, and it is not
// pointless: not in the Crawford game, and not when the cube as it lies wins
// the match.
func (s *State) MayDouble() bool {
	if s.Owner == OpponentOwned || s.Cube >= MaxCube {
		return false
	}
	return s.Table == nil || !s.Crawford && s.Away > s.Cube
}

// dead reports whether nobody has a use for the cube any more. At 2 away against 2
// away either side doubles at its first chance, so that what the cube is worth is
// in the doubled game.
func (s *State) dead() bool {
	if s.Table == nil {
		return s.Cube >= MaxCube
	}
	return s.Crawford || s.Away <= s.Cube && s.Opponent <= s.Cube || s.Away == 2 && s.Opponent == 2
}

// MWC returns the chance to win the match after winning (points > 0) or losing
// (points < 0) so many points in this game.
func (s *State) MWC(points int) float64 {
	me, opp := s.Away, s.Opponent
	if points > 0 {
		me -= points
	} else {
		opp += points
	}
	return s.Table.At(me, opp, s.post())
}

// worth is MWC in a match and the points themselves for money.
func (s *State) worth(points int) float64 {
	if s.Table == nil {
		return float64(points)
	}
	return s.MWC(points)
}

// Normalized turns a match-winning chance, or points for money, into an equity
// normalized to the cube as it lies.
func (s *State) Normalized(value float64) float64 {
	win, lose := s.worth(s.Cube), s.worth(-s.Cube)
	return (2*value - (win + lose)) / (win - lose)
}

// Value is the inverse of Normalized.
func (s *State) Value(equity float64) float64 {
	win, lose := s.worth(s.Cube), s.worth(-s.Cube)
	return 0.5 * (equity*(win-lose) + win + lose)
}
