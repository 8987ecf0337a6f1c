package trainer

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"bgtrain/features"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
	"bgtrain/trainer/net"
)

// A rectified net with idle units is found out, and they start anew if asked for.
func TestRevive(t *testing.T) {
	set := features.Tesauro
	n := nets.Random(rand.New(rand.NewPCG(1, 1)), nets.ByInputs, nn.ReLU, set.Size, 10, 4, bg.NumOutputs)
	for unit := range 3 {
		n.Layers[0].Bias[unit] = -100
	}
	data := net.NewData(0)
	rng := rand.New(rand.NewPCG(2, 2))
	b, plays := bg.Start, bg.Plays{}
	for range 30 {
		var e net.Example
		e.Key, e.Weight = b.Key(), 1
		if err := data.Add(e); err != nil {
			t.Fatal(err)
		}
		after := plays.Generate(&b, rng.IntN(6)+1, rng.IntN(6)+1)
		b = after[rng.IntN(len(after))].Swapped()
	}
	s := Defaults()
	same, d, err := s.revive(t.Context(), n, set, data)
	if err != nil || same != n || d.Rows != 30 || !d.Any() || d.Idle[0] < 3 || d.Units[0] != 10 || d.Units[1] != 4 {
		t.Fatalf("%v, %+v", err, d)
	}
	s.Revive = true
	revived, d, err := s.revive(t.Context(), n, set, data)
	if err != nil || revived.Layers[0].Out != 10 || !d.Any() {
		t.Fatalf("%v, %+v", err, d)
	}
	if _, d, err = s.revive(t.Context(), revived, set, data); err != nil || d.Any() {
		t.Errorf("revived: %v, %+v", err, d)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := s.revive(ctx, n, set, data); !errors.Is(err, context.Canceled) {
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

func TestTrimRefuses(t *testing.T) {
	player := &nets.Set{Nets: map[nets.Role]*nets.Entry{nets.Contact: tesauroEntry(5)}}
	for role, want := range map[nets.Role]string{nets.Race: "no race net", nets.Contact: "no contact positions"} {
		if _, _, err := Trim(context.Background(), player, []nets.Role{role}, nil, 10, nil); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %q expected", role, err, want)
		}
	}
}
