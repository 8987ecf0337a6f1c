package trainer

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bgtrain/features"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
	"bgtrain/trainer/fit"
)

// A rectified net with idle units is found out, and they start anew if asked for.
func TestRevive(t *testing.T) {
	set := features.Tesauro
	n := nets.Random(rand.New(rand.NewPCG(1, 1)), nets.ByInputs, nn.ReLU, set.Size, 10, 4, bg.NumOutputs)
	for unit := range 3 {
		n.Layers[0].Bias[unit] = -100
	}
	data := fit.NewData(0, false)
	rng := rand.New(rand.NewPCG(2, 2))
	b, plays := bg.Start, bg.Plays{}
	for range 30 {
		var e fit.Example
		e.Key, e.Weight = b.Key(), 1
		if err := data.Add(e); err != nil {
			t.Fatal(err)
		}
		after := plays.Generate(&b, rng.IntN(6)+1, rng.IntN(6)+1)
		b = after[rng.IntN(len(after))].Swapped()
	}
	s := Defaults()
	same, d, err := s.revive(t.Context(), nets.Contact, n, set, data)
	if err != nil || same != n || d.Rows != 30 || !d.Any() || d.Idle[0] < 3 || d.Units[0] != 10 || d.Units[1] != 4 {
		t.Fatalf("%v, %+v", err, d)
	}
	s.Revive = true
	revived, d, err := s.revive(t.Context(), nets.Contact, n, set, data)
	if err != nil || revived.Layers[0].Out != 10 || !d.Any() {
		t.Fatalf("%v, %+v", err, d)
	}
	if _, d, err = s.revive(t.Context(), nets.Contact, revived, set, data); err != nil || d.Any() {
		t.Errorf("revived: %v, %+v", err, d)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := s.revive(ctx, nets.Contact, n, set, data); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	keys := make([]bg.Key, data.Training())
	for row := range keys {
		keys[row] = data.Key(row)
	}
	if _, _, err := trim(ctx, n, set, keys, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("trim, canceled: %v", err)
	}
}

// Positions are spread over all rows, also where these are no multiple of them.
func TestPositionsAreSpread(t *testing.T) {
	for _, c := range []struct{ n, total, last int }{{20000, 39999, 39997}, {3, 3, 2}, {2, 3, 1}, {1, 7, 0}} {
		var rows []int
		some := positions(t.Context(), features.Tesauro, c.n, c.total, func(row int) bg.Key {
			rows = append(rows, row)
			return bg.Start.Key()
		})
		x := make([]float32, features.Tesauro.Size)
		for row := range some.N {
			if err := some.Input(row, x); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.IsSorted(rows) || len(slices.Compact(rows)) != c.n || rows[0] != 0 || rows[c.n-1] != c.last {
			t.Errorf("%d of %d rows: %d to %d", c.n, c.total, rows[0], rows[c.n-1])
		}
	}
}

func TestTrimRefuses(t *testing.T) {
	player := &nets.Set{Nets: map[nets.Role]*nets.Entry{nets.Contact: tesauroEntry(5)}}
	for role, want := range map[nets.Role]string{nets.Race: "no race net", nets.Contact: "no contact positions"} {
		if _, _, err := Trim(context.Background(), player, []nets.Role{role}, nil, 10, nil); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %q expected", role, err, want)
		}
	}
}
