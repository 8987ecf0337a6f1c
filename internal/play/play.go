// Package play lets a person play against a net in a terminal: lines in, text
// out, and the match written down as .mat after every action.
package play

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"

	"bgtrain/benchmark/analyze"
	"bgtrain/dataset/matchfile"
	"bgtrain/internal/atomicfile"
	"bgtrain/internal/protocol"
	"bgtrain/internal/setting"
)

// The players of a match: the person is the first.
const (
	you = 0
	net = 1
)

// Settings are those of a match.
type Settings struct {
	Length int    // points; 0 for money
	Seed   uint64 // of the dice: the n-th roll of a game depends on it and on nothing else; 0: one by chance
	File   string // the match, .mat; one that is there goes on
	Name   string // of the person
	Net    string // of the net

	Tutor     bool    // ask before what loses more than Threshold
	Threshold float64 // points, in a match normalized

	Color bool // what is shown may have ANSI colors
}

// Defaults are the settings of the command.
var Defaults = Settings{Name: "You", Threshold: 0.04}

// List returns the settings.
func (s *Settings) List() setting.List {
	return setting.List{
		{Name: "length", To: &s.Length, Range: setting.From(0, 1e6), Help: "points of the match; 0 plays for money"},
		{Name: "seed", To: &s.Seed, Help: "seed of the dice; without it, or 0, another one each time"},
		{Name: "match", To: &s.File, Help: "the match, .mat: written after every action; one that is there goes on"},
		{Name: "name", To: &s.Name, Help: "your name"},
		{Name: "tutor", To: &s.Tutor, Help: "ask before a play or a cube action that loses much; 'tutor' in the game"},
		{Name: "tutor-loss", To: &s.Threshold, Range: setting.From(0, 10),
			Help: "loss in points above which the tutor asks"},
	}
}

// Play plays a match, or games for money until the person has enough.
func Play(ctx context.Context, in io.Reader, out io.Writer, brain *protocol.Brain, s Settings) error {
	for s.Seed == 0 {
		s.Seed = uint64(rand.Uint32()) // short enough to be typed
	}
	s.Name, s.Net = plain(s.Name), plain(s.Net)
	t := &table{Match: Match{brain: brain, s: s}, ctx: ctx, lines: readLines(in), out: out, sums: map[int]analyze.Sum{}}
	if err := t.open(); err != nil {
		return err
	}
	t.say("%s against %s: %s, dice of seed %d.\n'help' tells what can be typed.", s.Name, s.Net, t.length(), s.Seed)
	t.sayKept()
	for t.rec.Playing() || t.rec.Winner() == matchfile.None {
		if err := t.next(); err != nil {
			if errors.Is(err, errQuit) {
				t.sayTotal()
				t.sayKept()
				return nil
			}
			return err
		}
	}
	t.sayTotal()
	t.sayKept()
	return nil
}

// next begins a game where none is in progress, and lets who has to act do so.
func (t *table) next() error {
	if !t.rec.Playing() {
		if err := t.rec.BeginGame(); err != nil {
			return err
		}
		score := t.rec.Score()
		t.say("\nGame %d: %s %d, %s %d%s", t.rec.Game().Number, t.s.Name, score[you], t.s.Net, score[net],
			t.crawford())
	}
	err := t.step()
	if err != nil && !errors.Is(err, errQuit) {
		return err
	}
	if err := t.save(); err != nil {
		return err
	}
	if err == nil && !t.rec.Playing() {
		t.sayResult()
	}
	return err
}

// errQuit ends the session, not the match.
var errQuit = errors.New("quit")

// table is a match in play.
type table struct {
	Match
	ctx   context.Context
	lines <-chan string
	typed string // the last line as it was typed
	out   io.Writer

	sums      map[int]analyze.Sum // how the person did, by the index of a game that has ended
	explained bool                // what the sums mean
}

func (t *table) say(format string, args ...any) { fmt.Fprintf(t.out, format+"\n", args...) }

func (t *table) length() string {
	if t.s.Length == 0 {
		return "for money"
	}
	return fmt.Sprintf("a match to %d", t.s.Length)
}

func (t *table) crawford() string {
	if t.rec.Game().Crawford {
		return ", the Crawford game: no doubling"
	}
	return ""
}

// open begins the match, or reads the one in the file.
func (t *table) open() error {
	m := &matchfile.Match{Players: [2]string{t.s.Name, t.s.Net}, Length: t.s.Length}
	if t.s.File != "" {
		ms, err := matchfile.ReadAll(t.s.File)
		switch {
		case errors.Is(err, os.ErrNotExist):
		case err != nil:
			return err
		case len(ms) != 1:
			return fmt.Errorf("go on with %s: %d matches in it, one expected", t.s.File, len(ms))
		default:
			m = ms[0]
			t.s.Length = m.Length
			t.say("Going on with %s.", plain(t.s.File))
		}
	}
	if t.s.File != "" {
		err := atomicfile.CheckFolder(t.s.File)
		if err == nil {
			err = atomicfile.CheckWritable(t.s.File, true, false)
		}
		if err != nil {
			return fmt.Errorf("keep the match in %s: %w", t.s.File, err)
		}
	}
	var err error
	t.rec, err = matchfile.NewRecorder(m)
	return err
}

func (t *table) save() error {
	if t.s.File == "" {
		return nil
	}
	return atomicfile.Write(t.s.File, func(w io.Writer) error { return matchfile.WriteMat(w, t.rec.Match()) })
}
