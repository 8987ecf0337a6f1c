package player

import (
	"context"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"bgtrain/features"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
)

// randomFile returns a player of random nets on GNU Backgammon's inputs.
func randomFile(t testing.TB, seed uint64, hidden int) *nets.Set {
	rng := rand.New(rand.NewPCG(seed, 1))
	f := &nets.Set{Nets: map[nets.Role]*nets.Entry{}}
	for role, inputs := range map[nets.Role]string{
		nets.Contact: "gnubg-contact", nets.Crashed: "gnubg-crashed", nets.Race: "gnubg-race",
		nets.PruneContact: "gnubg-prune", nets.PruneCrashed: "gnubg-prune", nets.PruneRace: "gnubg-prune",
	} {
		set, err := features.ByName(inputs)
		if err != nil {
			t.Fatal(err)
		}
		h := hidden
		if inputs == "gnubg-prune" {
			h = 16
		}
		layer := func(in, out int) nn.Layer {
			l := nn.Layer{In: in, Out: out, Weights: make([]float32, in*out), Bias: make([]float32, out), Beta: 1}
			for i := range l.Weights {
				l.Weights[i] = float32(rng.NormFloat64()) * 0.3
			}
			return l
		}
		f.Nets[role] = &nets.Entry{
			Net:    &nn.Net{Layers: []nn.Layer{layer(set.Size, h), layer(h, bg.NumOutputs)}},
			Inputs: inputs, InputsVersion: set.Version,
		}
	}
	return f
}

func newPlayer(t testing.TB, f *nets.Set, o Options) *Player {
	t.Helper()
	p, err := New(f, nil, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// gamePositions returns positions of games with random plays, every class among
// them, finished games too.
func gamePositions(seed uint64, n int) []bg.Board {
	rng := rand.New(rand.NewPCG(seed, 2))
	var plays bg.Plays
	var out []bg.Board
	b := bg.Start
	for len(out) < n {
		out = append(out, b)
		if bg.Classify(&b) == bg.Over {
			b = bg.Start
			continue
		}
		results := plays.Generate(&b, rng.IntN(6)+1, rng.IntN(6)+1)
		b = results[rng.IntN(len(results))]
	}
	return out
}

func TestValueDoesNotDependOnTheBatch(t *testing.T) {
	f := randomFile(t, 1, 40)
	n, batches := 2000, 60
	if testing.Short() {
		n, batches = 500, 15
	}
	positions := gamePositions(3, n)
	want := make([]bg.Outputs, len(positions))
	single := newPlayer(t, f, Options{}).NewEvaluator()
	for i := range positions {
		want[i] = single.Evaluate(&positions[i], 0)
	}
	for name, o := range map[string]Options{"plain": {}, "cached": {CacheMB: 1}, "tiny cache": {CacheMB: 1}} {
		p := newPlayer(t, f, o)
		if name == "tiny cache" {
			p.cache = &cache{slots: make([]slot, 16), shift: 60}
		}
		var wg sync.WaitGroup
		for worker := range 4 {
			wg.Go(func() {
				ev := p.NewEvaluator()
				rng := rand.New(rand.NewPCG(uint64(worker), 9))
				got := make([]bg.Outputs, 100)
				for range batches {
					at := rng.IntN(len(positions) - 100)
					n := 1 + rng.IntN(99)
					ev.EvaluateBatch(positions[at:at+n], got)
					for i := range n {
						if got[i] != want[at+i] {
							t.Errorf("%s: position %s: %v in a batch of %d, %v alone", name, positions[at+i].Key(),
								got[i], n, want[at+i])
							return
						}
					}
				}
			})
		}
		wg.Wait()
	}
}

func TestOutputsAreConsistent(t *testing.T) {
	ev := newPlayer(t, randomFile(t, 5, 24), Options{}).NewEvaluator()
	n := 5000
	if testing.Short() {
		n = 1000
	}
	for _, b := range gamePositions(7, n) {
		o := ev.Evaluate(&b, 0)
		for _, v := range o {
			if !(v >= 0 && v <= 1) {
				t.Fatalf("%s: output %v out of range", b.Key(), o)
			}
		}
		const eps = 1e-6
		if o[bg.WinGammon] > o[bg.Win]+eps || o[bg.WinBackgammon] > o[bg.WinGammon]+eps ||
			o[bg.LoseGammon] > 1-o[bg.Win]+eps || o[bg.LoseBackgammon] > o[bg.LoseGammon]+eps {
			t.Fatalf("%s: inconsistent outputs %v", b.Key(), o)
		}
		if b.Opp.Off() > 0 && o[bg.WinGammon] > 0 || b.Me.Off() > 0 && o[bg.LoseGammon] > 0 {
			t.Fatalf("%s: a gammon after a checker is off: %v", b.Key(), o)
		}
	}
}

// naive is Evaluate without batches, caches or scratch: what it ought to be.
func naive(ev *Evaluator, b *bg.Board, ply int) bg.Outputs {
	if ply == 0 || bg.Classify(b) == bg.Over {
		return ev.Evaluate(b, 0)
	}
	var sum bg.Outputs
	for _, r := range bg.Rolls {
		var plays bg.Plays
		var best bg.Board
		bestEquity := float32(-9)
		for _, next := range plays.Generate(b, r.Hi, r.Lo) {
			o := ev.Evaluate(&next, 0)
			mine := o.Inverted()
			if eq := mine.Equity(); eq > bestEquity {
				best, bestEquity = next, eq
			}
		}
		o := naive(ev, &best, ply-1)
		for k := range sum {
			sum[k] += r.Weight * o[k]
		}
	}
	for k := range sum {
		sum[k] /= 36
	}
	return sum.Inverted()
}

func TestLookAhead(t *testing.T) {
	f := randomFile(t, 11, 16)
	plain := newPlayer(t, f, Options{}).NewEvaluator()
	cached := newPlayer(t, f, Options{CacheMB: 4}).NewEvaluator()
	every := 8 // positions to one at 1-ply
	if testing.Short() {
		every = 40
	}
	for i, b := range gamePositions(13, 400) {
		ply := 1
		if i%(100*every/8) == 7 {
			ply = 2
		} else if i%every != 0 {
			continue
		}
		want := naive(plain, &b, ply)
		for range 2 {
			if got := cached.Evaluate(&b, ply); got != want {
				t.Fatalf("%s at %d-ply: %v, %v expected", b.Key(), ply, got, want)
			}
		}
		if got := plain.Evaluate(&b, ply); got != want {
			t.Fatalf("%s at %d-ply without a cache: %v, %v expected", b.Key(), ply, got, want)
		}
	}
}

// TestBestPlayIsTheOpponentsWorst would catch the classic bug of this field: a
// play valued with the wrong player on roll.
func TestBestPlayIsTheOpponentsWorst(t *testing.T) {
	ev := newPlayer(t, randomFile(t, 17, 16), Options{Filters: NoFilters}).NewEvaluator()
	for _, b := range gamePositions(19, 300) {
		if bg.Classify(&b) == bg.Over {
			continue
		}
		result, out := ev.BestPlay(&b, 6, 3, 0)
		theirs := ev.Evaluate(&result, 0)
		if theirs.Inverted() != out {
			t.Fatalf("%s: best play worth %v to the mover, its result %v to the opponent", b.Key(), out, theirs)
		}
		var plays bg.Plays
		for _, r := range plays.Generate(&b, 6, 3) {
			if o := ev.Evaluate(&r, 0); o.Equity() < theirs.Equity()-1e-6 {
				t.Fatalf("%s: %s leaves the opponent %v, the chosen %s %v", b.Key(), r.Key(), o.Equity(),
					result.Key(), theirs.Equity())
			}
		}
	}
}

func TestFilters(t *testing.T) {
	cs := func(eq ...float32) (c []Candidate) {
		for _, e := range eq {
			c = append(c, Candidate{Equity: e})
		}
		return c
	}
	for _, tt := range []struct {
		f    Filter
		cs   []Candidate
		want int
	}{
		{Filter{0, 8, 0.16}, cs(0.5, 0.4, 0.34, 0.33), 3},
		{Filter{0, 2, 0.16}, cs(0.5, 0.5, 0.5, 0.5), 2},
		{Filter{3, 0, 0}, cs(0.5, 0, -1, -2), 3},
		{Filter{2, 1, 0.1}, cs(0.5, 0, -1, -2), 2},
		{Filter{2, 5, 0.6}, cs(0.5), 1},
	} {
		if got := tt.f.keep(tt.cs); got != tt.want {
			t.Errorf("%+v keeps %d of %d, %d expected", tt.f, got, len(tt.cs), tt.want)
		}
	}
	if err := (Filters{{{0, 8, 0.16}}}).Check(); err == nil {
		t.Error("filters for one ply only were accepted")
	}
}

func TestParseFilters(t *testing.T) {
	for _, s := range []string{"normal", "none", "8/0.2", "1/0"} {
		f, err := ParseFilters(s)
		if err != nil {
			t.Errorf("%s: %v", s, err)
		} else if err := f.Check(); err != nil {
			t.Errorf("%s: %v", s, err)
		}
	}
	f, _ := ParseFilters("8/0.2")
	if f[2][0] != (Filter{0, 8, 0.2}) || f[2][1].Accept != -1 || f[2][2].Accept != -1 {
		t.Errorf("8/0.2 is %v", f)
	}
	for _, s := range []string{"", "large", "8", "0/0.2", "8/x", "8/-1", "8/NaN"} {
		if f, err := ParseFilters(s); err == nil {
			t.Errorf("%q is %v", s, f)
		}
	}
}

func TestEvaluatorAllocatesNothing(t *testing.T) {
	ev := newPlayer(t, randomFile(t, 23, 128), Options{CacheMB: 1, Prune: true}).NewEvaluator()
	b := bg.Start
	work := func() {
		ev.BestPlay(&b, 3, 1, 0)
		ev.Evaluate(&b, 1)
	}
	work()
	if n := testing.AllocsPerRun(20, work); n != 0 {
		t.Errorf("%v allocations a run", n)
	}
}

func TestFinishedGames(t *testing.T) {
	home := bg.Side{5: 3}
	for _, tt := range []struct {
		name string
		b    bg.Board
		want bg.Outputs
	}{
		{"won", bg.Board{Opp: bg.Side{0: 2}}, bg.Outputs{1, 0, 0, 0, 0}},
		{"gammon won", bg.Board{Opp: bg.Side{5: 15}}, bg.Outputs{1, 1, 0, 0, 0}},
		{"backgammon won", bg.Board{Opp: bg.Side{5: 14, 18: 1}}, bg.Outputs{1, 1, 1, 0, 0}},
		{"backgammon won, on the bar", bg.Board{Opp: bg.Side{5: 14, bg.Bar: 1}}, bg.Outputs{1, 1, 1, 0, 0}},
		{"lost", bg.Board{Me: home}, bg.Outputs{}},
		{"gammon lost", bg.Board{Me: bg.Side{17: 15}}, bg.Outputs{0, 0, 0, 1, 0}},
		{"backgammon lost", bg.Board{Me: bg.Side{17: 14, 23: 1}}, bg.Outputs{0, 0, 0, 1, 1}},
	} {
		if got := over(&tt.b); got != tt.want {
			t.Errorf("%s: %v, %v expected", tt.name, got, tt.want)
		}
	}
}

// TestPruneWithoutNets: a player that lacks a pruning net plays as without any.
func TestPruneWithoutNets(t *testing.T) {
	f := randomFile(t, 29, 16)
	b := gamePositions(31, 40)[30]
	want := newPlayer(t, f, Options{}).NewEvaluator().Evaluate(&b, 1)
	if got := newPlayer(t, f, Options{Prune: true}).NewEvaluator().Evaluate(&b, 1); got == want {
		t.Errorf("%s: random pruning nets change nothing: %v", b.Key(), got)
	}
	delete(f.Nets, nets.PruneRace)
	if got := newPlayer(t, f, Options{Prune: true}).NewEvaluator().Evaluate(&b, 1); got != want {
		t.Errorf("%s: %v without a race pruning net, %v expected", b.Key(), got, want)
	}
}

// TestLookAheadInTheBearoff: looking ahead from a position that only the
// one-sided databases cover corrects its value, and leaves exact ones alone. The
// values are GNU Backgammon's.
func TestLookAheadInTheBearoff(t *testing.T) {
	db, err := bearoff.Open(context.Background(), bearoff.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(randomFile(t, 37, 8), db, Options{})
	if err != nil {
		t.Fatal(err)
	}
	e := p.NewEvaluator()
	b, err := bg.ParsePosition("FFABAAIANKACAAAAAAAA")
	if err != nil {
		t.Fatal(err)
	}
	for ply, want := range []float64{0.137656, 0.143780, 0.143780} {
		if got := e.Evaluate(&b, ply)[bg.Win]; math.Abs(float64(got)-want) > 1e-4 {
			t.Errorf("%d-ply: %v, %v expected", ply, got, want)
		}
	}
	b = bg.Board{Opp: bg.Side{3: 3}, Me: bg.Side{0: 1, 5: 4}}
	if got, want := e.Evaluate(&b, 2), e.Evaluate(&b, 0); got != want {
		t.Errorf("%s: %v at 2-ply, %v at 0-ply", b.Key(), got, want)
	}
}
