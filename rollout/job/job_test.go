package job

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"

	"bgtrain/features"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
	"bgtrain/rollout"
)

// randomNets returns nets that play badly, so that whatever depends on good
// values fails.
func randomNets(seed uint64, hidden int) *nets.Set {
	rng := rand.New(rand.NewPCG(seed, 1))
	f := &nets.Set{Nets: map[nets.Role]*nets.Entry{}}
	set, err := features.ByName("gnubg-prune")
	if err != nil {
		panic(err)
	}
	layer := func(in, out int, scale float64) nn.Layer {
		l := nn.Layer{In: in, Out: out, Weights: make([]float32, in*out), Bias: make([]float32, out), Beta: 1}
		for i := range l.Weights {
			l.Weights[i] = float32(rng.NormFloat64() * scale)
		}
		return l
	}
	for _, role := range []nets.Role{nets.Contact, nets.Crashed, nets.Race} {
		l1, l2 := layer(set.Size, hidden, 0.3), layer(hidden, bg.NumOutputs, 0.5)
		copy(l2.Bias, []float32{0, -1.5, -3, -1.5, -3})
		f.Nets[role] = &nets.Entry{
			Net: &nn.Net{Layers: []nn.Layer{l1, l2}}, Inputs: set.Name, InputsVersion: set.Version,
		}
	}
	return f
}

func openJob(t testing.TB, s Settings, have Nets) *Job {
	t.Helper()
	j, err := Open(t.Context(), s, have, AutoCache)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// Settings come back from JSON as they were: nothing that a part depends on is
// lost on the way to another machine.
func TestSettingsTravel(t *testing.T) {
	s := Settings{
		Kind: Follow, Lambda: 0.7, Ply: 2, SmallNet: "b", Plans: bg.PlanFilter{With: 3, Without: 1 << 8},
		Player: Player{Net: "a", TwoSided: 3, Prune: true, Filter: "8/0.2"},
		Rollout: rollout.Options{
			Trials: 36, Truncate: 5, Seed: 1<<63 + 1, Ply: 1, DeepPlies: 2, LeafPly: 1,
			Luck: rollout.LuckSmall, Picks: 3, TargetSE: 0.01,
		},
	}
	text, err := json.Marshal(&s)
	if err != nil {
		t.Fatal(err)
	}
	var got Settings
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, s) {
		t.Errorf("%+v became %+v", s, got)
	}
}

// The identity of a run has what changes its rows and nothing else.
func TestIdentity(t *testing.T) {
	base := Settings{
		Kind: Rollout, SmallNet: "b", Player: Player{Net: "a"},
		Rollout: rollout.Options{Trials: 36, Truncate: 5, Seed: 1, Luck: rollout.LuckPicked, Picks: 3},
	}
	of := func(change func(s *Settings)) string {
		s := base
		change(&s)
		return s.Identity().Digest()
	}
	small := func(s *Settings) { s.Rollout.Luck = rollout.LuckSmall }
	follow := func(s *Settings) { s.Kind = Follow }
	compare := func(s *Settings) { s.Kind, s.Group = Compare, 5 }
	same := func(name string, a, b func(s *Settings), want bool) {
		both := func(s *Settings) { a(s); b(s) }
		if (of(a) == of(both)) != want {
			t.Errorf("%s: the same identity: %v expected", name, want)
		}
	}
	same("picks where none are made", small, func(s *Settings) { s.Rollout.Picks = 4 }, true)
	same("picks by the player's own nets", func(s *Settings) { s.SmallNet = "" },
		func(s *Settings) { s.Rollout.Luck = rollout.LuckFull }, true)
	same("target of one trial", follow, func(s *Settings) { s.Rollout.TargetSE = 0.1 }, true)
	same("group of one", func(*Settings) {}, func(s *Settings) { s.Group = 5 }, true)
	same("another group", compare, func(s *Settings) { s.Group = 6 }, false)
	same("another lambda", follow, func(s *Settings) { s.Lambda = 0.5 }, false)
	was := of(func(*Settings) {})
	for name, change := range map[string]func(s *Settings){
		"kind": func(s *Settings) { s.Kind = Follow }, "net": func(s *Settings) { s.Player.Net = "c" },
		"small net": func(s *Settings) { s.SmallNet = "c" }, "seed": func(s *Settings) { s.Rollout.Seed = 2 },
		"trials": func(s *Settings) { s.Rollout.Trials = 72 }, "truncate": func(s *Settings) { s.Rollout.Truncate = 7 },
		"picks": func(s *Settings) { s.Rollout.Picks = 4 }, "two-sided": func(s *Settings) { s.Player.TwoSided = -1 },
		"one-sided": func(s *Settings) { s.Player.OneSided = 10 },
		"ply":       func(s *Settings) { s.Rollout.Ply = 1 }, "leaf": func(s *Settings) { s.Rollout.LeafPly = 1 },
		"target": func(s *Settings) { s.Rollout.TargetSE = 0.1 },
	} {
		if of(change) == was {
			t.Errorf("another %s has the same identity", name)
		}
	}
	for name, change := range map[string]func(s *Settings){
		"pruning at 0-ply": func(s *Settings) { s.Player.Prune = true },
		"filter at 0-ply":  func(s *Settings) { s.Player.Filter = "none" },
		"its net at 0-ply": func(s *Settings) { s.Player.FilterNet = "c" },
		"default database": func(s *Settings) { s.Player.TwoSided = 6 },
	} {
		if of(change) != was {
			t.Errorf("%s changes the identity", name)
		}
	}
	deep := func(change func(s *Settings)) string {
		return of(func(s *Settings) { s.Rollout.Ply = 2; change(s) })
	}
	was = deep(func(*Settings) {})
	if deep(func(s *Settings) { s.Player.Prune = true }) == was ||
		deep(func(s *Settings) { s.Player.Filter = "none" }) == was ||
		deep(func(s *Settings) { s.Player.FilterNet = "c" }) == was {
		t.Error("at 2-ply pruning or filters are not in the identity")
	}
}
