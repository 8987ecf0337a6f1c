package protocol

import (
	"errors"
	"strings"

	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
)

// UBGI answers the lines of the Universal Backgammon Interface, draft 0.01 of
// Øystein Schønning-Johansen (github.com/oysteijo/Universal-Backgammon-Interface):
// "ubgi" is answered by who the engine is and "readyok", a position, as an XGID or
// a FIBS board line, by the best action, and what cannot be read by "sorry".
type UBGI struct {
	Brain   *Brain
	Name    string
	Version string
}

// Answer implements Protocol.
func (u UBGI) Answer(line string) (string, error) {
	line = strings.Trim(line, "\x00 \t\r")
	words := strings.Fields(line)
	if len(words) == 0 {
		return "", nil
	}
	switch words[0] {
	case "ubgi":
		return "id name " + u.Name + "\nid author the bgtrain authors\nid version " + u.Version + "\nreadyok", nil
	case "isready":
		return "readyok", nil
	case "stop": // every answer comes before the next line is read
		return "readyok", nil
	case "quit":
		return "", ErrQuit
	}
	if words[0] == "position" || words[0] == "xgid" { // as some programs begin the line
		if words = words[1:]; len(words) == 0 {
			return "sorry", nil
		}
	}
	answer, err := u.position(words[0])
	if err != nil {
		return "sorry " + err.Error(), nil
	}
	if answer == "" {
		return "\n", nil // no legal play is a blank line
	}
	return answer, nil
}

// position answers a position.
func (u UBGI) position(text string) (string, error) {
	if strings.HasPrefix(text, "board:") {
		f, err := ParseFIBSBoard(text)
		if err != nil {
			return "", err
		}
		if f.Over {
			return "", errors.New("the game is over")
		}
		s, err := u.Brain.FIBSState(&f)
		if err != nil {
			return "", err
		}
		return u.Brain.Act(&f.Board, f.Dice, f.Doubled, &s)
	}
	text, doubled := beforeDouble(text)
	board, dice, err := bg.ParseXGID(text)
	if err != nil {
		return "", err
	}
	s, err := cube.ParseXGID(text, u.Brain.Table)
	if err != nil {
		return "", err
	}
	return u.Brain.Act(&board, dice, doubled, &s)
}

// beforeDouble returns an XGID whose dice are D, a double by the player on roll
// that waits for an answer, as it was before, and whether there was one.
func beforeDouble(text string) (string, bool) {
	f := strings.Split(text, ":")
	if len(f) <= 4 || f[4] != "D" {
		return text, false
	}
	f[4] = "00"
	return strings.Join(f, ":"), true
}
