package protocol

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/player"
)

// Session answers the lines of UBGI 0.2, and of 0.1 where that differs, as the arena bgci
// and its peers speak them (github.com/bungogood/bgci, docs/ubgi-v0.1-spec.md and
// ubgi-v0.2-spec.md): position, dice and score are given line by line, and then an action
// is asked for. It serves one conversation.
type Session struct {
	Brain   *Brain
	Name    string
	Version string

	board *bg.Board // nil: none given yet
	dice  [2]int    // zero: none given yet

	xgid    *cube.State // of the position, where it was given as an XGID
	doubled bool        // of that too: a double waits for its answer

	match
}

// match is the context of version 0.1: what is played for, as player 0 and 1 have it.
type match struct {
	length   int
	jacoby   bool
	crawford bool // that rule is played by
	played   bool // the Crawford game has been played
	asked    bool // for an action in this game
	score    [2]int
	cube     int // 0 is 1
	owner    int // -1: nobody; of cube 1 of no meaning
	turn     int
}

// The codes of errors, those of 0.2.
const (
	badCommand  = "bad_command"
	badValue    = "bad_value"
	badState    = "bad_state"
	unsupported = "unsupported"
)

// failed is the answer to a line that changed nothing.
func failed(code, format string, args ...any) string {
	return "error " + code + " " + fmt.Sprintf(format, args...)
}

// Answer implements Protocol. What succeeds and is no question has no answer.
func (u *Session) Answer(line string) (string, error) {
	words := strings.Fields(strings.Trim(line, "\x00 \t\r"))
	if len(words) == 0 {
		return "", nil
	}
	args := words[1:]
	switch words[0] {
	case "ubgi":
		return "id name " + u.Name + "\nid author the bgtrain authors\nid version " + u.Version + "\nproto 0.2\n" +
			u.keys() + "\n" + options + "\nubgiok", nil
	case "isready":
		return "readyok", nil
	case "quit":
		return "", ErrQuit
	case "stop": // every answer comes before the next line is read
		return "", nil
	case "newgame":
		u.newGame()
		return "", nil
	case "keys":
		return u.keys(), nil
	case "get":
		return u.get(args), nil
	case "set":
		if len(args) < 2 {
			return failed(badCommand, "expected: set <key> <value>"), nil
		}
		return u.set(args[0], strings.Join(args[1:], " ")), nil
	case "setoption":
		return u.setOption(args), nil
	case "newsession", "setscore", "setcube", "setturn":
		return u.context(words[0], args), nil
	case "position":
		return u.position(args), nil
	case "dice":
		return u.roll(args), nil
	case "go":
		return u.act(args), nil
	}
	return failed(badCommand, "unknown: ubgi, isready, newgame, set, get, keys, position, dice, go or quit expected"), nil
}

// The settings: their names in 0.2, and of 0.1 in lower case.
const (
	keyVariant       = "game.variant"
	keyPly           = "engine.ply"
	keyDeterministic = "engine.deterministic"
	backgammon       = "backgammon"
)

var keyOfOption = map[string]string{"variant": keyVariant, "ply": keyPly, "deterministic": keyDeterministic}

// options are the settings as 0.1 lists them.
var options = fmt.Sprintf("option name Variant type combo default %s var %s\n"+
	"option name Ply type spin min 0 max %d\noption name Deterministic type check default true",
	backgammon, backgammon, player.MaxPly)

// keys are the settings as 0.2 lists them.
func (u *Session) keys() string {
	return fmt.Sprintf("key %s enum %s %s\nkey %s int 0..%d %d look-ahead\nkey %s bool true ! the same answers again",
		keyVariant, backgammon, backgammon, keyPly, player.MaxPly, u.Brain.Ply, keyDeterministic)
}

func (u *Session) get(args []string) string {
	if len(args) != 1 {
		return failed(badCommand, "expected: get <key>")
	}
	value := ""
	switch args[0] {
	case keyVariant:
		value = backgammon
	case keyPly:
		value = strconv.Itoa(u.Brain.Ply)
	case keyDeterministic:
		value = "true"
	default:
		return failed(unsupported, "key")
	}
	return "value " + args[0] + " " + value
}

func (u *Session) set(key, value string) string {
	switch key {
	case keyVariant:
		if value != backgammon {
			return failed(badValue, "%s must_be %s", key, backgammon)
		}
	case keyPly:
		ply, err := strconv.Atoi(value)
		if err != nil || ply < 0 || ply > player.MaxPly {
			return failed(badValue, "%s must_be 0..%d", key, player.MaxPly)
		}
		u.Brain.Ply = ply
	case keyDeterministic:
		if value != "true" {
			return failed(badValue, "%s must_be true", key)
		}
	default:
		return failed(unsupported, "key")
	}
	return ""
}

// setOption is set as 0.1 writes it: name NAME value VALUE.
func (u *Session) setOption(args []string) string {
	if len(args) < 4 || args[0] != "name" || args[2] != "value" {
		return failed(badCommand, "expected: setoption name <Name> value <Value>")
	}
	key := keyOfOption[strings.ToLower(args[1])]
	return u.set(key, strings.Join(args[3:], " "))
}

func (u *Session) position(args []string) string {
	if len(args) != 2 || args[0] != "gnubgid" && args[0] != "xgid" {
		return failed(badCommand, "expected: position gnubgid <GNU_POSITION_ID> or position xgid <XGID>")
	}
	text, doubled := args[1], false
	var dice [2]int
	var state *cube.State
	board, err := bg.ParsePosition(text)
	if args[0] == "xgid" {
		text, doubled = beforeDouble(text)
		if board, dice, err = bg.ParseXGID(text); err == nil {
			var s cube.State
			s, err = cube.ParseXGID(text, u.Brain.Table)
			state = &s
		}
	}
	switch {
	case err != nil:
		return failed(badValue, "position: %v", err)
	case over(&board):
		return failed(badValue, "position: the game is over")
	}
	u.board, u.xgid, u.doubled = &board, state, doubled
	if state != nil {
		u.dice = dice // none, too
	}
	return ""
}

// over reports whether a side has no checkers left.
func over(b *bg.Board) bool { return b.Me.Back() < 0 || b.Opp.Back() < 0 }

func (u *Session) roll(args []string) string {
	var dice [2]int
	for i, word := range args {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 || n > 6 || len(args) != 2 {
			return failed(badValue, "dice must_be 1..6")
		}
		dice[i] = n
	}
	if len(args) != 2 {
		return failed(badCommand, "expected: dice <d1> <d2>")
	}
	u.dice = dice
	return ""
}

// act answers go: chequer, cube or turn, of which the first need not be said. 0.1 has role
// before it, and limits after it that a fixed look-ahead has no use for.
func (u *Session) act(args []string) string {
	old := len(args) > 0 && args[0] == "role"
	if old {
		args = args[1:]
	}
	what := "chequer"
	if len(args) > 0 {
		what, args = args[0], args[1:]
	}
	limits := []string{"movetime", "depth", "nodes", "trials"}
	for i, word := range args {
		if _, err := strconv.Atoi(word); i%2 == 0 && !slices.Contains(limits, word) || i%2 == 1 && err != nil {
			return failed(badCommand, "expected: go %s", what)
		}
	}
	if !slices.Contains([]string{"chequer", "cube", "turn"}, what) {
		return failed(badCommand, "expected: go chequer, go cube or go turn")
	}
	if u.board == nil {
		return failed(badState, "missing position")
	}
	if what != "cube" && u.dice == [2]int{} {
		return failed(badState, "missing dice")
	}
	if u.doubled {
		return failed(unsupported, "answer to a double")
	}
	s, err := u.state()
	if err != nil {
		return failed(badState, "%v", err)
	}
	u.asked = true
	return u.decide(what, old, &s)
}

// decide answers go with the best action; old is the form of 0.1.
func (u *Session) decide(what string, old bool, s *cube.State) string {
	turn := "nodouble"
	if what != "chequer" && s.MayDouble() && u.Brain.Decide(u.board, s).Action.Doubles() {
		turn = "double"
	}
	if what == "cube" {
		return "bestcube " + turn
	}
	after := u.Brain.Play(u.board, u.dice[0], u.dice[1], s)
	play := "pass"
	if steps, _ := bg.Steps(u.board, &after, u.dice[0], u.dice[1]); len(steps) > 0 {
		play = formatSteps(steps)
	}
	switch {
	case what == "chequer": // no bestmoveid: bgci takes it for an error
		return "bestmove " + play
	case old:
		return "bestturn cube=" + turn + " moveid=" + after.Key().PositionID()
	}
	return "bestturn cube=" + turn + " move=" + play
}
