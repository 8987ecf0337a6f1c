package job

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/bgtest"
	"bgtrain/internal/cube"
	"bgtrain/internal/cube/met"
	"bgtrain/rollout"
)

// asked are decisions and plays in all kinds of states.
func asked(t *testing.T, model cube.Model, beavers bool) (all []*Asked) {
	t.Helper()
	table, err := met.Open("")
	if err != nil {
		t.Fatal(err)
	}
	boards := bgtest.Distinct(7, 8)
	for i, s := range []cube.State{
		cube.Money, {Cube: 1, Jacoby: true}, {Cube: 4, Owner: cube.Owned}, {Cube: 2, Owner: cube.OpponentOwned},
		{Cube: 2, Owner: cube.Owned, Table: table, Away: 5, Opponent: 3},
		{Cube: 1, Table: table, Away: 1, Opponent: 4, Crawford: true}, {Cube: 1, Table: table, Away: 4, Opponent: 1},
		{Cube: 1, Table: table, Away: 13, Opponent: 2},
	} {
		a := &Asked{ID: cube.ID{Board: boards[i], State: s}, Plays: 3,
			Handling: cube.Handling{Model: model, Beavers: beavers && s.Table == nil}}
		if i%3 == 1 {
			a.Dice = [2]int{1 + i/2, 2}
		}
		all = append(all, a)
	}
	return all
}

func texts(t *testing.T, answers []*Answer) string {
	t.Helper()
	for _, a := range answers {
		for _, r := range a.Results {
			if d, ok := r.(*RolledCube); ok {
				d.Elapsed = 0
			}
		}
	}
	text, err := json.Marshal(answers)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// In parts, positions have the results that they have on their own, to the bit, for any
// number of workers, also where a target ends rollouts early or a run goes on after an error.
func TestAskedFile(t *testing.T) {
	trials := 220
	if testing.Short() {
		trials = 80
	}
	for _, target := range []float64{0, 0.15} {
		have := Nets{}
		s := cubeSettings(t, "janowski=0.7", "")
		s.Kind, s.Cube.Beavers = Trials, target == 0
		s.Player = Player{Net: have.Add(randomNets(1, 8)), TwoSided: 2}
		s.Rollout.Trials, s.Rollout.Truncate, s.Rollout.TargetSE = trials, 3, target
		if target == 0 {
			s.Rollout.Luck = rollout.LuckFull
		}
		j := openJob(t, s, have)
		all := asked(t, s.Cube.Model, s.Cube.Beavers)
		if testing.Short() {
			all = all[3:6] // one with dice, two with a table
		}
		var plain []*Answer
		for _, a := range all {
			answer, err := j.RollOut(t.Context(), a, 2, nil)
			if err != nil {
				t.Fatal(err)
			}
			plain = append(plain, answer)
		}
		want := texts(t, plain)
		var file []byte
		for _, workers := range []int{1, 3} {
			f := AskedFile{Output: filepath.Join(t.TempDir(), "a.json"), Asked: all}
			resumed, most := 0, 0
			f.Resumed = func(parts int) { resumed = parts }
			f.Progress = func(done, total int) { most = max(most, total) }
			f.Runner = failing{Local{workers}, 5}
			if _, err := f.Make(t.Context(), j); err == nil {
				t.Fatal("no error")
			}
			f.Runner = Local{workers}
			answers, err := f.Make(t.Context(), j)
			if err != nil {
				t.Fatal(err)
			}
			if got := texts(t, answers); got != want {
				t.Errorf("%d workers, target %g: %s, on their own %s", workers, target, got, want)
			}
			if resumed < 1 || most != 3*trials {
				t.Errorf("went on after %d parts; %d trials", resumed, most)
			}
			text, err := os.ReadFile(f.Output)
			if file == nil {
				file = text
			}
			if err != nil || string(text) != string(file) {
				t.Errorf("another file: %v, %s", err, text)
			}
			if left, _ := filepath.Glob(f.Output + ".*"); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
		}
	}
}

// failing is a runner that fails after some parts.
type failing struct {
	Local
	parts int
}

func (f failing) Run(ctx context.Context, t *Task) error {
	put, n := t.Put, 0
	t.Put = func(i int, rows [][]dataset.Row) error {
		if n++; n > f.parts {
			return fmt.Errorf("part %d fails", n)
		}
		return put(i, rows)
	}
	return Local{1}.Run(ctx, t)
}

// Rows that are no trials, and parts that are none of theirs, are told.
func TestBadTrials(t *testing.T) {
	have := Nets{}
	s := cubeSettings(t, "gnubg", "")
	s.Kind, s.Player = Trials, Player{Net: have.Add(randomNets(1, 8)), TwoSided: 2}
	j := openJob(t, s, have)
	a := &Asked{ID: cube.ID{Board: bgtest.Distinct(9, 1)[0], State: cube.State{Cube: 2, Owner: cube.OpponentOwned}}}
	key := a.Board.Key()
	rows, err := j.New()(t.Context(), []dataset.Row{{Key: key, Source: a.xgid() + " no-double 0 36"}})
	if err != nil || j.Check(&rows[0]) != nil || dataset.CheckRow(&rows[0]) != nil {
		t.Fatalf("%v: %+v", err, rows)
	}
	for _, end := range []string{"", " double 0 36", " no-double 0 37", " no-double 36 72", " no-double+double 0 36", " + 0 36", " no-double 5 5",
		" no-double -1 3", " AAAA 0 36", " no-double a b"} {
		if _, err := j.New()(t.Context(), []dataset.Row{{Key: key, Source: a.xgid() + end}}); err == nil {
			t.Errorf("%q was played", end)
		}
	}
	over := bg.Board{Me: bg.Start.Me}
	if _, err := j.New()(t.Context(), []dataset.Row{{Key: over.Key(), Source: rows[0].Source}}); err == nil {
		t.Error("a game that is over was played")
	}
	for _, method := range []string{"", "?", rows[0].Method[4:], "AAAAAAAA8H8="} {
		source := rows[0].Source
		if method == "AAAAAAAA8H8=" { // infinity
			source = a.xgid() + " no-double 0 1"
		}
		if err := j.Check(&dataset.Row{Source: source, Method: method}); err == nil {
			t.Errorf("%q was read", method)
		}
	}
}
