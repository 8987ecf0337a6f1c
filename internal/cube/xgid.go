package cube

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"bgtrain/internal/bg"
	"bgtrain/internal/cube/met"
)

// xgidFields is the number of colon-separated fields of a whole XGID.
const xgidFields = 10

// ParseXGID reads the state of the cube and of the match from an XGID, as in
//
//	XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:2:0:7:10
//
// whose fields after the board are the cube (the exponent of 2), its owner (1 the
// player at the bottom, -1 at the top, 0 both), the player on roll (1, -1), dice,
// the scores of bottom and top, the Crawford game in a match or for money the
// Jacoby rule (1) and beavers (2), the length of the match (0 money) and the
// largest cube, which is not looked at. Beavers are not part of any model here and
// left out. t is the match equity table for matches. The board and the dice are
// read by bg.ParseXGID.
func ParseXGID(text string, t *met.Table) (State, error) {
	s, err := parseXGID(text, t)
	if err != nil {
		return State{}, fmt.Errorf("XGID %q: %w", text, err)
	}
	return s, nil
}

func parseXGID(text string, t *met.Table) (State, error) {
	f := strings.Split(strings.TrimSpace(text), ":")
	if len(f) != xgidFields {
		return State{}, fmt.Errorf("%d fields, %d expected for a cube decision", len(f), xgidFields)
	}
	var v [xgidFields]int
	for i, name := range [xgidFields]string{1: "cube", 2: "cube owner", 3: "turn", 5: "score", 6: "score",
		7: "Crawford or Jacoby", 8: "match length"} {
		if name == "" {
			continue
		}
		n, err := strconv.Atoi(f[i])
		if err != nil {
			return State{}, fmt.Errorf("%s is %q: a number expected", name, f[i])
		}
		v[i] = n
	}
	turn, owner := v[3], v[2]
	if turn != 1 && turn != -1 || owner < -1 || owner > 1 {
		return State{}, fmt.Errorf("turn %d and cube owner %d: 1 or -1 expected, for the owner also 0", turn, owner)
	}
	if f[4] == "D" || f[4] == "B" || f[4] == "R" {
		return State{}, fmt.Errorf("dice %q: a double has been offered; the position before it expected (00)", f[4])
	}
	mine, theirs := v[5], v[6]
	if turn < 0 {
		mine, theirs = theirs, mine
	}
	g := game{exponent: v[1], length: v[8], mine: mine, theirs: theirs}
	switch owner * turn {
	case 1:
		g.owner = Owned
	case -1:
		g.owner = OpponentOwned
	}
	switch {
	case g.length > 0 && v[7] != 0 && v[7] != 1:
		return State{}, fmt.Errorf("field 7 (Crawford) is %d: 0 or 1 expected in a match", v[7])
	case g.length <= 0 && (v[7] < 0 || v[7] > 3):
		return State{}, fmt.Errorf("field 7 (Jacoby) is %d: 0 to 3 expected for money", v[7])
	}
	g.crawford, g.jacoby = g.length > 0 && v[7] == 1, g.length <= 0 && v[7]&1 != 0
	return g.state(t)
}

// XGID writes a position of a state as ParseXGID reads it, the player on roll at the bottom;
// length is that of the match. Dice of 0 mean that the roll is still to come.
func (s *State) XGID(b *bg.Board, dice [2]int, length int) string {
	board, _, _ := strings.Cut(bg.XGID(b, dice), ":")
	owner := map[Holder]int{Owned: 1, OpponentOwned: -1}[s.Owner]
	mine, theirs, rule := 0, 0, 0
	if s.Table != nil {
		mine, theirs = length-s.Away, length-s.Opponent
	}
	if s.Crawford || s.Jacoby {
		rule = 1
	}
	return fmt.Sprintf("%s:%d:%d:1:%d%d:%d:%d:%d:%d:10", board, bits.Len(uint(s.Cube))-1, owner, dice[0], dice[1],
		mine, theirs, rule, length)
}

// game is what texts have of a game: scores are points won so far.
type game struct {
	exponent         int // of the cube
	owner            Holder
	length           int // 0 money
	mine, theirs     int
	crawford, jacoby bool
}

// state checks the numbers and makes a state of them.
func (g *game) state(t *met.Table) (State, error) {
	if g.exponent < 0 || g.exponent > 10 {
		return State{}, fmt.Errorf("a cube of 2^%d: exponents from 0 to 10 expected", g.exponent)
	}
	s := State{Cube: 1 << g.exponent, Owner: g.owner, Jacoby: g.jacoby}
	switch {
	case g.length < 0 || g.length > met.MaxLength:
		return State{}, fmt.Errorf("a match of %d points: 1 to %d expected, or 0 for money", g.length, met.MaxLength)
	case g.length == 0 && g.crawford:
		return State{}, fmt.Errorf("a Crawford game without a match")
	case g.length > 0 && (g.mine < 0 || g.theirs < 0 || g.mine >= g.length || g.theirs >= g.length):
		return State{}, fmt.Errorf("a score of %d to %d in a match of %d points: 0 to %d expected", g.mine, g.theirs,
			g.length, g.length-1)
	case g.length > 0:
		if t == nil {
			return State{}, fmt.Errorf("a match without a match equity table")
		}
		s.Table, s.Away, s.Opponent, s.Crawford = t, g.length-g.mine, g.length-g.theirs, g.crawford
		if g.length == 1 {
			s.Crawford = false // the only game of a match is no Crawford game
		}
	}
	return s, s.Check()
}
