package protocol

import (
	"fmt"
	"strconv"

	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
)

// newGame begins a game at the first position. What is played for stays.
func (u *Session) newGame() {
	start := bg.Start
	u.board, u.dice, u.xgid, u.doubled = &start, [2]int{}, nil, false
	u.played = u.played || u.asked && u.isCrawford()
	u.asked = false
	u.match.cube, u.owner, u.turn = 1, -1, 0
}

// isCrawford reports whether the game is the Crawford game: 0.1 has no word for it, so it is
// the first one in which a side needs one point.
func (m *match) isCrawford() bool {
	oneAway := m.score[0] == m.length-1 || m.score[1] == m.length-1
	return m.length > 1 && m.crawford && !m.played && oneAway
}

// state is the cube and the score as the player on roll sees them.
func (u *Session) state() (cube.State, error) {
	if u.xgid != nil {
		return *u.xgid, nil
	}
	owner := cube.Centered
	switch {
	case u.match.cube <= 1 || u.owner < 0:
	case u.owner == u.turn:
		owner = cube.Owned
	default:
		owner = cube.OpponentOwned
	}
	away := [2]int{}
	if u.length > 0 {
		away = [2]int{u.length - u.score[u.turn], u.length - u.score[1-u.turn]}
		if away[0] < 1 || away[1] < 1 {
			return cube.State{}, fmt.Errorf("a score of %d to %d in a match to %d", u.score[0], u.score[1], u.length)
		}
	}
	s, err := u.Brain.State(away[0], away[1], max(1, u.match.cube), owner, u.isCrawford())
	s.Jacoby = u.length == 0 && u.jacoby
	return s, err
}

// context takes what is played for, by a command of 0.1.
func (u *Session) context(command string, args []string) string {
	m, ok := u.match, false
	expected := ""
	switch command {
	case "newsession":
		expected = "newsession type <money|match> [length <N>] [jacoby <on|off>] [crawford <on|off>]"
		m, ok = newSession(args)
	case "setscore":
		expected = "setscore <p0> <p1>"
		ok = len(args) == 2 && setNumber(&m.score[0], args[0], 0) && setNumber(&m.score[1], args[1], 0)
	case "setcube":
		expected = "setcube value <N> owner <center|p0|p1>"
		ok = len(args) == 4 && args[0] == "value" && setNumber(&m.cube, args[1], 1) && args[2] == "owner" &&
			setPlayer(&m.owner, args[3], true)
	case "setturn":
		expected = "setturn <p0|p1>"
		ok = len(args) == 1 && setPlayer(&m.turn, args[0], false)
	}
	if !ok {
		return failed(badCommand, "expected: %s", expected)
	}
	u.match, u.xgid = m, nil
	return ""
}

// newSession reads what is played for.
func newSession(args []string) (match, bool) {
	m := match{crawford: true, cube: 1, owner: -1}
	if len(args) < 2 || len(args)%2 != 0 || args[0] != "type" || args[1] != "money" && args[1] != "match" {
		return m, false
	}
	for i := 2; i < len(args); i += 2 {
		value := args[i+1]
		ok := value == "on" || value == "off"
		switch args[i] {
		case "length":
			ok = setNumber(&m.length, value, 1)
		case "jacoby":
			m.jacoby = value == "on"
		case "crawford":
			m.crawford = value == "on"
		default:
			return m, false
		}
		if !ok {
			return m, false
		}
	}
	if args[1] == "money" {
		m.length = 0
	}
	return m, args[1] == "money" || m.length > 0
}

// maxNumber bounds lengths, scores and cubes: what a match equity table has is checked later.
const maxNumber = 1 << 20

func setNumber(to *int, text string, least int) bool {
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > maxNumber {
		return false
	}
	*to = n
	return true
}

func setPlayer(to *int, text string, center bool) bool {
	switch {
	case text == "p0":
		*to = 0
	case text == "p1":
		*to = 1
	case text == "center" && center:
		*to = -1
	default:
		return false
	}
	return true
}
