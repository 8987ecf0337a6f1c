package td

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"bgtrain/features"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
	"bgtrain/internal/player"
)

// small returns settings of a training that takes a fraction of a second.
func small(workers int) Settings {
	s := Defaults
	s.Games, s.Hidden, s.Workers, s.RoundGames, s.Inputs = 24, 8, workers, 8, "tesauro"
	s.Amplify, s.Replay, s.Warmup = 5, 300, 8
	return s
}

func train(t *testing.T, st *State, s Settings) *nets.Set {
	t.Helper()
	if err := Run(context.Background(), st, nil, s, Hooks{}); err != nil {
		t.Fatal(err)
	}
	return st.Nets
}

func begin(t *testing.T, s Settings) *State {
	t.Helper()
	st, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func TestResultDoesNotDependOnWorkers(t *testing.T) {
	want := train(t, begin(t, small(1)), small(1)).Fingerprint()
	for _, workers := range []int{2, 7} {
		if got := train(t, begin(t, small(workers)), small(workers)).Fingerprint(); got != want {
			t.Errorf("%d workers: net %s, %s with one", workers, got, want)
		}
	}
	other := small(1)
	other.Seed++
	if train(t, begin(t, other), other).Fingerprint() == want {
		t.Error("another seed gave the same net")
	}
}

func TestResumeEndsWithTheSameNet(t *testing.T) {
	s := small(2)
	want := train(t, begin(t, s), s).Fingerprint()
	path := filepath.Join(t.TempDir(), "checkpoint")
	stop := errors.New("stopped")
	for rounds := 1; rounds <= 2; rounds++ {
		st, n := begin(t, s), 0
		err := Run(context.Background(), st, nil, s, Hooks{Round: func(st *State, _ Point) error {
			if n++; n == rounds {
				if err := SaveCheckpoint(path, st, s); err != nil {
					return err
				}
				return stop
			}
			return nil
		}})
		if !errors.Is(err, stop) {
			t.Fatalf("the hook's error was lost: %v", err)
		}
		again, err := LoadCheckpoint(path, "", s)
		if err != nil {
			t.Fatal(err)
		}
		if again.Games != rounds*s.RoundGames {
			t.Fatalf("the checkpoint says %d games, %d were played", again.Games, rounds*s.RoundGames)
		}
		if got := train(t, again, s).Fingerprint(); got != want {
			t.Errorf("resumed after %d rounds: net %s, %s undisturbed", rounds, got, want)
		}
	}
}

func TestCheckpointIsRefused(t *testing.T) {
	s := small(1)
	path := filepath.Join(t.TempDir(), "checkpoint")
	if st, err := LoadCheckpoint(path, "", s); st != nil || err != nil {
		t.Fatalf("no file: %v, %v", st, err)
	}
	st := begin(t, s)
	train(t, st, s)
	if err := SaveCheckpoint(path, st, s); err != nil {
		t.Fatal(err)
	}
	other := s
	other.Alpha = 0.05
	if _, err := LoadCheckpoint(path, "", other); !errors.Is(err, ErrOtherSettings) {
		t.Errorf("another learning rate: %v", err)
	}
	if _, err := LoadCheckpoint(path, "abc", s); !errors.Is(err, ErrOtherSettings) {
		t.Errorf("another starting net: %v", err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for cut := 0; cut < len(raw); cut += 1 + len(raw)/200 {
		if _, err := parseCheckpoint(raw[:cut], "", s); err == nil {
			t.Fatalf("cut to %d of %d bytes: no error", cut, len(raw))
		}
	}
}

func TestReturns(t *testing.T) {
	f := begin(t, small(1)).Nets
	p, err := player.New(f, nil, player.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g := &gamePlayer{ev: p.NewEvaluator()}
	// Two positions and the end: the player on roll at the end has lost.
	g.boards = []bg.Board{bg.Start, bg.Start, {Me: bg.Side{5: 3}}}
	g.values = []bg.Outputs{{}, {0.7, 0.2, 0.1, 0.05, 0.01}, {0, 0, 0, 0, 0}}
	for _, tt := range []struct {
		lambda float32
		first  bg.Outputs // target of the opening position
	}{
		{0, bg.Outputs{0.3, 0.05, 0.01, 0.2, 0.1}},
		{1, bg.Outputs{0, 0, 0, 0, 0}},
		{0.5, bg.Outputs{0.15, 0.025, 0.005, 0.1, 0.05}},
	} {
		steps := g.returns(tt.lambda, nil)
		if len(steps) != 2 {
			t.Fatalf("%d steps", len(steps))
		}
		if want := (bg.Outputs{1, 0, 0, 0, 0}); steps[0].target != want {
			t.Errorf("λ %g: the winner's last position learns %v", tt.lambda, steps[0].target)
		}
		for k := range tt.first {
			if math.Abs(float64(steps[1].target[k]-tt.first[k])) > 1e-6 {
				t.Errorf("λ %g: the opening position learns %v, %v expected", tt.lambda, steps[1].target, tt.first)
			}
		}
	}
}

func TestLearnerFollowsTheGradient(t *testing.T) {
	set, err := features.ByName("tesauro")
	if err != nil {
		t.Fatal(err)
	}
	target := bg.Outputs{0.9, 0.4, 0.1, 0.02, 0.01}
	loss := func(l *learner) float64 {
		l.forward(&bg.Start)
		sum := 0.0
		for o := range target {
			x := float64(l.net.Layers[1].Bias[o])
			for h, a := range l.act {
				x += float64(a) * float64(l.net.Layers[1].Weights[h*bg.NumOutputs+o])
			}
			d := float64(target[o]) - 1/(1+math.Exp(-x))
			sum += d * d / 2
		}
		return sum
	}
	fresh := func() *learner {
		return newLearner(set, nets.Random(rand.New(rand.NewPCG(1, 1)), limit, nn.Sigmoid, set.Size, 6, bg.NumOutputs))
	}
	const alpha = 1e-3
	before, after := fresh(), fresh()
	after.learn(&bg.Start, &target, alpha, alpha)
	for layer := range before.net.Layers {
		for i := range before.net.Layers[layer].Weights {
			l := fresh()
			w := &l.net.Layers[layer].Weights[i]
			orig := *w
			const h = 1e-2
			*w = orig + h
			up := loss(l)
			*w = orig - h
			slope := (up - loss(l)) / (2 * h)
			moved := float64(after.net.Layers[layer].Weights[i]-before.net.Layers[layer].Weights[i]) / alpha
			if math.Abs(moved+slope) > 2e-3*math.Max(1, math.Abs(slope)) && math.Abs(moved+slope) > 2e-3 {
				t.Fatalf("layer %d weight %d moved %g per learning rate, the slope is %g", layer, i, moved, slope)
			}
		}
	}
	l := fresh()
	first := l.learn(&bg.Start, &target, 0.5, 0.5)
	var last float64
	for range 500 {
		last = l.learn(&bg.Start, &target, 0.5, 0.5)
	}
	if last > first/100 {
		t.Errorf("squared equity error %g after 500 steps, %g before", last, first)
	}
}

func TestOpeningRollIsNoDouble(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		if a, b := openingRoll(rng); a == b || a < 1 || a > 6 || b < 1 || b > 6 {
			t.Fatalf("opening roll %d %d", a, b)
		}
	}
}

func FuzzParseCheckpoint(f *testing.F) {
	s := small(1)
	st, err := New(s)
	if err != nil {
		f.Fatal(err)
	}
	path := filepath.Join(f.TempDir(), "checkpoint")
	if err := SaveCheckpoint(path, st, s); err != nil {
		f.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	head := raw[:bytes.IndexByte(raw, '\n')+1]
	f.Add(raw)
	f.Add(raw[:len(raw)/2])
	f.Add(bytes.Replace(raw, []byte(`"replay":0`), []byte(`"replay":3`), 1))
	f.Add(head)
	f.Fuzz(func(t *testing.T, raw []byte) {
		st, err := parseCheckpoint(raw, "", s)
		if err == nil && st.Nets.Check() != nil {
			t.Fatal("a state with nets that do not check")
		}
	})
}
