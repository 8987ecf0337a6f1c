package td

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bgtrain/features"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/checkpoint"
	"bgtrain/internal/cpu"
	"bgtrain/internal/identity"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
	"bgtrain/internal/player"
)

// small returns settings of a training that takes a fraction of a second.
func small(workers int) Settings {
	s := Defaults()
	s.Games, s.Hidden, s.Workers, s.RoundGames, s.Inputs = 24, []int{8}, workers, 8, "tesauro"
	s.MaxPlies = 100
	if testing.Short() {
		s.Games, s.RoundGames = s.Games/2, s.RoundGames/2
	}
	return s
}

func train(t *testing.T, st *State, s Settings) *nets.Set {
	t.Helper()
	if err := Run(context.Background(), st, nil, s, nil); err != nil {
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
		err := Run(context.Background(), st, nil, s, func(st *State, _ Point) error {
			if n++; n == rounds {
				if err := SaveCheckpoint(path, st, s); err != nil {
					return err
				}
				return stop
			}
			return nil
		})
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
	other.Alpha = Rates{{0.05, smooth}}
	if _, err := LoadCheckpoint(path, "", other); !errors.Is(err, identity.ErrOther) {
		t.Errorf("another learning rate: %v", err)
	}
	if _, err := LoadCheckpoint(path, "abc", s); !errors.Is(err, identity.ErrOther) {
		t.Errorf("another starting net: %v", err)
	}
	if id := s.Identity(""); id[cpu.RoundingName] != cpu.Rounding() {
		t.Errorf("kernels that round as %s: %s", cpu.Rounding(), id)
	}
}

// TestGoesOnWithWhatChangesNothing changes settings that the others leave without effect:
// the net is the same, and the checkpoint of one run serves the other.
func TestGoesOnWithWhatChangesNothing(t *testing.T) {
	plain := small(1)
	random := begin(t, plain).Nets
	for _, c := range []struct {
		name   string
		base   Settings
		from   *nets.Set
		change func(s *Settings)
	}{
		{"replay without an estimator", plain, nil, func(s *Settings) { s.Replay = 5 }},
		{"minibatches without an estimator", plain, nil,
			func(s *Settings) { s.Minibatches, s.Minibatch, s.AdamRate = 7, 8, 0.5 }},
		{"hidden units beside a net", plain, random, func(s *Settings) { s.Hidden, s.Activation = []int{9}, "relu" }},
		{"rates beside an estimator", estimated(1), nil,
			func(s *Settings) {
				s.Alpha, s.AlphaEnd, s.HiddenRate, s.Lambda, s.Overlap = Rates{{0.3, smooth}}, 0.1, 2, 0.5, false
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "checkpoint")
			run := func(s Settings) (string, *State) {
				st := begin(t, s)
				if c.from != nil {
					var err error
					if st, err = From(c.from, s); err != nil {
						t.Fatal(err)
					}
				}
				return train(t, st, s).Fingerprint(), st
			}
			want, st := run(c.base)
			if err := SaveCheckpoint(path, st, c.base); err != nil {
				t.Fatal(err)
			}
			changed := c.base
			c.change(&changed)
			if err := changed.Check(); err != nil {
				t.Fatal(err)
			}
			if again, err := LoadCheckpoint(path, st.From, changed); err != nil || again.Nets.Fingerprint() != want {
				t.Errorf("%v, %v", again, err)
			}
			if got, _ := run(changed); got != want {
				t.Errorf("net %s, not %s", got, want)
			}
		})
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

// TestLearnerFollowsTheGradient holds a step to the slope of the loss along each
// weight, for nets of every kind.
func TestLearnerFollowsTheGradient(t *testing.T) {
	set, err := features.ByName("tesauro")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		hidden []int
		act    nn.Activation
	}{{[]int{6}, nn.Sigmoid}, {[]int{5, 4}, nn.Sigmoid}, {[]int{5, 4, 3}, nn.Tanh}, {[]int{9, 8}, nn.ReLU},
		{[]int{9, 8}, nn.SquaredReLU}} {
		t.Run(fmt.Sprint(c.act, c.hidden), func(t *testing.T) {
			s := Defaults()
			s.Hidden, s.Activation = c.hidden, c.act.String()
			sizes := slices.Concat([]int{set.Size}, c.hidden, []int{bg.NumOutputs})
			limit := func(layer, inputs int) float64 { return s.starting().Limit(layer, len(sizes)-1, inputs) }
			fresh := func() *learner {
				return newLearner(set, nets.Random(rand.New(rand.NewPCG(1, 1)), limit, c.act, sizes...), &s)
			}
			checkGradient(t, fresh)
			target := bg.Outputs{0.9, 0.4, 0.1, 0.02, 0.01}
			l := fresh()
			first := l.learn(&bg.Start, &target, 0.3, 0.3)
			var last float64
			for range 1000 {
				last = l.learn(&bg.Start, &target, 0.3, 0.3)
			}
			if last > first/100 {
				t.Errorf("squared equity error %g after 1000 steps, %g before", last, first)
			}
		})
	}
}

func checkGradient(t *testing.T, fresh func() *learner) {
	t.Helper()
	target := bg.Outputs{0.9, 0.4, 0.1, 0.02, 0.01}
	loss := func(l *learner) float64 {
		l.forward(&bg.Start)
		out := l.last(&target, 0)
		sum := 0.0
		for o := range target {
			d := float64(target[o]) - float64(out[o])
			sum += d * d / 2
		}
		return sum
	}
	const alpha = 1e-3
	before, after := fresh(), fresh()
	after.learn(&bg.Start, &target, alpha, alpha)
	l := fresh()
	for layer := range before.net.Layers {
		for i := range before.net.Layers[layer].Weights {
			if layer == 0 && before.inputs[i/before.net.Layers[0].Out] == 0 && i%7 > 0 {
				continue // most inputs are zero: a few of these will do
			}
			w := &l.net.Layers[layer].Weights[i]
			orig := *w
			const h = 3e-3
			*w = orig + h
			up := loss(l)
			*w = orig - h
			slope := (up - loss(l)) / (2 * h)
			*w = orig
			moved := float64(after.net.Layers[layer].Weights[i]-before.net.Layers[layer].Weights[i]) / alpha
			if math.Abs(moved+slope) > 2e-3*math.Max(1, math.Abs(slope)) {
				t.Fatalf("layer %d weight %d moved %g per learning rate, the slope is %g", layer, i, moved, slope)
			}
		}
	}
}

func TestOutputsThatDoNotLearnStayNearZero(t *testing.T) {
	s := small(1)
	s.Outputs, s.Phases = 3, 1
	st := begin(t, s)
	player := train(t, st, s)
	for _, role := range nets.Main {
		last := player.Nets[role].Net.Layers[1]
		for o, wanted := range map[int]bool{0: true, 1: true, 2: false, 3: true, 4: false} {
			moved := last.Bias[o] != never && last.Weights[o] != 0
			if moved != wanted {
				t.Errorf("%s: output %d learns: %v, want %v", role, o, moved, wanted)
			}
		}
	}
}

// TestMoreOutputs: a net of three outputs goes on with five.
func TestMoreOutputs(t *testing.T) {
	s := small(1)
	s.Outputs = 3
	three := train(t, begin(t, s), s)
	s.Outputs = 5
	st, err := From(three, s)
	if err != nil {
		t.Fatal(err)
	}
	five := train(t, st, s)
	for _, role := range nets.Main {
		if l := five.Nets[role].Net.Layers[1]; l.Bias[2] < -10 || l.Weights[2] == 0 {
			t.Errorf("%s: backgammons do not learn: threshold %v, weight %v", role, l.Bias[2], l.Weights[2])
		}
	}
}

func TestPhasesShareNets(t *testing.T) {
	for phases, want := range map[int]int{1: 1, 2: 2, 3: 3} {
		s := small(2)
		s.Phases = phases
		player := train(t, begin(t, s), s)
		different := map[float32]bool{}
		for _, role := range nets.Main {
			different[player.Nets[role].Net.Layers[0].Weights[0]] = true
		}
		if len(different) != want {
			t.Errorf("%d phases: %d different nets", phases, len(different))
		}
	}
}

func TestMovedToLargerInputs(t *testing.T) {
	s := small(1)
	base := train(t, begin(t, s), s)
	s.Inputs = "blog-2.4"
	st, err := From(base, s)
	if err != nil {
		t.Fatal(err)
	}
	if e := st.Nets.Nets[nets.Contact]; e.Inputs != "blog-2.4" || e.Net.Inputs() != 204 {
		t.Errorf("inputs %s, %d", e.Inputs, e.Net.Inputs())
	}
	train(t, st, s)
	s.Inputs = "gnubg"
	if _, err := From(base, s); err == nil {
		t.Error("moved to inputs that lack some")
	}
}

func TestRates(t *testing.T) {
	s := Defaults()
	s.Games = 1000
	for _, c := range []struct {
		alpha string
		games int
		want  float64
	}{
		{"0.2", 0, 0.2}, {"0.2", 1000, 0.005}, {"0.2", 500, math.Sqrt(0.2 * 0.005)},
		{"0.1@0", 700, 0.1}, {"0.1@0,0.02@200,0.004@600", 199, 0.1}, {"0.1@0,0.02@200,0.004@600", 200,
			0.02}, {"0.1@0,0.02@200,0.004@600", 900, 0.004},
	} {
		s.AlphaEnd = Defaults().AlphaEnd
		if err := errors.Join(s.List().Set("alpha", c.alpha), s.Check()); err != nil {
			t.Fatal(err)
		}
		if got := s.alpha(c.games); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("alpha %s after %d games: %v, want %v", c.alpha, c.games, got, c.want)
		}
	}
	for _, bad := range []string{"", "x", "0", "-1", "0.1@5", "0.1@0,0.2@0", "0.1@0,0.2", "0.1@0,0.2@x", "0.1@-1", "NaN", "1e9"} {
		if err := s.List().Set("alpha", bad); err == nil || !strings.Contains(err.Error(), "alpha") {
			t.Errorf("alpha %q: error %v", bad, err)
		}
	}
	for _, steps := range []string{"0.1@0", "0.1@0,0.02@200"} {
		if err := s.List().Set("alpha", steps); err != nil || s.Alpha.String() != steps {
			t.Fatalf("alpha %s is %v (%v)", steps, s.Alpha, err)
		}
		s.AlphaEnd = 0.001
		if err := s.Check(); err == nil {
			t.Errorf("alpha %s: an end of the rate besides is ignored", steps)
		}
	}
}

// TestInterruptedRoundIsTakenBack: a training whose context ends goes on to the
// same net.
func TestInterruptedRoundIsTakenBack(t *testing.T) {
	s := small(2)
	if !testing.Short() {
		s.Games = 64
	}
	want := train(t, begin(t, s), s).Fingerprint()
	st := begin(t, s)
	for range 200 {
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(rand.IntN(4_000_000)))
		err := Run(ctx, st, nil, s, nil)
		cancel()
		if err == nil {
			break
		}
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
	}
	if got := train(t, st, s).Fingerprint(); got != want {
		t.Errorf("net %s, %s undisturbed", got, want)
	}
}

// BenchmarkRun trains with one worker and with two: with overlap the second one
// is to be worth almost a processor, where there is one.
func BenchmarkRun(b *testing.B) {
	for _, c := range []struct {
		name   string
		change func(s *Settings)
	}{
		{"128", func(s *Settings) {}},
		{"128 without overlap", func(s *Settings) { s.Overlap = false }},
		{"80 on tesauro", func(s *Settings) { s.Inputs, s.Hidden = "tesauro", []int{80} }},
		{"relu 80-80 on hilton-326", func(s *Settings) {
			s.Inputs, s.Hidden, s.Activation, s.Alpha = "hilton-326", []int{80, 80}, "relu", Rates{{0.01, 0}}
		}},
	} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s, %d workers", c.name, workers), func(b *testing.B) {
				s := Defaults()
				s.Games, s.Workers = 1000, workers
				c.change(&s)
				for b.Loop() {
					st, err := New(s)
					if err != nil {
						b.Fatal(err)
					}
					if err := Run(b.Context(), st, nil, s, nil); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(s.Games*b.N)/b.Elapsed().Seconds(), "games/s")
			})
		}
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

func FuzzReadState(f *testing.F) {
	st, err := New(small(1))
	if err != nil {
		f.Fatal(err)
	}
	var player bytes.Buffer
	if err := nets.WriteSafetensors(&player, st.Nets); err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(`{"games":3}`), stepBytes([]step{{board: bg.Start}}), []byte("four"), player.Bytes())
	f.Add([]byte(`{"memory_next":2}`), []byte{}, []byte{}, player.Bytes())
	f.Fuzz(func(t *testing.T, progress, steps, moments, player []byte) {
		st, err := readState(checkpoint.Sections{"progress": progress, "ahead": steps, "memory": steps,
			"first": moments, "second": moments, "nets": player})
		if err == nil && (st.Nets.Check() != nil || st.memory.next > len(st.memory.items)) {
			t.Fatal("a state with nets that do not check, or a place outside the buffer")
		}
	})
}

// Nets of random weights may play on and on: the first round of this seed had
// millions of positions.
func TestGamesEnd(t *testing.T) {
	s := Defaults()
	if testing.Short() {
		s.RoundGames = 4
	}
	s.Games, s.Seed = s.RoundGames, 11
	before := math.MaxInt
	for _, s.MaxPlies = range []int{s.MaxPlies, 50} {
		positions := 0
		round := func(_ *State, p Point) error {
			positions += p.Positions
			return nil
		}
		if err := Run(t.Context(), begin(t, s), nil, s, round); err != nil {
			t.Fatal(err)
		}
		if most := min(s.Games*s.MaxPlies, before-1); positions > most || positions == 0 {
			t.Errorf("%d positions in %d games, at most %d expected", positions, s.Games, most)
		}
		before = positions
	}
}

// Without databases games go on to the end; which there were is in the identity where they are not the usual ones.
func TestDatabasesAreInTheIdentity(t *testing.T) {
	usual := Defaults()
	for text, change := range map[string]func(o *bearoff.Options){
		"": func(o *bearoff.Options) {
			o.OneSidedPoints, o.TwoSidedCheckers = bearoff.Points, bearoff.DefaultTwoSided
		},
		"none": func(o *bearoff.Options) { o.OneSidedPoints = bearoff.None },
		"9":    func(o *bearoff.Options) { o.OneSidedPoints = 9 },
	} {
		s := Defaults()
		change(&s.Bearoff)
		id := s.Identity("")
		if id["td.one_sided"] != text || (id.Digest() == usual.Identity("").Digest()) != (text == "") {
			t.Errorf("%q: identity %v", text, id)
		}
	}
	usual.Bearoff = bearoff.Options{OneSidedPoints: bearoff.None, TwoSidedCheckers: 3}
	if err := usual.Check(); err == nil {
		t.Error("a two-sided database without any")
	}
}
