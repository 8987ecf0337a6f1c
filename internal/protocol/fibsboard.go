package protocol

import (
	"fmt"
	"strconv"
	"strings"

	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
)

// FIBSBoard is a position as the First Internet Backgammon Server's "rawboard"
// lines have it, which GNU Backgammon and other programs use, too:
//
//	board:You:opponent:match length:scores:26 points:turn:dice:cube:…
//
// fibs.com/fibs_interface.html#board_state has the fields.
type FIBSBoard struct {
	Names  [2]string // you and the opponent
	Length int       // points of the match; 0 for money
	Score  [2]int    // yours and the opponent's

	Board bg.Board // of the player on roll
	Mine  bool     // you are on roll
	Over  bool     // nobody is: the game is over
	Dice  [2]int   // 0 before the roll

	Cube      int
	MayDouble [2]bool // you and the opponent
	Doubled   bool    // somebody has doubled, and there is no answer yet
	Crawford  bool    // this is the Crawford game
}

// fibsUnlimited is the match length of a money session.
const fibsUnlimited = 9999

// The numbers of a line after the names, by their place.
const (
	fibsLength = iota
	fibsScore
	fibsOppScore
	fibsPoints  // 26 of them, the bars at the ends
	fibsTurn    = fibsPoints + 26
	fibsDice    = fibsTurn + 1 // yours, then the opponent's
	fibsCube    = fibsDice + 4
	fibsMay     = fibsCube + 1
	fibsOppMay  = fibsCube + 2
	fibsDoubled = fibsCube + 3
	fibsColor   = fibsCube + 4
	fibsDir     = fibsCube + 5 // -1 plays from 24 to 1
	fibsNonCraw = fibsCube + 13
	fibsPost    = fibsCube + 14
	fibsFields  = fibsCube + 15
)

// ParseFIBSBoard reads a board line. The number of fields at its end differs from
// program to program: all up to the direction of play are needed.
func ParseFIBSBoard(line string) (FIBSBoard, error) {
	var f FIBSBoard
	words := strings.Split(strings.TrimSpace(line), ":")
	if len(words) < 3 || words[0] != "board" {
		return f, fmt.Errorf("a line that begins with \"board:\" expected")
	}
	f.Names = [2]string{words[1], words[2]}
	words = words[3:]
	if len(words) <= fibsDir {
		return f, fmt.Errorf("board line of %d fields, at least %d expected", len(words)+3, fibsDir+4)
	}
	var n [fibsFields]int
	for i, w := range words[:min(len(words), fibsFields)] {
		v, err := strconv.Atoi(w)
		if err != nil || v < -fibsUnlimited || v > fibsUnlimited {
			return f, fmt.Errorf("board line: field %d is %.20q, a number expected", i+4, w)
		}
		n[i] = v
	}
	return f, f.fill(&n)
}

// fill takes in the numbers of a line.
func (f *FIBSBoard) fill(n *[fibsFields]int) error {
	if f.Length = n[fibsLength]; f.Length == fibsUnlimited {
		f.Length = 0
	}
	f.Score = [2]int{n[fibsScore], n[fibsOppScore]}
	color, turn, dir := n[fibsColor], n[fibsTurn], n[fibsDir]
	if f.Length < 0 || f.Score[0] < 0 || f.Score[1] < 0 || f.Length > 0 && max(f.Score[0], f.Score[1]) >= f.Length {
		return fmt.Errorf("board line: score %d to %d in a match of %d points", f.Score[0], f.Score[1], f.Length)
	}
	if color*color != 1 || dir*dir != 1 || turn*turn > 1 {
		return fmt.Errorf("board line: turn %d, color %d, direction %d: 1 or -1 expected", turn, color, dir)
	}
	var you, opp bg.Side
	for i := range 26 {
		count := n[fibsPoints+i] * color
		at := i // as you count
		if dir > 0 {
			at = 25 - i
		}
		switch {
		case count > bg.Checkers || count < -bg.Checkers, count > 0 && at == 0, count < 0 && at == 25:
			return fmt.Errorf("board line: %d checkers on point %d", n[fibsPoints+i], i)
		case count > 0:
			you[at-1] = uint8(count)
		case count < 0:
			opp[24-at] = uint8(-count)
		}
	}
	f.Board = bg.Board{Me: you, Opp: opp}
	f.Mine, f.Over = turn == color, turn == 0
	if !f.Mine {
		f.Board = f.Board.Swapped()
	}
	if err := f.Board.Check(); err != nil {
		return fmt.Errorf("board line: %w", err)
	}
	f.Dice = [2]int{n[fibsDice], n[fibsDice+1]}
	if other := [2]int{n[fibsDice+2], n[fibsDice+3]}; f.Dice == [2]int{} || !f.Mine && other != [2]int{} {
		f.Dice = other
	}
	for _, d := range f.Dice {
		if d < 0 || d > 6 || (d == 0) != (f.Dice == [2]int{}) {
			return fmt.Errorf("board line: dice %d and %d", f.Dice[0], f.Dice[1])
		}
	}
	f.Cube = n[fibsCube]
	if f.Cube < 1 || f.Cube > 1<<12 || f.Cube&(f.Cube-1) != 0 {
		return fmt.Errorf("board line: a cube of %d", f.Cube)
	}
	f.MayDouble = [2]bool{n[fibsMay] != 0, n[fibsOppMay] != 0}
	f.Doubled = n[fibsDoubled] != 0
	oneAway := f.Length > 1 && max(f.Score[0], f.Score[1]) == f.Length-1
	f.Crawford = oneAway && n[fibsNonCraw] == 0 && n[fibsPost] == 0
	return nil
}

// FIBSState returns the cube and the score of a board line of the server as the
// player on roll sees them.
func (b *Brain) FIBSState(f *FIBSBoard) (cube.State, error) {
	score := 0
	if !f.Mine {
		score = 1
	}
	return b.stateOf(f, score)
}
