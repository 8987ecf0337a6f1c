package matchfile

import (
	"bufio"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"

	"bgtrain/internal/bg"
)

// readIDs reads a list of positions, one a line: XGIDs, 14-character Position IDs, 20-letter keys, or a Position
// ID, a colon and a Match ID. What follows the first word of a line is passed over, and so are lines that begin
// with #. Each becomes a match of one game with one action, by nobody: Roll where the ID has dice, and else Look.
func readIDs(br *bufio.Reader, s *sink) error {
	lines := newLineReader(br)
	for {
		line, err := lines.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		at := place{lines.number, lines.at}
		if err != nil {
			return s.fail(at, err)
		}
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0][0] == '#' {
			continue
		}
		action, err := parseID(fields[0])
		if err == nil {
			m := &Match{Line: at.line, Games: []Game{{Number: 1, Actions: []Action{action}, Winner: None}}}
			if err := s.match(m); err != nil {
				return err
			}
			continue
		}
		if err := s.problem(&Problem{File: s.name, Line: at.line, Byte: at.at, Err: err}); err != nil {
			return err
		}
	}
}

// parseID reads a position of a list.
func parseID(text string) (Action, error) {
	a := Action{Kind: Look, Player: None, Move: 1, Cube: Cube{1, None}}
	var err error
	if id, match, ok := strings.Cut(text, ":"); ok && len(id) == positionID {
		if a.Board, err = bg.ParsePosition(id); err == nil {
			a.Dice, err = matchDice(match)
		}
	} else if ok {
		a.Board, a.Dice, err = bg.ParseXGID(text)
	} else {
		a.Board, err = bg.ParsePosition(text)
	}
	if err != nil {
		return a, err
	}
	if a.Board.Me.Back() < 0 || a.Board.Opp.Back() < 0 {
		return a, fmt.Errorf("%s: %w", text, errOver)
	}
	if a.Dice != [2]int{} {
		a.Kind = Roll
	}
	return a, nil
}

// positionID is the length of a Position ID.
const positionID = 14

// matchDice returns the dice of GNU Backgammon's Match ID, 0 where they have not been rolled: 9 bytes in base64,
// filled from the lowest bit, of which bits 15 to 20 are the two dice.
func matchDice(id string) (dice [2]int, err error) {
	k, err := base64.StdEncoding.Strict().DecodeString(id)
	if err != nil || len(k) != 9 || len(id) != 12 {
		return dice, fmt.Errorf("match ID %q: 12 characters of base64 expected", clip(id))
	}
	bits := int(k[1])>>7 | int(k[2])<<1
	dice = [2]int{bits & 7, bits >> 3 & 7}
	if dice != [2]int{} {
		if err := checkDice(dice[0], dice[1]); err != nil {
			return dice, fmt.Errorf("match ID %q: %w", id, err)
		}
	}
	return dice, nil
}
