package protocol

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"bgtrain/internal/cube"
)

// GNUbg answers the lines of GNU Backgammon's external player protocol, in which
// a board line asks for a decision. Version 1.07 sends them with "set player 0
// external HOST:PORT"; programs that play against GNU Backgammon's own socket
// send, besides, evaluation requests:
//
//	board:…                                the decision: 8/5 6/5, roll, double, take or drop
//	evaluation fibsboard board:… plies 1   five outputs and the equity
//	fibsboard board:…, set …, version, help, exit
//
// An answer to what it cannot read begins with "Error (".
type GNUbg struct{ Brain *Brain }

// ErrQuit is returned with the answer to a line that ends a conversation.
var ErrQuit = errors.New("the other side has said goodbye")

// Answer implements Protocol.
func (g GNUbg) Answer(line string) (string, error) {
	line = strings.Trim(line, "\x00 \t\r")
	words := strings.Fields(line)
	if len(words) == 0 {
		return "", nil
	}
	switch words[0] {
	case "exit", "quit":
		return "", ErrQuit
	case "version":
		return "bgtrain: external player protocol of GNU Backgammon", nil
	case "help":
		return "board:… | evaluation fibsboard board:… plies N | fibsboard board:… | version | exit", nil
	case "set": // session settings of other versions; nothing here depends on them
		return "OK", nil
	case "evaluation":
		return g.evaluation(words[1:]), nil
	case "fibsboard":
		words = words[1:]
	}
	if len(words) == 0 || !strings.HasPrefix(words[0], "board:") {
		return failure(fmt.Errorf("unknown command %.40q", line)), nil
	}
	answer, err := g.decide(words[0])
	switch {
	case err != nil:
		return failure(err), nil
	case answer == "": // a player who cannot move answers with an empty line
		return "\n", nil
	}
	return answer, nil
}

// failure is an answer that GNU Backgammon shows to its user.
func failure(err error) string { return fmt.Sprintf("Error (%v)", err) }

// state returns the cube and the score as the player on roll sees them. The scores
// of GNU Backgammon 1.07's lines begin with that of the opponent of the player who
// is asked, whatever the server's convention: that is the player on roll after a
// double only.
func (g GNUbg) state(f *FIBSBoard) (cube.State, error) {
	score := 1
	if f.Doubled {
		score = 0
	}
	return g.Brain.stateOf(f, score)
}

// stateOf returns the cube and the score of a board line as the player on roll
// sees them, whose score has the given place.
func (b *Brain) stateOf(f *FIBSBoard, score int) (cube.State, error) {
	me := 0
	if !f.Mine {
		me = 1
	}
	owner := cube.Centered
	switch {
	case f.Cube == 1:
	case f.Doubled, f.MayDouble[me]:
		owner = cube.Owned
	default:
		owner = cube.OpponentOwned
	}
	away := [2]int{}
	if f.Length > 0 {
		away = [2]int{f.Length - f.Score[score], f.Length - f.Score[1-score]}
	}
	return b.State(away[0], away[1], f.Cube, owner, f.Crawford)
}

// decide answers a board line.
func (g GNUbg) decide(line string) (string, error) {
	f, err := ParseFIBSBoard(line)
	if err != nil {
		return "", err
	}
	if f.Over {
		return "", errors.New("the game is over")
	}
	s, err := g.state(&f)
	if err != nil {
		return "", err
	}
	return g.Brain.Act(&f.Board, f.Dice, f.Doubled, &s)
}

// evaluation answers a request for outputs.
func (g GNUbg) evaluation(words []string) string {
	if len(words) < 2 || words[0] != "fibsboard" {
		return failure(errors.New("evaluation fibsboard board:… expected"))
	}
	f, err := ParseFIBSBoard(words[1])
	if err != nil {
		return failure(err)
	}
	ply := 0
	for i, w := range words {
		if w == "plies" && i+1 < len(words) {
			if ply, err = strconv.Atoi(words[i+1]); err != nil || ply < 0 || ply > maxEvaluationPly {
				return failure(fmt.Errorf("plies %.20q: 0 to %d expected", words[i+1], maxEvaluationPly))
			}
		}
	}
	o := g.Brain.Evaluator.Evaluate(&f.Board, ply)
	return fmt.Sprintf("%f %f %f %f %f %f", o[0], o[1], o[2], o[3], o[4], o.Equity())
}

// maxEvaluationPly keeps a request from taking minutes.
const maxEvaluationPly = 2
