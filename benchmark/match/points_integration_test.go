//go:build integration

package match

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"bgtrain/benchmark/opponents"
	"bgtrain/dataset/matchfile"
	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/cube/met"
	"bgtrain/internal/gnubgtest"
)

// A running GNU Backgammon and its nets here with the model gnubg judge the same
// cube decisions and choose the same plays, for money and at scores.
func TestCubeOfGNUbg(t *testing.T) {
	table, err := met.Open("")
	if err != nil {
		t.Fatal(err)
	}
	real, err := realGNUbg(t, 0).NewMover()
	if err != nil {
		t.Fatal(err)
	}
	defer real.(opponents.Closer).Close()
	own, err := importedNets(t, 0, 0).NewMover()
	if err != nil {
		t.Fatal(err)
	}
	states := []cube.State{
		cube.Money, {Cube: 2, Owner: cube.Owned},
		{Cube: 1, Table: table, Away: 7, Opponent: 7}, {Cube: 2, Owner: cube.Owned, Table: table, Away: 3, Opponent: 5},
		{Cube: 1, Table: table, Away: 1, Opponent: 3, Crawford: true}, {Cube: 1, Table: table, Away: 4, Opponent: 1},
		{Cube: 2, Owner: cube.OpponentOwned, Table: table, Away: 9, Opponent: 2}, {Cube: 1, Table: table, Away: 1,
			Opponent: 1},
	}
	dice := NewDice(11, 0)
	b := bg.Start
	plays, same := 0, 0
	for n := 0; n < 120; n++ {
		s := &states[n%len(states)]
		theirs, err := opponents.Decide(real, &b, s, cube.GNUbg{})
		if err != nil {
			t.Fatal(err)
		}
		ours, err := opponents.Decide(own, &b, s, cube.GNUbg{})
		if err != nil {
			t.Fatal(err)
		}
		if theirs.Action != ours.Action || math.Abs(theirs.NoDouble-ours.NoDouble) > 0.003 ||
			math.Abs(theirs.DoubleTake-ours.DoubleTake) > 0.006 {
			t.Errorf("%s, %+v: GNU Backgammon %+v, here %+v", b.Key(), *s, theirs, ours)
		}
		d1, d2 := dice.Roll()
		x, err := real.(opponents.ScoreMover).PlayAt(&b, d1, d2, s, cube.GNUbg{})
		if err != nil {
			t.Fatal(err)
		}
		y, err := own.(opponents.ScoreMover).PlayAt(&b, d1, d2, s, cube.GNUbg{})
		if err != nil {
			t.Fatal(err)
		}
		plays++
		if x == y {
			same++
		}
		if b = x; b.Points() > 0 {
			b = bg.Start
		}
	}
	// GNU Backgammon's pruning nets drop some plays, ties are broken otherwise.
	if same < plays*9/10 {
		t.Errorf("%d of %d plays the same", same, plays)
	}
	t.Logf("%d of %d plays the same", same, plays)
}

// Matches against a running GNU Backgammon, which handles its own cube.
func TestMatchToPointsAgainstGNUbg(t *testing.T) {
	gnubgtest.Binary(t)
	table, err := met.Open("")
	if err != nil {
		t.Fatal(err)
	}
	m, err := Play(context.Background(), importedNets(t, 0, 16), realGNUbg(t, 0), Options{
		Games: 4, Length: 3, Table: table, Workers: 2, Seed: 3, Cube: &[2]cube.Model{cube.Janowski{Life: 0.7,
			Opponent: 0.7}, cube.GNUbg{}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range m.Games {
		if g.Games < 1 || max(g.Score[0], g.Score[1]) < 3 || min(g.Score[0], g.Score[1]) > 2 ||
			(g.Points > 0) != (g.Score[0] >= 3) {
			t.Errorf("%+v", g)
		}
	}
}

// Matches that are written down are read by GNU Backgammon, which writes the same ones again.
func TestSavedMatchesReadByGNUbg(t *testing.T) {
	for _, length := range []int{0, 3} {
		a, b, o := writtenMatch(t, length)
		dir := t.TempDir()
		w, err := NewWritten(dir, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		o.Written = w.Add
		play(t, a, b, o)
		for n := range o.Games {
			ours := filepath.Join(dir, fmt.Sprintf("game-%06d.mat", n+1))
			theirs := filepath.Join(dir, "theirs.mat")
			cmd := exec.Command(gnubgtest.Binary(t), "-t", "-q")
			cmd.Stdin = strings.NewReader("set lang en\nimport mat " + ours + "\nexport match mat " + theirs + "\n")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			var games [2][]matchfile.Game
			for i, path := range []string{ours, theirs} {
				ms, err := matchfile.ReadAll(path)
				if err != nil {
					t.Fatal(err)
				}
				games[i] = ms[0].Games
			}
			if !reflect.DeepEqual(games[0], games[1]) {
				t.Errorf("to %d points, match %d: GNU Backgammon makes other games of it", length, n+1)
			}
			if err := os.Remove(theirs); err != nil {
				t.Fatal(err)
			}
		}
	}
}
