package job

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/bgtest"
	"bgtrain/internal/cube"
	"bgtrain/internal/cube/met"
	"bgtrain/rollout"
)

func cubeSettings(t *testing.T, model, table string) Settings {
	t.Helper()
	rules := &CubeRules{}
	var err error
	if rules.Model, err = cube.ParseModel(model); err != nil {
		t.Fatal(err)
	}
	if rules.Table, err = met.Open(table); err != nil {
		t.Fatal(err)
	}
	o := rollout.Options{Trials: 36, Truncate: 2, Luck: rollout.LuckNone, Picks: 1}
	return Settings{Kind: Cubes, Cube: rules, Rollout: o}
}

// What cube decisions are rolled out by travels as names; what is of a file stays here, and no
// message leads a worker to a file of its own.
func TestCubeRulesTravel(t *testing.T) {
	for i, model := range []string{"gnubg", "learned", "janowski=0.6:0.75", "jump=local", "jump=0.1"} {
		s := cubeSettings(t, model, "rockwell-kazaross")
		s.Cube.Beavers = i%2 == 0
		text, err := json.Marshal(&s)
		if err != nil {
			t.Fatal(err)
		}
		var got Settings
		if err := json.Unmarshal(text, &got); err != nil || !reflect.DeepEqual(got, s) || got.Check() != nil {
			t.Errorf("%s became %+v, %v", text, got, err)
		}
		other := cubeSettings(t, model, "")
		if reflect.DeepEqual(other.Identity(), s.Identity()) {
			t.Errorf("%s: the table is not in the identity", model)
		}
	}
	s := cubeSettings(t, "gnubg", "")
	s.Cube.Model = cube.NewLearned(nil, "learned=my.life")
	if err := s.Cube.Travel(); err == nil || !strings.Contains(err.Error(), "of a file") {
		t.Error(err)
	}
	own, err := met.New("own", [][]float64{{0.5, 0.75}, {0.25, 0.5}}, []float64{0.5})
	if err != nil {
		t.Fatal(err)
	}
	if err := (&CubeRules{Model: cube.GNUbg{}, Table: own}).Travel(); err == nil || !strings.Contains(err.Error(), "own is of a file") {
		t.Error(err)
	}
	for _, text := range []string{`{"model":"learned=/etc/passwd","met":"kazaross-xg2"}`,
		`{"model":"gnubg","met":"/etc/passwd"}`, `{"model":"sleepy","met":"kazaross-xg2"}`, `3`} {
		if err := json.Unmarshal([]byte(text), new(CubeRules)); err == nil {
			t.Errorf("%s was taken", text)
		}
	}
	if (&Settings{Kind: Cubes, Rollout: s.Rollout}).Check() == nil {
		t.Error("cube decisions without rules")
	}
}

// A row of a cube decision becomes what the engines make of it, to the bit; one that is none
// is told.
func TestCubeWork(t *testing.T) {
	have := Nets{}
	s := cubeSettings(t, "janowski=0.7", "")
	s.Player = Player{Net: have.Add(randomNets(1, 8)), TwoSided: 2}
	j := openJob(t, s, have)
	b := bgtest.Distinct(9, 1)[0]
	rows, err := j.New()(t.Context(), []dataset.Row{{Key: b.Key(), Source: CubeSource(2, 5, 3)}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := RolledCubeOf(&rows[0])
	if err != nil {
		t.Fatal(err)
	}
	e, err := rollout.NewCubeEngine(j.Player, s.Rollout, cube.Handling{Model: s.Cube.Model})
	if err != nil {
		t.Fatal(err)
	}
	state := cube.State{Cube: 2, Owner: cube.Owned, Table: s.Cube.Table, Away: 5, Opponent: 3}
	d, err := e.Decide(t.Context(), &b, &state, rollout.Watch[*rollout.CubeDecision]{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if want := (RolledRow{d.NoDouble.Mean, d.DoubleTake.Mean, d.NoDouble.SE, d.Gain.SE}); got != want ||
		rows[0].Trials != 36 || dataset.CheckRow(&rows[0]) != nil || rows[0].Outputs == (bg.Outputs{}) {
		t.Errorf("%+v, %+v expected; %+v", got, want, rows[0])
	}
	for _, source := range []string{"", "cube 3 0:0", "cube 2 5", "cube 8 5:3", "cube 1 1:3", "cube 1 70:3"} {
		if _, err := j.New()(t.Context(), []dataset.Row{{Key: b.Key(), Source: source}}); err == nil {
			t.Errorf("%q was rolled out", source)
		}
	}
	for _, method := range []string{"", "cube 1 2 3", "cube 1 2 NaN 4", "cube 1 +Inf 3 4"} {
		if j.Check(&dataset.Row{Method: method}) == nil {
			t.Errorf("%q was read", method)
		}
	}
}
