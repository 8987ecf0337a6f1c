package match

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestGameLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games")
	games := []Game{
		{2, Outcome{Points: -3, Cube: 1, Turns: 70, Luck: 0.1234567890123}},
		{0, Outcome{Points: 4, Cube: 4, Passed: true, Turns: 20}},
	}
	open := func() *GameLog {
		l, err := OpenGameLog(path, "a against b")
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
	if !reflect.DeepEqual(l.Finished, games[:1]) {
		t.Errorf("read back %+v", l.Finished)
	}
	l.Add(games[1])
	l.Close()
	if again, _ := os.ReadFile(path); string(again) != string(data) {
		t.Errorf("log is %q, was %q", again, data)
	}

	if _, err := OpenGameLog(path, "a against c"); err == nil || !strings.Contains(err.Error(), "another match") {
		t.Errorf("error %v", err)
	}
	os.WriteFile(path, append(data, "7 what\n"...), 0o644)
	if _, err := OpenGameLog(path, "a against b"); err == nil || !strings.HasPrefix(err.Error(), path+":4: ") {
		t.Errorf("error %v", err)
	}
	os.WriteFile(path, []byte("something else"), 0o644)
	if _, err := OpenGameLog(path, "a against b"); err == nil {
		t.Error("any file is a log")
	}
	if data, _ := os.ReadFile(path); string(data) != "something else" {
		t.Error("the file was changed")
	}
}

func FuzzParseGames(f *testing.F) {
	f.Add([]byte("2 -3 1 false 0.25 70\n0 4 4 true 0 20\n"))
	f.Add([]byte("1 2 3"))
	f.Fuzz(func(t *testing.T, text []byte) {
		games, err := parseGames("x", text)
		if err != nil && games != nil {
			t.Error("games beside an error")
		}
		for _, g := range games {
			if g.Number < 0 || g.Points == 0 || g.Cube < 1 || g.Turns < 1 {
				t.Errorf("%+v", g)
			}
		}
	})
}
