package td

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bgtrain/internal/bg"
	"bgtrain/internal/identity"
	"bgtrain/internal/player"
	"bgtrain/internal/splitmix"
)

func TestParseEstimators(t *testing.T) {
	var got Estimators
	err := got.Set("pipcount:1@0,net:1@500")
	if want := []Estimator{{"pipcount", 1, 0}, {"net", 1, 500}}; err != nil || !slices.Equal(got, want) || got.String() != "pipcount:1@0,net:1@500" {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []string{"net", "net:3", "pipcount:2", "gnubg:1", "net:1@5", "net:1,pipcount:1",
		"net:1@0,net:0@0", "net:-1", "net:1@x"} {
		if err := got.Set(bad); err == nil {
			t.Errorf("%q: %v", bad, got)
		}
	}
	s := estimated(1)
	for game, want := range map[int]string{0: "pipcount", 5: "pipcount", 6: "net", 100: "net"} {
		if got := s.estimator(game).Kind; got != want {
			t.Errorf("game %d by %s, want %s", game, got, want)
		}
	}
}

// estimated returns settings of a short training by estimators.
func estimated(workers int) Settings {
	s := Defaults()
	s.Games, s.RoundGames, s.Hidden, s.Inputs, s.Workers = 9, 3, []int{6}, "hilton-198", workers
	s.Phases, s.Outputs, s.Estimator = 1, 1, Estimators{{"pipcount", 0, 0}, {"net", 0, 6}}
	s.Replay, s.Minibatches, s.Minibatch = 2000, 10, 16
	return s
}

func TestEstimatedTraining(t *testing.T) {
	s := estimated(1)
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	want := train(t, begin(t, s), s).Fingerprint()
	if got := train(t, begin(t, estimated(3)), estimated(3)).Fingerprint(); got != want {
		t.Errorf("3 workers: net %s, %s with one", got, want)
	}
	path := filepath.Join(t.TempDir(), "checkpoint")
	stop := errors.New("stopped")
	st := begin(t, s)
	err := Run(context.Background(), st, nil, s, func(st *State,
		_ Point) error {
		return errors.Join(SaveCheckpoint(path, st, s), stop)
	})
	if !errors.Is(err, stop) {
		t.Fatal(err)
	}
	again, err := LoadCheckpoint(path, "", s)
	if err != nil || again.Games != 3 || len(again.memory.items) == 0 || again.memory.adamStep != 10 {
		t.Fatalf("%v, %+v", err, again)
	}
	if got := train(t, again, s).Fingerprint(); got != want {
		t.Errorf("resumed: net %s, %s undisturbed", got, want)
	}
	s.AdamRate = 0.01
	if _, err := LoadCheckpoint(path, "", s); !errors.Is(err, identity.ErrOther) {
		t.Errorf("another rate: %v", err)
	}
	for _, change := range []func(s *Settings){
		func(s *Settings) { s.Phases = 3 },
		func(s *Settings) { s.Alpha = Rates{{0.1, 0}} },
	} {
		bad := estimated(1)
		change(&bad)
		if err := bad.Check(); err == nil || !strings.Contains(err.Error(), "estimator") {
			t.Errorf("error %v", err)
		}
	}
}

// TestPipEstimate holds the look-ahead to the mean over all 36 rolls of the best
// reply.
func TestPipEstimate(t *testing.T) {
	p, err := player.New(begin(t, small(1)).Nets, nil, player.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g := &gamePlayer{ev: p.NewEvaluator()}
	rng := rand.New(rand.NewPCG(1, 2))
	b := bg.Start
	var plays bg.Plays
	for range 30 {
		sum := 0.0
		for d1 := 1; d1 <= 6; d1++ {
			for d2 := 1; d2 <= 6; d2++ {
				best := -1.0
				for _, r := range plays.Generate(&b, d1, d2) {
					mine, theirs := float64(r.Opp.Pips()), float64(r.Me.Pips())
					best = max(best, theirs/(mine+theirs))
				}
				sum += best / 36
			}
		}
		got, known := g.estimate(&b, Estimator{Kind: "pipcount", Ply: 1})
		if known || math.Abs(float64(got[0])-sum) > 1e-5 {
			t.Fatalf("%v, known %v, want %v\n%s", got, known, sum, b.Draw())
		}
		next := plays.Generate(&b, 1+rng.IntN(6), 1+rng.IntN(6))
		if b = next[rng.IntN(len(next))]; g.ev.Class(&b) <= bg.Bearoff {
			b = bg.Start
		}
	}
}

// ending is a context that ends when it was asked so many times.
type ending struct {
	context.Context
	left int
}

func (e *ending) Err() error {
	if e.left--; e.left < 0 {
		return context.Canceled
	}
	return nil
}

// A game by a large net takes minutes, so the end of the context ends it between plays.
func TestEstimatedGameIsInterrupted(t *testing.T) {
	s := estimated(1)
	p, err := player.New(begin(t, s).Nets, nil, player.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g := &gamePlayer{ev: p.NewEvaluator()}
	e := Estimator{Kind: "net"}
	whole, err := g.playEstimated(context.Background(), splitmix.Rand(1, 1), e, nil)
	if err != nil {
		t.Fatal(err)
	}
	part, err := g.playEstimated(&ending{context.Background(), 2}, splitmix.Rand(1, 1), e, nil)
	if !errors.Is(err, context.Canceled) || len(part) == 0 || len(part) >= len(whole) {
		t.Errorf("%d positions of %d, %v", len(part), len(whole), err)
	}
}
