package cube

import (
	"strings"

	"bgtrain/internal/bg"
	"bgtrain/internal/cube/met"
)

// ID is a position as a person types it, with how match and cube stand.
type ID struct {
	Board bg.Board
	Dice  [2]int // 0 before the roll
	State State  // Money where the text has none
	Given bool   // the text has a state

	// Problem is the error of an XGID's state that could not be read, where the board and
	// the dice could.
	Problem error
}

// ParseID reads a position in any form: a key, a Position ID, either with a Match ID after
// a colon, or an XGID. t is the match equity table for matches, nil the default one.
func ParseID(text string, t *met.Table) (id ID, err error) {
	id.State = Money
	position, match, two := strings.Cut(text, ":")
	isXGID := strings.HasPrefix(text, "XGID=")
	if !two && !isXGID {
		id.Board, err = bg.ParsePosition(text)
		return id, err
	}
	if !isXGID && !strings.Contains(match, ":") && len(position) < 26 {
		if id.Board, err = bg.ParsePosition(position); err != nil {
			return id, err
		}
		if t, err = t.OrDefault(); err == nil {
			id.Given = true
			id.State, id.Dice, err = ParseMatchID(match, t)
		}
		return id, err
	}
	if id.Board, id.Dice, err = bg.ParseXGID(text); err != nil {
		return id, err
	}
	if t, err = t.OrDefault(); err != nil {
		return id, err
	}
	state, problem := ParseXGID(text, t)
	if id.Problem = problem; problem == nil {
		id.State, id.Given = state, true
	}
	return id, nil
}
