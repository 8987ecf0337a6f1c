package match

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"bgtrain/internal/atomicfile"
	"bgtrain/internal/identity"
)

func TestGameLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games")
	games := []Game{
		{2, Outcome{Points: -3, Cube: 1, Turns: 70, Luck: 0.1234567890123}},
		{0, Outcome{Points: 4, Cube: 4, Passed: true, Turns: 20}},
		{7, Outcome{Points: 1, Cube: 4, Turns: 200, Games: 3, Score: [2]int{7, 5}}},
	}
	open := func() *GameLog {
		l, err := OpenGameLog(path, identity.ID{"a": "a", "b": "b"})
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	l := open()
	for _, g := range games {
		if err := l.Add(g); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	l = open()
	if !reflect.DeepEqual(l.Finished, games) {
		t.Errorf("read back %+v", l.Finished)
	}
	l.Close()

	// Killed while it wrote: the cut-off line is gone, then it goes on.
	data, _ := os.ReadFile(path)
	if err := os.WriteFile(path, data[:len(data)-3], 0o644); err != nil {
		t.Fatal(err)
	}
	l = open()
	if !reflect.DeepEqual(l.Finished, games[:2]) {
		t.Errorf("read back %+v", l.Finished)
	}
	l.Add(games[2])
	l.Close()
	if again, _ := os.ReadFile(path); string(again) != string(data) {
		t.Errorf("log is %q, was %q", again, data)
	}

	if _, err := OpenGameLog(path, identity.ID{"a": "a", "b": "c"}); !errors.Is(err, identity.ErrOther) {
		t.Errorf("error %v", err)
	}
	l = open()
	if _, err := OpenGameLog(path, identity.ID{"a": "a", "b": "b"}); !errors.Is(err, atomicfile.ErrLocked) {
		t.Errorf("two at once: %v", err)
	}
	if err := l.Add(games[0]); err != nil { // a second time
		t.Fatal(err)
	}
	l.Close()
	if _, err := OpenGameLog(path, identity.ID{"a": "a", "b": "b"}); err == nil ||
		!strings.HasPrefix(err.Error(), path+":5: game 2 was there before") {
		t.Errorf("error %v", err)
	}
}

func TestParseGameRefuses(t *testing.T) {
	for _, text := range []string{"1 -6 2 false 0.25 70", "1 1 4 false 0 70 3 7 5"} {
		if _, err := parseGame(text); err != nil {
			t.Fatal(err)
		}
	}
	for _, text := range []string{
		"", "1 2 3", "1 -6 2 false 0.25 70 8", " 1 -6 2 false 0.25 70", "1_3 -6 2 false 0.25 70", "-1 -6 2 false 0.25 70",
		"1 100000000 2 false 0.25 70", "1 0 2 false 0.25 70", "1 8 2 false 0.25 70",
		"1 -6 0 false 0.25 70", "1 9 3 false 0.25 70", "1 -6 2 maybe 0.25 70", "1 -6 2 T 0.25 70",
		"1 2 4 false 0 70 3 7 5", "1 1 4 false 0 70 0 7 5", "1 1 4 false 0 70 3 7 7", "1 1 4 false 0 70 3 7",
		"1 -6 2 false NaN 70", "1 -6 2 false Inf 70", "1 -6 2 false x 70", "1 -6 2 false 0.25 0", "1 -6 2 false 0.25 7.5",
	} {
		if g, err := parseGame(text); err == nil {
			t.Errorf("%q is the game %+v", text, g)
		}
	}
}

func FuzzParseGame(f *testing.F) {
	f.Add("2 -3 1 false 0.25 70")
	f.Add("0 4 4 true 0 20")
	f.Fuzz(func(t *testing.T, text string) {
		g, err := parseGame(text)
		if err == nil && (g.Number < 0 || g.Points == 0 || max(g.Points, -g.Points) > 3*g.Cube || g.Turns < 1) {
			t.Errorf("%+v", g)
		}
	})
}
