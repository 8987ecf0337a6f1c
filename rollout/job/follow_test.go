package job

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/bgtest"
	"bgtrain/internal/identity"
	"bgtrain/rollout"
)

// Parts that grow are the same with any number of workers and after damage, and
// every row is a position whose outputs can be.
func TestFollowInParts(t *testing.T) {
	dir := t.TempDir()
	have := Nets{}
	s := Settings{
		Kind: Follow, Player: Player{Net: have.Add(randomNets(1, 8)), TwoSided: -1}, Lambda: 0.9,
		Rollout: rollout.Options{Trials: 36, Truncate: 4, Seed: 9, Luck: rollout.LuckFull, Picks: 1},
	}
	n := 30 // positions
	if testing.Short() {
		n = 12
	}
	d := Database{Input: writeDB(t, filepath.Join(dir, "in.parquet"), bgtest.Distinct(11, n)), Chunk: n / 4}
	follow := func(name string, workers int) []dataset.Row {
		t.Helper()
		d.Output = filepath.Join(dir, name)
		if _, err := d.Make(t.Context(), openJob(t, s, have), Local{workers}, Hooks{}); err != nil {
			t.Fatal(err)
		}
		return readAll(t, d.Output)
	}
	want := follow("one", 1)
	if len(want) < 10*n/3 {
		t.Fatalf("%d rows of %d positions, four plies each", len(want), n)
	}
	for _, r := range want {
		o := r.Outputs
		if o[bg.WinGammon] > o[bg.Win] || o[bg.WinBackgammon] > o[bg.WinGammon] ||
			o[bg.Win]+o[bg.LoseGammon] > 1+1e-6 || r.Method == "" {
			t.Fatalf("row %+v", r)
		}
	}
	if got := follow("three", 3); !slices.Equal(got, want) {
		t.Error("three workers make other rows than one")
	}
	part := filepath.Join(dir, "one", dataset.PartName(2))
	if err := os.Truncate(part, 300); err != nil {
		t.Fatal(err)
	}
	if got := follow("one", 2); !slices.Equal(got, want) {
		t.Error("a part made again has other rows")
	}
	// Of the same trials, the positions of a plan only; the identity knows.
	s.Plans.With = 1 << bg.Anchoring
	kept := slices.DeleteFunc(slices.Clone(want), func(r dataset.Row) bool {
		b, err := r.Key.Board()
		return err != nil || !s.Plans.Keeps(&b)
	})
	if got := follow("anchoring", 2); !slices.Equal(got, kept) || len(got) == 0 || len(got) == len(want) {
		t.Errorf("%d rows of a plan, want %d of %d", len(got), len(kept), len(want))
	}
	d.Output = filepath.Join(dir, "one")
	if _, err := d.Make(t.Context(), openJob(t, s, have), Local{1}, Hooks{}); !errors.Is(err, identity.ErrOther) {
		t.Errorf("error %v for parts of all plans", err)
	}
	s.Plans = bg.PlanFilter{}
	s.Kind = Rollout
	if _, err := d.Make(t.Context(), openJob(t, s, have), Local{1}, Hooks{}); !errors.Is(err, identity.ErrOther) {
		t.Errorf("error %v for parts that grew", err)
	}
}
