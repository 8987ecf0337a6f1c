package trainer

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
)

// classesDB writes a database of so many positions of each class of random games, with outputs.
func classesDB(t *testing.T, want map[bg.Class]int) *dataset.DB {
	t.Helper()
	path := filepath.Join(t.TempDir(), "db.parquet")
	w, err := dataset.Create(path, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	rng := rand.New(rand.NewPCG(1, 2))
	var plays bg.Plays
	have, b := map[bg.Class]int{}, bg.Start
	for missing := true; missing; {
		next := plays.Generate(&b, 1+rng.IntN(6), 1+rng.IntN(6))
		b = next[rng.IntN(len(next))]
		c := dataset.ClassOf(&b)
		if c == bg.Over {
			b = bg.Start
			continue
		}
		if have[c] < want[c] {
			have[c]++
			row := dataset.Row{Key: b.Key(), Class: c, HasOutputs: true, Method: "test", Outputs: bg.Outputs{0.5}}
			if err := w.Write(&row); err != nil {
				t.Fatal(err)
			}
		}
		missing = false
		for c, n := range want {
			missing = missing || have[c] < n
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := dataset.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// Before the first net a run estimates the rows and the cost of each; of one net there is no
// plan. Without rows twice the rows are those that are trained on, in the mean.
func TestPlan(t *testing.T) {
	db := classesDB(t, map[bg.Class]int{bg.Contact: 400, bg.Crashed: 200, bg.Race: 100})
	s := Defaults()
	s.Random, s.Hidden, s.Epochs, s.Validation, s.Inputs = true, []int{4}, 1, 0.25, "tesauro"
	for _, names := range [][]string{{"contact", "crashed", "race"}, {"race"}} {
		s.Nets = names
		var plan []Planned
		trained := map[nets.Role]int{}
		src := &Sources{From: "random", Databases: []*dataset.DB{db}}
		_, err := Run(t.Context(), src, FilesOf(filepath.Join(t.TempDir(), "n.safetensors")), s, Hooks{
			Plan: func(p []Planned) { plan = p },
			Net:  func(role nets.Role, training, _, _ int) { trained[role] = training },
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(names) == 1 {
			if plan != nil || len(trained) != 1 {
				t.Errorf("of one net: %+v", plan)
			}
			continue
		}
		want := []float64{300, 150, 75}
		for i, p := range plan {
			if string(p.Role) != names[i] || p.Rows != want[i] || p.Cost < 4*100 {
				t.Errorf("net %d: %+v, want %v rows", i, p, want[i])
			}
			if n := trained[p.Role]; float64(n) < 0.8*p.Rows || float64(n) > 1.2*p.Rows {
				t.Errorf("%s: %v rows planned, %d trained on", p.Role, p.Rows, n)
			}
		}
		if len(plan) != 3 {
			t.Errorf("%+v", plan)
		}
	}
}
