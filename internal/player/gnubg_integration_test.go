//go:build integration

package player

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/gnubgtest"
	"bgtrain/internal/nets"
)

// gnubgPlayer returns a player of GNU Backgammon's own nets.
func gnubgPlayer(t *testing.T, o Options) *Player {
	t.Helper()
	f, err := nets.Read(gnubgtest.Weights(t))
	if err != nil {
		t.Fatal(err)
	}
	db, err := bearoff.Open(context.Background(), bearoff.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(f, db, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// classPositions returns n different positions of each class that nets or the
// databases evaluate, from games with plays that are random or the best at 0-ply.
func classPositions(e *Evaluator, seed uint64, n int) []bg.Board {
	rng := rand.New(rand.NewPCG(seed, 4))
	var plays bg.Plays
	var out []bg.Board
	count := map[bg.Class]int{}
	seen := map[bg.Key]bool{}
	b := bg.Start
	random := 0.0 // how many of a game's plays are random
	for len(out) < 4*n {
		class := e.Class(&b)
		switch {
		case class == bg.Over:
			b = bg.Start
			random = rng.Float64() * rng.Float64()
			continue
		case count[class] < n && rng.IntN(6) == 0 && !seen[b.Key()]:
			seen[b.Key()] = true
			count[class]++
			out = append(out, b)
		}
		d1, d2 := rng.IntN(6)+1, rng.IntN(6)+1
		if rng.Float64() < random {
			results := plays.Generate(&b, d1, d2)
			b = results[rng.IntN(len(results))]
		} else {
			b, _ = e.BestPlay(&b, d1, d2, 0)
		}
	}
	return out
}

// compareWithGNUbg evaluates n positions of each class at a ply, here and by GNU
// Backgammon, and returns the greatest difference of an output by class.
func compareWithGNUbg(t *testing.T, seed uint64, n, ply int, prune bool) map[string]float64 {
	t.Parallel() // GNU Backgammon mostly waits
	p := gnubgPlayer(t, Options{CacheMB: 16, Prune: prune})
	e := p.NewEvaluator()
	positions := classPositions(e, seed, n)
	limit := gnubgtest.Tolerance()
	worst := map[string]float64{}
	for i, want := range gnubgtest.Evaluate(t, "", positions, ply, prune) {
		b := &positions[i]
		class := e.Class(b).String()
		if class != want.Class {
			t.Errorf("%s: class %s, GNU Backgammon's %s", b.Key(), class, want.Class)
		}
		got := e.Evaluate(b, ply)
		off := 0.0
		for k := range got {
			off = max(off, math.Abs(float64(got[k])-float64(want.Outputs[k])))
		}
		worst[class] = max(worst[class], off)
		if off > limit && (class != "bearoff" || off > 0.003) {
			t.Errorf("%s %s at %d-ply: %v, GNU Backgammon's %v", class, b.Key(), ply, got, want.Outputs)
		}
	}
	t.Logf("%d-ply, greatest differences: %v", ply, worst)
	return worst
}

func TestIntegrationGNUbg0Ply(t *testing.T) {
	worst := compareWithGNUbg(t, 1, 400, 0, false)
	if gnubgtest.Intel() && (worst["contact"] > 0 || worst["crashed"] > 0) {
		t.Error("outputs of the contact and crashed nets are not the same to the bit")
	}
}

func TestIntegrationGNUbg1Ply(t *testing.T) { compareWithGNUbg(t, 2, 60, 1, false) }

func TestIntegrationGNUbg2Ply(t *testing.T) { compareWithGNUbg(t, 3, 20, 2, false) }

func TestIntegrationGNUbg2PlyPruned(t *testing.T) { compareWithGNUbg(t, 4, 40, 2, true) }
