package match

import (
	"fmt"
	"strconv"
	"strings"

	"bgtrain/internal/identity"
	"bgtrain/internal/journal"
)

// GameLog is the journal of the finished games of a match, so that an interrupted
// match can go on. A record is a game: its number, A's points, the cube, whether a
// pass ended it, A's luck, and the rolls; of a match to a number of points also the
// games and the score.
type GameLog struct {
	Finished []Game // what the log held when it was opened
	j        *journal.Journal
}

// OpenGameLog opens or begins the log of a match; id is what its games depend on. See
// journal.Open for its errors.
func OpenGameLog(path string, id identity.ID) (*GameLog, error) {
	l := &GameLog{}
	seen := map[int]bool{}
	var err error
	l.j, err = journal.Open(path, "games", id, func(record string) error {
		g, err := parseGame(record)
		if err != nil {
			return err
		}
		if seen[g.Number] {
			return fmt.Errorf("game %d was there before", g.Number)
		}
		seen[g.Number] = true
		l.Finished = append(l.Finished, g)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return l, nil
}

// largestCube is more than any cube comes to.
const largestCube = 1 << 20

// parseGame reads a record.
func parseGame(text string) (g Game, err error) {
	bad := func(what, found string) (Game, error) {
		return Game{}, fmt.Errorf("%s expected, found %.40q in the game %.80q", what, found, text)
	}
	f := strings.Split(text, " ")
	if len(f) != 6 && len(f) != 9 {
		return bad("6 or 9 values", strconv.Itoa(len(f)))
	}
	n := make([]int, len(f))
	for i, v := range f {
		if i == 3 || i == 4 {
			continue
		}
		if n[i], err = strconv.Atoi(v); err != nil || i != 1 && n[i] < 0 {
			return bad("a number", v)
		}
	}
	g.Number, g.Points, g.Cube, g.Turns = n[0], n[1], n[2], n[5]
	most := 3 * g.Cube
	if len(f) == 9 { // a match to a number of points
		most, g.Games, g.Score = 1, n[6], [2]int{n[7], n[8]}
	}
	switch {
	case g.Cube < 1 || g.Cube > largestCube || g.Cube&(g.Cube-1) != 0:
		return bad("a cube", f[2])
	case g.Points == 0 || max(g.Points, -g.Points) > most:
		return bad("points", f[1])
	case g.Turns < 1:
		return bad("the number of rolls", f[5])
	case len(f) == 9 && (g.Games < 1 || g.Score[0] == g.Score[1]):
		return bad("games and a score", strings.Join(f[6:], " "))
	}
	if g.Passed, err = strconv.ParseBool(f[3]); err != nil || len(f[3]) < len("true") {
		return bad("true or false", f[3])
	}
	if g.Luck, err = strconv.ParseFloat(f[4], 64); err != nil || g.Luck-g.Luck != 0 {
		return bad("luck", f[4])
	}
	return g, nil
}

// Cut returns how many bytes at the end of the log were damaged and are gone.
func (l *GameLog) Cut() int64 { return l.j.Cut() }

// Add appends a game, or a match to a number of points with its games and score.
func (l *GameLog) Add(g Game) error {
	text := fmt.Sprintf("%d %d %d %t %v %d", g.Number, g.Points, g.Cube, g.Passed, g.Luck, g.Turns)
	if g.Games > 0 {
		text += fmt.Sprintf(" %d %d %d", g.Games, g.Score[0], g.Score[1])
	}
	return l.j.Add(text)
}

// Close closes the log.
func (l *GameLog) Close() error { return l.j.Close() }
