package match

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// GameLog is a text file of the finished games of a match, one line each, so
// that an interrupted match can go on. Its first line says which match it is.
type GameLog struct {
	Finished []Game // what the file held when it was opened
	f        *os.File
}

const gameLogTitle = "# bgtrain games of "

// OpenGameLog opens or begins the log of a match, described by one line of text:
// two matches with the same description must have the same games. A log of
// another match is an error. A last line that was cut off is removed.
func OpenGameLog(path, match string) (*GameLog, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	l := &GameLog{f: f}
	if err := l.load(path, match); err != nil {
		f.Close()
		return nil, err
	}
	return l, nil
}

// load reads the log and leaves the file at its end.
func (l *GameLog) load(path, match string) error {
	data, err := io.ReadAll(l.f)
	if err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	whole := bytes.LastIndexByte(data, '\n') + 1
	title := gameLogTitle + match + "\n"
	if whole == 0 {
		if len(data) > 0 && !bytes.HasPrefix([]byte(title), data) {
			return fmt.Errorf("%s: not a log of games", path)
		}
	} else if first, rest, _ := bytes.Cut(data[:whole], []byte("\n")); string(first)+"\n" != title {
		return fmt.Errorf("%s:1: log of another match: %q, %q expected", path, first, title[:len(title)-1])
	} else if l.Finished, err = parseGames(path, rest); err != nil {
		return err
	}
	if err := l.f.Truncate(int64(whole)); err != nil {
		return err
	}
	if _, err := l.f.Seek(int64(whole), io.SeekStart); err != nil {
		return err
	}
	if whole == 0 {
		_, err = l.f.WriteString(title)
	}
	return err
}

func parseGames(path string, text []byte) ([]Game, error) {
	var games []Game
	for n, line := range bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n")) {
		if len(line) == 0 {
			continue
		}
		var g Game
		k, err := fmt.Sscan(string(line), &g.Number, &g.Points, &g.Cube, &g.Passed, &g.Luck, &g.Turns)
		if fields := bytes.Fields(line); err == nil && len(fields) == 9 {
			_, err = fmt.Sscan(string(bytes.Join(fields[6:], []byte(" "))), &g.Games, &g.Score[0], &g.Score[1])
		}
		if err != nil || g.Number < 0 || g.Points == 0 || g.Cube < 1 || g.Turns < 1 {
			return nil, fmt.Errorf("%s:%d: %d of 6 values of a game in %.40q", path, n+2, k, line)
		}
		games = append(games, g)
	}
	return games, nil
}

// Add appends a game, or a match to a number of points with its games and score.
func (l *GameLog) Add(g Game) error {
	line := fmt.Sprintf("%d %d %d %t %v %d", g.Number, g.Points, g.Cube, g.Passed, g.Luck, g.Turns)
	if g.Games > 0 {
		line += fmt.Sprintf(" %d %d %d", g.Games, g.Score[0], g.Score[1])
	}
	_, err := l.f.WriteString(line + "\n")
	return err
}

// Close flushes the log to the disk.
func (l *GameLog) Close() error { return errors.Join(l.f.Sync(), l.f.Close()) }
