package bg

import (
	"fmt"
	"strings"
)

// xgidPoints is the length of an XGID's board: the bar of the player at the
// top, the 24 points, the bar of the player at the bottom.
const xgidPoints = 26

// ParsePosition reads a position as a person types it: a key of 20 letters, a 14-character Position ID, or an XGID
// with or without "XGID=". Dice in an XGID are ignored; see ParseXGID.
func ParsePosition(text string) (Board, error) {
	text = strings.TrimSpace(text)
	if isXGID(text) {
		b, _, err := ParseXGID(text)
		return b, err
	}
	k, err := decodeKey(text)
	if err != nil {
		return Board{}, err
	}
	b, err := k.Board()
	if err != nil {
		return Board{}, fmt.Errorf("position key %q: %w", text, err)
	}
	return b, nil
}

func hasXGIDPrefix(text string) bool {
	return len(text) >= 5 && strings.EqualFold(text[:5], "XGID=")
}

// isXGID distinguishes an XGID from the other forms, which hold no colon so far into the text.
func isXGID(text string) bool {
	return hasXGIDPrefix(text) || strings.IndexByte(text, ':') >= xgidPoints
}

// ParseXGID reads eXtreme Gammon's position text, as in
//
//	XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10
//
// and returns the board and the dice, both zero when the roll is still to come. Of the fields after the board only
// the player on roll and the dice matter here. The prefix may be missing.
func ParseXGID(text string) (b Board, dice [2]int, err error) {
	t := strings.TrimSpace(text)
	if hasXGIDPrefix(t) {
		t = t[5:]
	}
	// board : cube : cube owner : turn : dice : scores and settings
	f := strings.Split(t, ":")
	if len(f) < 5 {
		return Board{}, dice, fmt.Errorf("XGID %q: %d fields, at least 5 expected: board, cube, its owner, "+
			"turn, dice", text, len(f))
	}
	bottom, top, err := xgidSides(f[0])
	if err != nil {
		return Board{}, dice, fmt.Errorf("XGID %q: %w", text, err)
	}
	switch f[3] {
	case "1":
		b = Board{Me: bottom, Opp: top}
	case "-1":
		b = Board{Me: top, Opp: bottom}
	default:
		return Board{}, dice, fmt.Errorf("XGID %q: turn is %q, expected 1 or -1", text, f[3])
	}
	if err := b.Check(); err != nil {
		return Board{}, dice, fmt.Errorf("XGID %q: %w", text, err)
	}
	if dice, err = xgidDice(f[4]); err != nil {
		return Board{}, dice, fmt.Errorf("XGID %q: %w", text, err)
	}
	return b, dice, nil
}

// xgidSides decodes the board: capitals are the player at the bottom, whose own
// 1-point comes first; small letters the player at the top.
func xgidSides(points string) (bottom, top Side, err error) {
	if len(points) != xgidPoints {
		return bottom, top, fmt.Errorf("board of %d characters, expected %d", len(points), xgidPoints)
	}
	for i := range points {
		c := points[i]
		switch {
		case c == '-':
		case c >= 'A' && c <= 'O' && i > 0:
			bottom[i-1] = c - 'A' + 1
		case c >= 'a' && c <= 'o' && i <= 24:
			top[24-i] = c - 'a' + 1
		default:
			return bottom, top, fmt.Errorf("%q at character %d of the board", c, i+1)
		}
	}
	return bottom, top, nil
}

// xgidDice reads the dice field: 00 before the roll, else two dice. Letters are a pending cube decision: no dice
// either.
func xgidDice(field string) (dice [2]int, err error) {
	switch field {
	case "00", "D", "B", "R":
		return dice, nil
	}
	if len(field) != 2 || field[0] < '1' || field[0] > '6' || field[1] < '1' || field[1] > '6' {
		return dice, fmt.Errorf("dice %q, expected two of 1 to 6, or 00", field)
	}
	return [2]int{int(field[0] - '0'), int(field[1] - '0')}, nil
}

// XGID writes a position as ParseXGID reads it: money play, a centered cube, the player on roll at the bottom.
// Dice of 0 mean that the roll is still to come.
func XGID(b *Board, dice [2]int) string {
	points := []byte(strings.Repeat("-", xgidPoints))
	for i, n := range b.Me {
		if n > 0 {
			points[i+1] = 'A' + n - 1
		}
	}
	for i, n := range b.Opp {
		if n > 0 {
			points[24-i] = 'a' + n - 1
		}
	}
	return fmt.Sprintf("XGID=%s:0:0:1:%d%d:0:0:0:0:10", points, dice[0], dice[1])
}
