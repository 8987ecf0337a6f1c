package matchfile

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"bgtrain/internal/bg"
)

// sgfGame plays the nodes of games. White, W, is player 0, as in GNU Backgammon.
// Letters are points as White counts them: a the 1-point to x the 24-point, y the
// bar, z off; a player's own counting is turned round for Black.
type sgfGame struct {
	reading

	result string // RE
	dice   [2]int // set, and not played yet
	roller int    // who set them
	steps  []bg.Step
}

// node plays a node; first is true for the first of its game.
func (d *sgfGame) node(at place, node []prop, first bool) error {
	if first {
		if err := d.begin(at, node); err != nil {
			return err
		}
	}
	if d.r == nil {
		return nil
	}
	player, err := d.play(node)
	if err != nil {
		return d.problem(at, player, err)
	}
	return nil
}

// begin begins a game, and a match where it is not one more of the last.
func (d *sgfGame) begin(at place, node []prop) error {
	if gm, ok := find(node, "GM"); ok && gm != "6" {
		return d.s.fail(at, fmt.Errorf("GM[%s]: not backgammon, which is 6", clip(gm)))
	}
	var m Match
	m.Players[0], _ = find(node, "PW")
	m.Players[1], _ = find(node, "PB")
	m.Event, _ = find(node, "EV")
	m.Round, _ = find(node, "RO")
	m.Place, _ = find(node, "PC")
	m.Date, _ = find(node, "DT")
	m.Line = at.line
	var score [2]int
	number := 0
	for _, p := range node {
		if p.id != "MI" {
			continue
		}
		for _, v := range p.values {
			key, value, _ := strings.Cut(v, ":")
			n, err := strconv.Atoi(strings.TrimSpace(value))
			if err != nil || n < 0 || n > maxLength {
				continue
			}
			switch strings.ToLower(strings.TrimSpace(key)) {
			case "length":
				m.Length = n
			case "game":
				number = n
			case "ws":
				score[0] = n
			case "bs":
				score[1] = n
			}
		}
	}
	if d.m == nil || number == 0 || m.Players != d.m.Players || m.Length != d.m.Length {
		if err := d.endMatch(); err != nil {
			return err
		}
		d.m = &m
	}
	if err := d.addGame(at, Game{Score: score}); err != nil {
		return err
	}
	rules, _ := find(node, "RU")
	for _, rule := range strings.Split(rules, ":") {
		d.g.Crawford = d.g.Crawford || rule == "CrawfordGame"
	}
	d.result, _ = find(node, "RE")
	d.r = newReplay(d.g, d.s.plays, false)
	d.dice, d.roller = [2]int{}, None
	return nil
}

// endGame ends a game by its result: W+2 is two points for White, B+1R one for Black by resignation.
func (d *sgfGame) endGame(at place) error {
	if d.g == nil {
		return d.s.fail(at, errors.New("a game without a node"))
	}
	if d.r == nil {
		return nil
	}
	if d.dice != [2]int{} && !d.r.over {
		if err := d.r.dice(d.roller, d.dice[0], d.dice[1]); err != nil {
			return d.problem(at, d.roller, err)
		}
	}
	color, score, found := strings.Cut(d.result, "+")
	if winner := strings.Index("WB", color); found && len(color) == 1 && winner >= 0 {
		points, err := strconv.Atoi(strings.TrimRight(score, "RrTtFf"))
		if err == nil {
			err = d.r.win(winner, points)
		}
		if err != nil {
			return d.problem(at, None, fmt.Errorf("result RE[%s]: %w", clip(d.result), err))
		}
		d.r = nil
		return nil
	}
	d.r.look()
	d.r = nil
	return nil
}

func colorOf(s string) int {
	switch s = strings.ToLower(s); {
	case strings.HasPrefix(s, "w"):
		return 0
	case strings.HasPrefix(s, "b"):
		return 1
	}
	return None
}

// play plays a node: what is set up, then the move. It returns whose action it was.
func (d *sgfGame) play(node []prop) (player int, err error) {
	if err := d.setUp(node); err != nil {
		return None, err
	}
	if di, ok := find(node, "DI"); ok {
		if len(di) != 2 {
			return None, fmt.Errorf("dice DI[%s]", clip(di))
		}
		d.dice = [2]int{int(di[0]) - '0', int(di[1]) - '0'}
		d.roller = d.r.next()
		if pl, ok := find(node, "PL"); ok {
			d.roller = colorOf(pl)
		}
		if d.roller == None {
			return None, errors.New("dice set for a player who is not named")
		}
	}
	for i, id := range []string{"W", "B"} {
		if v, ok := find(node, id); ok {
			d.dice = [2]int{}
			return i, d.move(i, v)
		}
	}
	return None, nil
}

// setUp takes in a position, a player on roll and a cube that were set.
func (d *sgfGame) setUp(node []prop) error {
	if cv, ok := find(node, "CV"); ok {
		n, err := strconv.Atoi(cv)
		if err != nil || n < 1 || n > maxCube || n&(n-1) != 0 {
			return fmt.Errorf("cube CV[%s]", clip(cv))
		}
		d.r.cube.Value = n
	}
	if co, ok := find(node, "CO"); ok {
		d.r.cube.Owner = colorOf(co)
		if strings.HasPrefix(co, "c") || strings.HasPrefix(co, "n") {
			d.r.cube.Owner = None
		}
	}
	sides := d.sides()
	changed := false
	for _, p := range node {
		if p.id != "AE" && p.id != "AW" && p.id != "AB" {
			continue
		}
		changed = true
		for _, v := range p.values {
			if err := set(&sides, p.id, v); err != nil {
				return err
			}
		}
	}
	pl, ok := find(node, "PL")
	if !changed && (!ok || d.r.offered != None) {
		return nil
	}
	player := d.r.turn
	if ok {
		player = colorOf(pl)
	}
	if player == None {
		player = 0
	}
	board := bg.Board{Me: sides[player], Opp: sides[1-player]}
	if !changed && d.r.turn == None {
		return nil // who begins; the first action shows it, too
	}
	if err := d.r.setUp(board, player); err != nil {
		return fmt.Errorf("position set up: %w", err)
	}
	return nil
}

// sides returns the checkers of both players.
func (d *sgfGame) sides() [2]bg.Side {
	if d.r.turn == 1 {
		return [2]bg.Side{d.r.board.Opp, d.r.board.Me}
	}
	return [2]bg.Side{d.r.board.Me, d.r.board.Opp}
}

// set adds a checker on a point, or empties points: AE[a:y], AW[f].
func set(sides *[2]bg.Side, id, v string) error {
	if v == "" || v[0] < 'a' || v[0] > 'z' {
		return fmt.Errorf("%s[%s]: a point from a to z expected", id, clip(v))
	}
	from, to := v[0], v[0]
	if len(v) == 3 && v[1] == ':' && v[2] >= from && v[2] <= 'z' {
		to = v[2]
	} else if len(v) != 1 {
		return fmt.Errorf("%s[%s]: a point from a to z expected", id, clip(v))
	}
	for c := from; c <= to && c != 'z'; c++ {
		white, black := int(c-'a'), 23-int(c-'a')
		if c == 'y' {
			black = bg.Bar
		}
		switch id {
		case "AE":
			sides[0][white], sides[1][black] = 0, 0
		case "AW":
			sides[0][white] = min(sides[0][white]+1, bg.Checkers+1)
		case "AB":
			sides[1][black] = min(sides[1][black]+1, bg.Checkers+1)
		}
	}
	return nil
}

// move plays the value of B or W: dice and up to four pairs of points, or a word.
func (d *sgfGame) move(player int, v string) error {
	switch v {
	case "double", "redouble":
		if d.r.offered != None && d.r.next() == player {
			return d.r.beaver(player)
		}
		return d.r.double(player)
	case "take":
		return d.r.take(player)
	case "drop", "pass":
		return d.r.drop(player)
	}
	if len(v) < 2 || len(v) > 10 || len(v)%2 != 0 {
		return fmt.Errorf("%q is neither dice with moves nor double, take or drop", clip(v))
	}
	d.steps = d.steps[:0]
	for i := 2; i < len(v); i += 2 {
		from, err := sgfPoint(v[i], player)
		if err != nil {
			return err
		}
		to, err := sgfPoint(v[i+1], player)
		if err != nil {
			return err
		}
		d.steps = append(d.steps, bg.Step{From: from, To: to})
	}
	if err := d.r.roll(player, int(v[0])-'0', int(v[1])-'0', d.steps); err != nil {
		return fmt.Errorf("%q: %w", v, err)
	}
	return nil
}

// sgfPoint returns the point of a letter as a player counts it: 25 the bar, 0 off.
func sgfPoint(c byte, player int) (int, error) {
	switch {
	case c < 'a' || c > 'z':
		return 0, fmt.Errorf("point %q: a to z expected", c)
	case c == 'z':
		return 0, nil
	case c == 'y':
		return bg.Bar + 1, nil
	case player == 0:
		return int(c-'a') + 1, nil
	}
	return 24 - int(c-'a'), nil
}
