package matchfile

import "bgtrain/internal/bg"

// None is a player who is not known, or a cube that nobody owns.
const None = -1

// Match is a match or, where Length is 0, a money session between two players, 0 and 1 in the order of the file.
type Match struct {
	Players [2]string
	Length  int // points to win; 0 for money

	// The rest of the head; any may be empty.
	Event, Place, Round, Date string

	Games []Game
	Line  int // where it begins in a text file, from 1; 0 in a binary one
}

// Game is one game of a match.
type Game struct {
	Number   int    // in its match, from 1
	Score    [2]int // before the game
	Crawford bool   // no doubling in this game
	Actions  []Action

	Winner   int  // 0, 1, or None for a game that was not finished
	Points   int  // that the winner won, cube included
	Resigned bool // the loser resigned, or the game was settled
}

// Kind is what happens in an Action.
type Kind uint8

// The kinds.
const (
	Play   Kind = iota // dice rolled and played; where no checker could move, the position is unchanged
	Roll               // dice rolled, and no play made: the game ends here, or the file does
	Double             // the cube offered before the roll
	Take
	Drop
	Beaver // the cube taken and turned again at once; money only. Answering one, a raccoon
	Look   // nothing done: the last position of a file, or one of a list
)

var kindNames = [...]string{"play", "roll", "double", "take", "drop", "beaver", "look"}

// String returns a word for the kind.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// Cube is the doubling cube.
type Cube struct {
	Value int // 1, 2, 4, …
	Owner int // 0, 1, or None: in the middle
}

// Action is one thing that a player does.
type Action struct {
	Kind   Kind
	Player int // who does it; None in lists of positions

	// Move is the number of the row of a .mat file in which the action stands,
	// from 1; a row has one action of each player.
	Move int

	Board bg.Board // before it: Player on roll, but for Take, Drop and Beaver the doubler
	Cube  Cube     // before it
	Dice  [2]int   // of Play and Roll; the larger need not come first
	After bg.Board // of Play: the opponent on roll
}

// Decisions calls f for every action with a position that a player has to decide about: all but the answers to a
// double, whose position is that of the double.
func (g *Game) Decisions(f func(a *Action) error) error {
	for i := range g.Actions {
		a := &g.Actions[i]
		switch a.Kind {
		case Play, Roll, Double, Look:
			if err := f(a); err != nil {
				return err
			}
		}
	}
	return nil
}
