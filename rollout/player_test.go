package rollout

import (
	"math/rand/v2"
	"testing"

	"bgtrain/features"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/bgtest"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
	"bgtrain/internal/player"
)

// randomPlayer returns a player of random nets: it plays badly and values
// positions inconsistently, so that whatever depends on good values fails.
func randomPlayer(t testing.TB, seed uint64, hidden int, db *bearoff.DB, o player.Options) *player.Player {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	f := &nets.Set{Nets: map[nets.Role]*nets.Entry{}}
	for _, role := range nets.Main {
		set, err := features.ByName("gnubg-prune")
		if err != nil {
			t.Fatal(err)
		}
		layer := func(in, out int, scale float64) nn.Layer {
			l := nn.Layer{In: in, Out: out, Weights: make([]float32, in*out), Bias: make([]float32, out), Beta: 1}
			for i := range l.Weights {
				l.Weights[i] = float32(rng.NormFloat64() * scale)
			}
			return l
		}
		l1, l2 := layer(set.Size, hidden, 0.3), layer(hidden, bg.NumOutputs, 0.5)
		copy(l2.Bias, []float32{0, -1.5, -3, -1.5, -3})
		f.Nets[role] = &nets.Entry{
			Net: &nn.Net{Layers: []nn.Layer{l1, l2}}, Inputs: set.Name, InputsVersion: set.Version,
		}
	}
	p, err := player.New(f, db, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func newEngine(t testing.TB, p *player.Player, o Options) *Engine {
	t.Helper()
	if o.Luck == "" {
		o.Luck = LuckFull
	}
	o.Picks = max(o.Picks, 1)
	e, err := NewEngine(p, o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// contactPositions returns positions of random games that are not races.
func contactPositions(seed uint64, n int) []bg.Board {
	var out []bg.Board
	for _, b := range bgtest.Distinct(seed, 3*n+50) {
		if bg.Classify(&b) >= bg.Crashed && len(out) < n {
			out = append(out, b)
		}
	}
	return out
}
