// Package bgtest has what tests of several packages need: positions, and players
// of small random nets.
package bgtest

import (
	"math/rand/v2"
	"testing"

	"bgtrain/features"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
	"bgtrain/internal/player"
)

// Positions returns positions of games of random plays, none of them over.
func Positions(n int) []bg.Board {
	rng := rand.New(rand.NewPCG(1, 2))
	var plays bg.Plays
	var all []bg.Board
	for len(all) < n {
		b := bg.Start
		for b.Me.Back() >= 0 && b.Opp.Back() >= 0 && len(all) < n {
			all = append(all, b)
			ps := plays.Generate(&b, rng.IntN(6)+1, rng.IntN(6)+1)
			b = ps[rng.IntN(len(ps))]
		}
	}
	return all
}

// Distinct returns n different positions of games of random plays, none of them over.
func Distinct(seed uint64, n int) []bg.Board {
	rng := rand.New(rand.NewPCG(seed, 2))
	seen := map[bg.Key]bool{}
	var plays bg.Plays
	var out []bg.Board
	for b := bg.Start; len(out) < n; {
		if bg.Classify(&b) == bg.Over {
			b = bg.Start
		}
		if k := b.Key(); !seen[k] {
			seen[k] = true
			out = append(out, b)
		}
		results := plays.Generate(&b, rng.IntN(6)+1, rng.IntN(6)+1)
		b = results[rng.IntN(len(results))]
	}
	return out
}

// Player returns a player of random nets with 8 hidden units, without a bearoff
// database.
func Player(t testing.TB, seed uint64) *player.Player {
	t.Helper()
	set, err := features.ByName("tesauro")
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	random := func(n int, size float64) []float32 {
		w := make([]float32, n)
		for i := range w {
			w[i] = float32(rng.NormFloat64() * size)
		}
		return w
	}
	f := &nets.Set{Nets: map[nets.Role]*nets.Entry{}}
	for _, r := range nets.Main {
		f.Nets[r] = &nets.Entry{Inputs: set.Name, InputsVersion: set.Version, Net: &nn.Net{Layers: []nn.Layer{
			{In: set.Size, Out: 8, Weights: random(set.Size*8, 0.3), Bias: random(8, 0.1), Activation: nn.Sigmoid,
				Beta: 1},
			{In: 8, Out: 5, Weights: random(40, 0.5), Bias: random(5, 0.1), Activation: nn.Sigmoid, Beta: 1},
		}}}
	}
	p, err := player.New(f, nil, player.Options{CacheMB: 1})
	if err != nil {
		t.Fatal(err)
	}
	return p
}
