package matchfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode"

	"bgtrain/internal/bg"
	"bgtrain/internal/filekind"
	"bgtrain/internal/textfile"
)

// Format is a format of match records.
type Format int

// The formats.
const (
	Unknown Format = iota
	Mat            // .mat, and .txt like it: Jellyfish's text, which most programs write
	SGF            // Smart Game Format, as GNU Backgammon writes it
	XG             // eXtreme Gammon's .xg and .xgp
	IDs            // position IDs, one a line
)

// formatNames are the names of the formats, as --format takes them.
var formatNames = [...]string{"unknown", "mat", "sgf", "xg", "ids"}

// ParseFormat returns the format of a name, Unknown for any other.
func ParseFormat(name string) Format {
	for i, n := range formatNames {
		if n == name {
			return Format(i)
		}
	}
	return Unknown
}

// sniffed is how much of a file is looked at to find its format.
const sniffed = 4 << 10

// Detect returns the format of a file by its beginning.
func Detect(head []byte) Format {
	if bytes.HasPrefix(head, []byte(xgMagic)) {
		return XG
	}
	text := bytes.TrimPrefix(head, []byte("\ufeff"))
	if t := bytes.TrimLeftFunc(text, unicode.IsSpace); bytes.HasPrefix(t, []byte("(;")) {
		return SGF
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if _, ok := parseLength(line); ok || isGame(line) {
			return Mat
		}
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		words := strings.Fields(line)
		if len(words) > 1 && !strings.Contains(words[0], ":") && probability(words[1]) {
			return Unknown // training text, perhaps damaged: an ID with its outputs
		}
		if _, err := parseID(words[0]); err == nil {
			return IDs
		}
	}
	return Unknown
}

// probability reports whether a word is a number from 0 to 1.
func probability(word string) bool {
	v, err := strconv.ParseFloat(word, 32)
	return err == nil && v >= 0 && v <= 1
}

// DetectFile is Detect for a file, which may be compressed.
func DetectFile(path string) (Format, error) {
	f, err := os.Open(path)
	if err != nil {
		return Unknown, err
	}
	defer f.Close()
	br, done, err := textfile.Unpack(f)
	if err != nil {
		return Unknown, fmt.Errorf("%s: %w", path, err)
	}
	defer done()
	head, err := br.Peek(sniffed)
	if err != nil && !errors.Is(err, io.EOF) {
		return Unknown, fmt.Errorf("%s: %w", path, err)
	}
	return Detect(head), nil
}

// Handler is what a reader calls with what it finds.
type Handler struct {
	// Match is given every match, which it may keep. Its error ends the reading.
	Match func(*Match) error

	// Problem is given plays and cube actions that the rules do not allow. With
	// its error, the reading ends; without, the rest of that game is left out and
	// the reading goes on. Where Problem is nil, the first one ends the reading.
	Problem func(*Problem) error
}

var errNoMatch = errors.New("neither a match (.mat, .sgf, .xg) nor a list of position IDs")

// ReadFile reads a file, plain or compressed by gzip, bzip2 or Zstandard, in the format f, where it is Unknown in
// that of its beginning. Bytes are counted in what is unpacked. The error of a file that is no match, or cut off
// or damaged, is a *Problem; matches before it have been handed out then.
func ReadFile(path string, f Format, h Handler) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if err = Read(file, path, f, h); errors.Is(err, errNoMatch) {
		return filekind.Wrong(path, "a match (.mat, .sgf, .xg) or a list of position IDs", err)
	}
	return err
}

// Read is ReadFile for an open file; name is for messages.
func Read(r io.Reader, name string, f Format, h Handler) error {
	br, done, err := textfile.Unpack(r)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	defer done()
	if f == Unknown {
		head, err := br.Peek(sniffed)
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("%s: %w", name, err)
		}
		f = Detect(head)
	}
	s := &sink{name: name, h: h, plays: new(bg.Plays)}
	switch f {
	case Mat:
		return readMat(br, s)
	case SGF:
		return readSGF(br, s)
	case XG:
		return readXG(br, s)
	case IDs:
		return readIDs(br, s)
	}
	return s.fail(place{}, errNoMatch)
}

// ReadAll returns all matches of a file, which has to be without problems.
func ReadAll(path string) ([]*Match, error) {
	var ms []*Match
	err := ReadFile(path, Unknown, Handler{Match: func(m *Match) error {
		ms = append(ms, m)
		return nil
	}})
	return ms, err
}

// place is where in a file a reader is.
type place struct {
	line int
	at   int64
}

// sink is where readers put what they read.
type sink struct {
	name  string
	h     Handler
	plays *bg.Plays
}

// fail returns the error that ends the reading.
func (s *sink) fail(p place, err error) error {
	return &Problem{File: s.name, Line: p.line, Byte: p.at, Err: err}
}

// problem reports a mistake, and returns an error where that ends the reading.
func (s *sink) problem(p *Problem) error {
	if s.h.Problem == nil {
		return p
	}
	return s.h.Problem(p)
}

// match hands a match on.
func (s *sink) match(m *Match) error {
	if s.h.Match == nil {
		return nil
	}
	return s.h.Match(m)
}

// reading is where a reader of any format is: its match and game.
type reading struct {
	s *sink
	m *Match
	g *Game
	r *replay // nil where the rest of the game is left out
}

// addGame begins a game of the match, but for its replay.
func (d *reading) addGame(at place, g Game) error {
	if len(d.m.Games) == maxGames {
		return d.s.fail(at, fmt.Errorf("more than %d games in a match", maxGames))
	}
	g.Number = len(d.m.Games) + 1
	d.m.Games = append(d.m.Games, g)
	d.g = &d.m.Games[len(d.m.Games)-1]
	return nil
}

// problem reports an error of the game, by a player or None, and leaves the rest of the game out.
func (d *reading) problem(at place, player int, err error) error {
	p := &Problem{File: d.s.name, Line: at.line, Byte: at.at, Game: d.g.Number, Move: d.r.move(player), Err: err}
	if player != None {
		p.Player = d.m.Players[player]
	}
	d.r = nil
	return d.s.problem(p)
}

// endGame ends the game, if any, at the position that it stops at.
func (d *reading) endGame() {
	if d.r != nil {
		d.r.look()
	}
	d.g, d.r = nil, nil
}

// endMatch hands the match on, if there is one with games.
func (d *reading) endMatch() error {
	m := d.m
	d.m = nil
	if m == nil || len(m.Games) == 0 {
		return nil
	}
	return d.s.match(m)
}
