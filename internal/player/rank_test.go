package player

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bgtrain/features"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
)

// randomGames returns positions of games with random plays to their ends, which
// have all classes.
func randomGames(n int) []bg.Board {
	rng := rand.New(rand.NewPCG(3, 7))
	var plays bg.Plays
	var out []bg.Board
	for b := bg.Start; len(out) < n; {
		results := plays.Generate(&b, rng.IntN(6)+1, rng.IntN(6)+1)
		if b = results[rng.IntN(len(results))]; bg.Classify(&b) == bg.Over {
			b = bg.Start
		}
		out = append(out, b)
	}
	return out
}

// smallNets returns a player of random nets of the pruning inputs.
func smallNets(t testing.TB, hidden int) *Player {
	rng := rand.New(rand.NewPCG(uint64(hidden), 1))
	f := &nets.Set{Nets: map[nets.Role]*nets.Entry{}}
	for _, role := range nets.Main {
		layer := func(in, out int, scale float64) nn.Layer {
			l := nn.Layer{In: in, Out: out, Weights: make([]float32, in*out), Bias: make([]float32, out), Beta: 1}
			for i := range l.Weights {
				l.Weights[i] = float32(rng.NormFloat64() * scale)
			}
			return l
		}
		in := features.GNUbgPrune
		f.Nets[role] = &nets.Entry{
			Net:    &nn.Net{Layers: []nn.Layer{layer(in.Size, hidden, 0.3), layer(hidden, bg.NumOutputs, 0.5)}},
			Inputs: in.Name, InputsVersion: in.Version,
		}
	}
	p, err := New(f, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// What outcome says of all plays holds for each.
func TestOutcomeHolds(t *testing.T) {
	// Which positions a database covers does not depend on what is in it.
	players := []*Player{{}, {bearoff: new(bearoff.DB)}}
	positions, want := append(randomGames(20000), realPositions(t)...), 100
	if testing.Short() {
		positions, want = append(randomGames(1000), realPositions(t)[:100]...), 10
	} else {
		db, err := bearoff.Open(t.Context(), bearoff.Options{OneSidedPoints: 7, TwoSidedCheckers: -1})
		if err != nil {
			t.Fatal(err)
		}
		players = append(players, &Player{bearoff: db})
	}
	for _, p := range players {
		said := map[bg.Class]int{}
		var plays bg.Plays
		var first [len(bg.Rolls) + 1]int
		for _, b := range positions {
			class, all := p.outcome(&b)
			if class != p.Class(&b) {
				t.Fatalf("%s: class %v", b.Key(), class)
			}
			if !all {
				continue
			}
			said[class]++
			for _, r := range plays.GenerateAll(&b, &first) {
				if c := p.Class(&r); c != class || class >= bg.Crashed && !touching(&r) {
					t.Fatalf("%s: %v said of all plays, %s is %v, contact %v", b.Key(), class, r.Key(), c, touching(&r))
				}
			}
		}
		t.Logf("known before the play: %v", said)
		for _, c := range netClasses {
			if said[c] < want {
				t.Errorf("%v known before the play in %d positions", c, said[c])
			}
		}
	}
}

// Rank gives EvaluateBatch's equities, whatever the classes of the plays.
func TestRankIsEvaluation(t *testing.T) {
	positions := append(randomGames(3000), realPositions(t)...)
	if testing.Short() {
		positions = append(randomGames(200), realPositions(t)[:50]...)
	}
	for _, hidden := range []int{8, 15, 20} { // the last is none that ranks
		p := smallNets(t, hidden)
		if near := p.nets[bg.Contact].near != nil; near != (hidden <= 16) {
			t.Errorf("%d hidden units: ranks %v", hidden, near)
		}
		e := p.NewEvaluator()
		var plays bg.Plays
		var first [len(bg.Rolls) + 1]int
		for i, b := range positions {
			all := plays.GenerateAll(&b, &first)
			if i%3 == 0 {
				all = all[:first[1]]
			}
			equity, outs := make([]float32, len(all)), make([]bg.Outputs, len(all))
			e.Rank(&b, all, equity)
			e.EvaluateBatch(all, outs)
			for k := range all {
				if !touching(&all[k]) && p.Class(&all[k]) >= bg.Race {
					continue // what the race rules out
				}
				if off := math.Abs(float64(equity[k] - outs[k].Equity())); off > 2e-4 {
					t.Fatalf("%s, play %s: %v, evaluated %v", b.Key(), all[k].Key(), equity[k], outs[k].Equity())
				}
			}
		}
	}
}

func TestRankAllocatesNothing(t *testing.T) {
	e := smallNets(t, 16).NewEvaluator()
	var plays bg.Plays
	var first [len(bg.Rolls) + 1]int
	positions := randomGames(300)
	var equity []float32
	i := 0
	one := func() {
		b := &positions[i%len(positions)]
		all := plays.GenerateAll(b, &first)
		equity = slices.Grow(equity[:0], len(all))[:len(all)]
		e.Rank(b, all, equity)
		i++
	}
	for range positions {
		one()
	}
	if n := testing.AllocsPerRun(100, one); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkRank ranks the plays of all rolls of contact positions, by processor time.
func BenchmarkRank(b *testing.B) {
	e := smallNets(b, 16).NewEvaluator()
	positions := realPositions(b)
	var plays bg.Plays
	var first [len(bg.Rolls) + 1]int
	var equity []float32
	i, n := 0, 0
	start := cpuTime()
	b.ReportAllocs()
	for b.Loop() {
		pos := &positions[i%len(positions)]
		all := plays.GenerateAll(pos, &first)
		equity = slices.Grow(equity[:0], len(all))[:len(all)]
		e.Rank(pos, all, equity)
		n += len(all)
		i++
	}
	b.ReportMetric(1e9*(cpuTime()-start).Seconds()/float64(n), "cpu-ns/play")
	b.ReportMetric(float64(n)/float64(b.N), "plays/op")
}
