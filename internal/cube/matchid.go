package cube

import (
	"encoding/base64"
	"fmt"

	"bgtrain/internal/cube/met"
)

// matchIDLen is the length of a GNU Backgammon Match ID: 9 bytes in base64.
const matchIDLen = 12

// ParseMatchID reads the state of the cube and of the match, and the dice (zero
// before the roll), from a Match ID of GNU Backgammon, as the player on roll sees
// them; it goes with a Position ID, whose player on roll is the same. t is the
// match equity table for matches.
//
// Its bits, from the lowest of the first byte: 4 the exponent of the cube, 2 its
// owner (3 both), 1 the player on roll, 1 Crawford game, 3 state of the game, 1
// whose decision it is, 1 a double offered, 2 a resignation offered, 3 and 3 dice,
// 15 the length of the match, 15 and 15 the scores; of the rest the first says
// that the Jacoby rule is not in use.
func ParseMatchID(text string, t *met.Table) (s State, dice [2]int, err error) {
	fail := func(format string, args ...any) (State, [2]int, error) {
		return State{}, [2]int{}, fmt.Errorf("match ID %q: %w", text, fmt.Errorf(format, args...))
	}
	if len(text) != matchIDLen {
		return fail("%d characters, %d expected", len(text), matchIDLen)
	}
	var key [9]byte
	if n, err := base64.RawStdEncoding.Strict().Decode(key[:], []byte(text)); err != nil || n != len(key) {
		return fail("not base64")
	}
	at := 0
	next := func(bits int) (v int) {
		for i := range bits {
			v |= int(key[at/8]>>(at%8)&1) << i
			at++
		}
		return v
	}
	g := game{exponent: next(4)}
	owner, turn := next(2), next(1)
	g.crawford = next(1) == 1
	next(3)
	decider, offered, resigned := next(1), next(1), next(2)
	dice = [2]int{next(3), next(3)}
	g.length = next(15)
	scores := [2]int{next(15), next(15)}
	g.mine, g.theirs = scores[turn], scores[1-turn]
	g.jacoby = g.length == 0 && next(1) == 0
	switch {
	case owner == 2:
		return fail("cube owner 2: 0, 1 or 3 expected")
	case owner == turn:
		g.owner = Owned
	case owner != 3:
		g.owner = OpponentOwned
	}
	switch {
	case offered == 1 || resigned != 0 || decider != turn:
		return fail("a double or a resignation has been offered; the position before it expected")
	case dice[0] > 6 || dice[1] > 6 || (dice[0] == 0) != (dice[1] == 0):
		return fail("dice %d and %d", dice[0], dice[1])
	}
	if s, err = g.state(t); err != nil {
		return fail("%w", err)
	}
	return s, dice, nil
}
