package match

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"bgtrain/dataset/matchfile"
	"bgtrain/internal/atomicfile"
)

// Written keeps the games of a match as they are played, for Options.Written: in .mat
// files, one a game or match to a number of points, and as text with boards.
type Written struct {
	dir    string
	boards io.Writer

	waiting map[int]*matchfile.Match // games for boards that finished before an earlier one
	next    int                      // game that boards come to next
	skip    map[int]bool             // games that are not played again
}

// NewWritten returns a Written for files in the directory dir, which is made and has to be
// empty unless the match goes on, and for boards; "" and nil are for none. finished are the
// games of an earlier run, which are not played again.
func NewWritten(dir string, boards io.Writer, finished []Game) (*Written, error) {
	t := &Written{dir: dir, boards: boards, waiting: map[int]*matchfile.Match{}, skip: map[int]bool{}}
	for _, g := range finished {
		t.skip[g.Number] = true
	}
	if dir == "" {
		return t, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("directory for games: %w", err)
	}
	there, err := os.ReadDir(dir)
	if err == nil && len(there) > 0 && len(finished) == 0 {
		err = fmt.Errorf("%s is there already: an empty directory expected", filepath.Join(dir, there[0].Name()))
	}
	return t, err
}

// Add takes a game; its number is Game.Number.
func (t *Written) Add(number int, m *matchfile.Match) error {
	if t.dir != "" {
		path := filepath.Join(t.dir, fmt.Sprintf("game-%06d.mat", number+1))
		err := atomicfile.Write(path, func(w io.Writer) error { return matchfile.WriteMat(w, m) })
		if err != nil {
			return err
		}
	}
	if t.boards == nil {
		return nil
	}
	t.waiting[number] = m
	for {
		if m := t.waiting[t.next]; m != nil {
			if err := matchfile.WriteBoards(t.boards, m); err != nil {
				return err
			}
			delete(t.waiting, t.next)
		} else if !t.skip[t.next] {
			return nil
		}
		t.next++
	}
}

// Close writes the boards of games that were finished though an earlier one was not.
func (t *Written) Close() error {
	var numbers []int
	for n := range t.waiting {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	var err error
	for _, n := range numbers {
		err = errors.Join(err, matchfile.WriteBoards(t.boards, t.waiting[n]))
	}
	return err
}
