package match

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"bgtrain/benchmark/opponents"
	"bgtrain/dataset/matchfile"
	"bgtrain/internal/bgtest"
	"bgtrain/internal/cube"
	"bgtrain/internal/cube/met"
)

// writtenMatch is a small match of each kind: two players and what they play.
func writtenMatch(t *testing.T, length int) (a, b opponents.Player, o Options) {
	t.Helper()
	a = &opponents.NetPlayer{Net: bgtest.Player(t, 1), Label: "a:0 (no bearoff database)"}
	b = &opponents.NetPlayer{Net: bgtest.Player(t, 2), Label: "b:0"}
	o = Options{Games: 4, Seed: 3, Workers: 3, Cube: &[2]cube.Model{cube.Janowski{Life: 0.7, Opponent: 0.7},
		cube.Janowski{Life: 0.5, Opponent: 0.5}}}
	if o.Length = length; length > 0 {
		table, err := (*met.Table)(nil).OrDefault()
		if err != nil {
			t.Fatal(err)
		}
		o.Table = table
	}
	return a, b, o
}

// Games that are written down are those that are played, and the files that they are in give them back.
func TestWrittenGamesAreThosePlayed(t *testing.T) {
	for _, length := range []int{0, 3} {
		a, b, o := writtenMatch(t, length)
		want := play(t, a, b, o).Games
		dir := filepath.Join(t.TempDir(), "games")
		var text strings.Builder
		w, err := NewWritten(dir, &text, nil)
		if err != nil {
			t.Fatal(err)
		}
		o.Written = w.Add
		got := play(t, a, b, o).Games
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("written down, other games were played: %+v, %+v", got, want)
		}
		for i, g := range want {
			path := filepath.Join(dir, fmt.Sprintf("game-%06d.mat", i+1))
			ms, err := matchfile.ReadAll(path)
			if err != nil || len(ms) != 1 {
				t.Fatalf("%s: %d matches, %v", path, len(ms), err)
			}
			if err := sameGame(ms[0], &g, length); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
		before := -1
		for i := range want { // in the order of their numbers, whatever worker was first
			at := strings.Index(text.String(), fmt.Sprintf("game %d, seed 3", i+1))
			if at <= before {
				t.Errorf("boards of game %d at %d, of the one before at %d", i+1, at, before)
			}
			before = at
		}
	}
}

// sameGame holds what was read to what was played.
func sameGame(m *matchfile.Match, g *Game, length int) error {
	if names := [2]string{"a 0 (no bearoff database)", "b 0"}; m.Players != names || m.Length != length {
		return fmt.Errorf("players %q, length %d", m.Players, m.Length)
	}
	last := &m.Games[len(m.Games)-1]
	turns := 0
	for i := range m.Games {
		for k := range m.Games[i].Actions {
			if m.Games[i].Actions[k].Kind == matchfile.Play {
				turns++
			}
		}
	}
	score := last.Score
	score[last.Winner] += last.Points
	want := g.Score
	if length == 0 {
		want = [2]int{max(g.Points, 0), max(-g.Points, 0)}
	}
	if turns != g.Turns || score != want || last.Resigned || length > 0 && len(m.Games) != g.Outcome.Games {
		return fmt.Errorf("%d rolls, score %v, %d games; %+v was played", turns, score, len(m.Games), *g)
	}
	return nil
}

func TestWrittenGoesOn(t *testing.T) {
	dir := t.TempDir()
	var text strings.Builder
	a, b, o := writtenMatch(t, 0)
	w, err := NewWritten(dir, &text, nil)
	if err != nil {
		t.Fatal(err)
	}
	o.Workers, o.Written = 1, w.Add
	stop := errors.New("stop")
	o.Record = func(g Game) error {
		if g.Number == 1 {
			return stop
		}
		return nil
	}
	m, err := Play(context.Background(), a, b, o)
	if !errors.Is(err, stop) {
		t.Fatal(err)
	}
	if _, err := NewWritten(dir, nil, nil); err == nil || !strings.Contains(err.Error(), "game-000001.mat is there") {
		t.Errorf("files of another match: %v", err)
	}
	if w, err = NewWritten(dir, &text, m.Games); err != nil {
		t.Fatal(err)
	}
	o.Finished, o.Record, o.Written = m.Games, nil, w.Add
	play(t, a, b, o)
	if files, err := os.ReadDir(dir); err != nil || len(files) != 4 {
		t.Errorf("%d files, %v", len(files), err)
	}
	for i := range 4 {
		if n := strings.Count(text.String(), fmt.Sprintf("game %d, seed 3", i+1)); n != 1 {
			t.Errorf("game %d is %d times among the boards", i+1, n)
		}
	}
}

// Another player in A's place has the same rolls: A itself does exactly as well, and the difference is that of the
// means with a smaller error than two matches would give.
func TestInstead(t *testing.T) {
	for _, duplicate := range []bool{false, true} {
		o := Options{Games: 200, Seed: 2, Duplicate: duplicate}
		base := play(t, opponents.PubEval{}, opponents.PubEval{}, o)
		if same := base.Instead(base); same.Difference.Mean != 0 || same.Difference.SE != 0 {
			t.Errorf("A in A's place: %+v", same.Difference)
		}
		other := play(t, opponents.Random{}, opponents.PubEval{}, o)
		c := base.Instead(other)
		x, y := base.Summary(), other.Summary()
		if d := c.Difference.Mean - (y.Points.Mean - x.Points.Mean); d > 1e-12 || d < -1e-12 ||
			c.WinsDifference.Mean > -0.3 || c.A != "random" {
			t.Errorf("difference %+v of %+v and %+v", c.Difference, y.Points, x.Points)
		}
		other.Games = other.Games[3:]
		if c := base.Instead(other); c.Difference.SE == 0 || c.Difference.Mean > -0.5 {
			t.Errorf("with games missing: %+v", c.Difference)
		}
	}
}
