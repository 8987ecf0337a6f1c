package fit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"bgtrain/features"
	"bgtrain/internal/backprop"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
	"bgtrain/internal/stats"
)

// points is a simple input set: the checkers of both sides, point by point.
var points = &features.Set{Name: "points", Version: 1, Size: 50, Encode: func(b *bg.Board, dst []float32) {
	for i := range b.Me {
		dst[i], dst[25+i] = float32(b.Me[i])/5, float32(b.Opp[i])/5
	}
}}

// randomBoard puts checkers on random points, each side on its own.
func randomBoard(rng *rand.Rand) bg.Board {
	for {
		var b bg.Board
		for _, s := range []*bg.Side{&b.Me, &b.Opp} {
			for n := 1 + rng.IntN(bg.Checkers); n > 0; n-- {
				s[rng.IntN(bg.Bar)]++
			}
		}
		if b.Check() == nil {
			return b
		}
	}
}

// pipTarget is a function of the position that a net can learn.
func pipTarget(b *bg.Board) bg.Outputs {
	lead := float64(b.Opp.Pips()-b.Me.Pips()) / 40
	win := 1 / (1 + math.Exp(-lead))
	g := win * win * 0.5
	l := (1 - win) * (1 - win) * 0.4
	return bg.Outputs{float32(win), float32(g), float32(g / 8), float32(l), float32(l / 8)}
}

func pipData(t testing.TB, n int, share float64) *Data {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	d := NewData(share, false)
	for i := 0; i < n; i++ {
		b := randomBoard(rng)
		if err := d.Add(Example{Key: b.Key(), Target: pipTarget(&b), Weight: 0.5 + rng.Float32()}); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

func quick() Settings {
	s := Defaults()
	s.Epochs, s.Batch, s.Validation = 3, 64, 0.1
	s.Optimizer, s.Rate, s.Decay = "adam", 1e-3, 0
	return s
}

func mustRun(t *testing.T, start *nn.Net, d *Data, s Settings, h Hooks) (*nn.Net, *Report) {
	t.Helper()
	net, rep, err := Run(context.Background(), start, points, d, s, h)
	if err != nil {
		t.Fatal(err)
	}
	return net, rep
}

func TestTrainingLearns(t *testing.T) {
	d := pipData(t, 6000, 0.1)
	for _, c := range []struct {
		name   string
		change func(s *Settings)
	}{
		{"adam", func(s *Settings) {}},
		{"adamw", func(s *Settings) { s.Optimizer, s.Decay, s.Schedule = "adamw", 0.01, "linear" }},
		{"sgd", func(s *Settings) { s.Optimizer, s.Rate, s.Schedule = "sgd", 0.5, "constant" }},
		{"cross-entropy", func(s *Settings) { s.Loss, s.Schedule = "cross-entropy", "exponential" }},
		{"no average", func(s *Settings) { s.EMA = 0 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := quick()
			s.Epochs, s.Rate = 15, 5e-3
			c.change(&s)
			_, rep := mustRun(t, randomNet(1, points.Size, 24), d, s, Hooks{})
			if len(rep.Points) != s.Epochs+1 {
				t.Fatalf("%d points, %d expected", len(rep.Points), s.Epochs+1)
			}
			first, last := *rep.Points[0].RMS, *rep.Points[s.Epochs].RMS
			if last > first/5 {
				t.Errorf("rms equity error %.4f at first, %.4f at last", first, last)
			}
		})
	}
}

// What is kept of the start is in the result, and what is measured is the result.
func TestKeepsOfTheStart(t *testing.T) {
	d := pipData(t, 600, 0.1)
	start := randomNet(1, points.Size, 20)
	s := quick()
	s.Monitor = "last"
	learned, before := mustRun(t, start, d, s, Hooks{})
	s.Keep = 0.25
	kept, rep := mustRun(t, start, d, s, Hooks{})
	for i := range kept.Layers {
		for k, w := range kept.Layers[i].Weights {
			from, to := start.Layers[i].Weights[k], learned.Layers[i].Weights[k]
			if want := 0.25*from + 0.75*to; math.Abs(float64(w-want)) > 1e-6 {
				t.Fatalf("layer %d weight %d: %v, from %v to %v", i, k, w, from, to)
			}
		}
	}
	last := func(r *Report) float64 { return *r.Points[r.Best].ValidationLoss }
	if *rep.Points[0].ValidationLoss != *before.Points[0].ValidationLoss || !(last(rep) > last(before)) {
		t.Errorf("losses %v and %v, without %v", *rep.Points[0].ValidationLoss, last(rep), last(before))
	}
}

// What a small net cannot learn of all positions, it learns within decisions if those weigh more.
func TestLearnsWithinDecisions(t *testing.T) {
	d := playedData(t, 6000, 0.1)
	s := quick()
	s.Epochs, s.Rate = 15, 5e-3
	var left [2]*Point
	for i, weight := range []float64{1e-6, 32} {
		s.WithinWeight = weight
		_, rep := mustRun(t, randomNet(1, points.Size, 2), d, s, Hooks{})
		left[i] = &rep.Points[s.Epochs]
	}
	t.Logf("within a decision %.4f, weighing more %.4f; in all %.4f, %.4f", *left[0].Within, *left[1].Within,
		*left[0].RMS, *left[1].RMS)
	if *left[1].Within > 0.9**left[0].Within {
		t.Errorf("within a decision %.4f, weighing more %.4f", *left[0].Within, *left[1].Within)
	}
}

// sameNet reports whether two nets are equal to the bit.
func sameNet(a, b *nn.Net) bool {
	return slices.EqualFunc(a.Layers, b.Layers, func(x, y nn.Layer) bool {
		return slices.Equal(x.Weights, y.Weights) && slices.Equal(x.Bias, y.Bias)
	})
}

func TestSameSeedSameNet(t *testing.T) {
	d := pipData(t, 1500, 0.1)
	start := randomNet(1, points.Size, 40)
	var want *nn.Net
	for _, workers := range []int{1, 1, 2, 3} {
		s := quick()
		s.Workers = workers
		net, _ := mustRun(t, start, d, s, Hooks{})
		if want == nil {
			want = net
		}
		if !sameNet(net, want) {
			t.Errorf("%d workers: another net", workers)
		}
	}
	s := quick()
	s.Seed++
	if net, _ := mustRun(t, start, d, s, Hooks{}); sameNet(net, want) {
		t.Error("another seed gives the same net")
	}
}

// TestResumeEndsWithTheSameNet stops a run after every few steps.
func TestResumeEndsWithTheSameNet(t *testing.T) {
	d := pipData(t, 1000, 0.1)
	start := randomNet(1, points.Size, 20)
	played := playedData(t, 1000, 0.1)
	for _, optimizer := range []string{"adam", "sgd", "muon", "adam bf16", "muon bf16", "adam by decision", "adam keep"} {
		s, d := quick(), d
		if rest, ok := strings.CutSuffix(optimizer, " keep"); ok {
			optimizer, s.Keep = rest, 0.5
		}
		if rest, ok := strings.CutSuffix(optimizer, " by decision"); ok {
			optimizer, s.WithinWeight, d = rest, 8, played
		}
		var half bool
		if s.Optimizer, half = strings.CutSuffix(optimizer, " bf16"); half {
			if !backprop.HasBFloat16() {
				continue
			}
			s.Precision = "bf16"
		}
		want, wantRep := mustRun(t, start, d, s, Hooks{})

		h := Hooks{Checkpoint: filepath.Join(t.TempDir(), "checkpoint")}
		s.CheckpointEvery = time.Nanosecond // after every step
		interruptions := 0
		for {
			ctx, cancel := context.WithCancel(context.Background())
			calls := 0
			h.Epoch = func([]Point) error {
				if calls++; calls == 2 || interruptions%3 == 0 {
					cancel()
				}
				return nil
			}
			net, rep, err := Run(ctx, start, points, d, s, h)
			cancel()
			if err == nil {
				if !sameNet(net, want) {
					t.Errorf("%s: another net after %d interruptions", optimizer, interruptions)
				}
				checkPoints(t, rep.Points, wantRep.Points)
				break
			}
			if !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			if interruptions++; interruptions > 50 {
				t.Fatal("no end")
			}
		}
		if interruptions < 2 {
			t.Errorf("only %d interruptions", interruptions)
		}
		// The finished run's checkpoint gives the net again.
		if net, rep := mustRun(t, start, d, s, h); !sameNet(net, want) || rep.Resumed == 0 {
			t.Error("the finished checkpoint gives another net")
		}
	}
}

func checkPoints(t *testing.T, got, want []Point) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d points, %d expected", len(got), len(want))
	}
	for i := range got {
		got[i].Seconds = want[i].Seconds
		for _, f := range []func(p *Point) *float64{
			func(p *Point) *float64 { return p.TrainLoss }, func(p *Point) *float64 { return p.ValidationLoss },
			func(p *Point) *float64 { return p.RMS }, func(p *Point) *float64 { return p.MAE },
			func(p *Point) *float64 { return p.Within },
		} {
			g, w := f(&got[i]), f(&want[i])
			if (g == nil) != (w == nil) || g != nil && *g != *w {
				t.Errorf("point %d differs: %+v, want %+v", i, got[i], want[i])
			}
		}
	}
}

func TestCheckpointIsRefused(t *testing.T) {
	d := pipData(t, 300, 0.1)
	start := randomNet(1, points.Size, 8)
	s := quick()
	h := Hooks{Checkpoint: filepath.Join(t.TempDir(), "checkpoint")}
	mustRun(t, start, d, s, h)
	whole, err := os.ReadFile(h.Checkpoint)
	if err != nil {
		t.Fatal(err)
	}
	other := s
	other.Rate = 0.5
	cut := func(n int) []byte { return whole[:n] }
	flipped := slices.Clone(whole)
	flipped[len(flipped)/2] ^= 1
	for _, c := range []struct {
		name string
		raw  []byte
		s    Settings
		d    *Data
		net  *nn.Net
		want string
	}{
		{"other rate", whole, other, d, start, "Rate is 0.001 there and 0.5 here"},
		{"other data", whole, s, pipData(t, 301, 0.1), start, "data "},
		{"other net", whole, s, d, randomNet(2, points.Size, 8), "net "},
		{"damaged", flipped, s, d, start, "damaged"},
		{"cut off", cut(len(whole) - 5), s, d, start, "damaged"},
		{"short", cut(40), s, d, start, "cut off"},
		{"empty", nil, s, d, start, "no checkpoint"},
		{"another file", []byte("hello"), s, d, start, "no checkpoint"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := os.WriteFile(h.Checkpoint, c.raw, 0o644); err != nil {
				t.Fatal(err)
			}
			_, _, err := Run(context.Background(), c.net, points, c.d, c.s, h)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), h.Checkpoint) {
				t.Errorf("error %v, %q and the file's name expected", err, c.want)
			}
		})
	}
	// Workers and the time between checkpoints change no result.
	s.Workers, s.CheckpointEvery = 2, time.Hour
	if err := os.WriteFile(h.Checkpoint, whole, 0o644); err != nil {
		t.Fatal(err)
	}
	mustRun(t, start, d, s, h)
}

// A run goes on only in the precision that it began with.
func TestCheckpointKnowsThePrecision(t *testing.T) {
	d, start, s := pipData(t, 300, 0.1), randomNet(1, points.Size, 8), quick()
	h := Hooks{Checkpoint: filepath.Join(t.TempDir(), "checkpoint")}
	mustRun(t, start, d, s, h)
	s.Precision = "bf16"
	want := "Precision is not set there and bf16 here"
	if !backprop.HasBFloat16() {
		want = backprop.ErrNoBFloat16.Error()
	}
	if _, _, err := Run(t.Context(), start, points, d, s, h); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
	if changed := s.Adapt(); (changed == nil) != backprop.HasBFloat16() || (changed == nil) != (s.Precision == "bf16") {
		t.Errorf("precision %s after %v", s.Precision, changed)
	}
}

// A run that is scored goes on only with the decisions that it began with.
func TestCheckpointKnowsTheBenchmark(t *testing.T) {
	d := pipData(t, 300, 0.1)
	start := randomNet(1, points.Size, 8)
	s := quick()
	s.Monitor = "er"
	h := Hooks{Checkpoint: filepath.Join(t.TempDir(), "checkpoint"), ScoredBy: "one file",
		Score: func(context.Context, *nn.Net) (stats.Stat, error) { return stats.Stat{Mean: 1}, nil }}
	mustRun(t, start, d, s, h)
	h.ScoredBy = "another file"
	if _, _, err := Run(t.Context(), start, points, d, s, h); err == nil ||
		!strings.Contains(err.Error(), `benchmark is "one file" there and "another file" here`) {
		t.Errorf("error %v", err)
	}
	h.Score, s.Monitor = nil, quick().Monitor
	if _, _, err := Run(t.Context(), start, points, d, s, h); err == nil ||
		!strings.Contains(err.Error(), `benchmark is "one file" there and not set here`) {
		t.Errorf("error %v", err)
	}
}

// TestGoesOnWithWhatChangesNothing changes settings that the others leave without effect:
// the net is the same, and the checkpoint of one run serves the other.
func TestGoesOnWithWhatChangesNothing(t *testing.T) {
	d, start := pipData(t, 300, 0.1), randomNet(1, points.Size, 8)
	for _, c := range []struct {
		name         string
		base, change func(s *Settings)
	}{
		{"β of gradient descent", func(s *Settings) { s.Optimizer = "sgd" },
			func(s *Settings) { s.Beta1, s.Beta2 = 0.5, 0.6 }},
		{"ε of gradient descent", func(s *Settings) { s.Optimizer = "sgd" }, func(s *Settings) { s.Epsilon = 1e-3 }},
		{"momentum of Adam", func(s *Settings) {}, func(s *Settings) { s.Momentum = 0.5 }},
		{"AdamW without decay", func(s *Settings) { s.Optimizer, s.Decay = "adam", 0 },
			func(s *Settings) { s.Optimizer = "adamw" }},
		{"end of a constant rate", func(s *Settings) { s.Schedule = "constant" }, func(s *Settings) { s.FinalRate = 0.5 }},
		{"equity in cross-entropy", func(s *Settings) { s.Loss = "cross-entropy" },
			func(s *Settings) { s.EquityWeight = 3 }},
		{"patience for the last net", func(s *Settings) { s.Monitor = "last" }, func(s *Settings) { s.Patience = 1 }},
		{"epochs between no scores", func(s *Settings) {}, func(s *Settings) { s.ScoreEvery = 2 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := quick()
			c.base(&s)
			h := Hooks{Checkpoint: filepath.Join(t.TempDir(), "checkpoint")}
			want, _ := mustRun(t, start, d, s, h)
			c.change(&s)
			if _, rep := mustRun(t, start, d, s, h); rep.Resumed == 0 {
				t.Error("it did not go on")
			}
			if got, _ := mustRun(t, start, d, s, Hooks{}); !sameNet(got, want) {
				t.Error("another net")
			}
		})
	}
}

// TestIdentityHoldsWhatChangesTheResult changes settings one by one.
func TestIdentityHoldsWhatChangesTheResult(t *testing.T) {
	base := Defaults()
	for name, change := range map[string]func(s *Settings){
		"Epochs": func(s *Settings) { s.Epochs++ }, "Batch": func(s *Settings) { s.Batch++ },
		"Seed": func(s *Settings) { s.Seed++ }, "Optimizer": func(s *Settings) { s.Optimizer = "muon" },
		"Rate": func(s *Settings) { s.Rate *= 2 }, "Schedule": func(s *Settings) { s.Schedule = "linear" },
		"FinalRate": func(s *Settings) { s.FinalRate *= 2 }, "Warmup": func(s *Settings) { s.Warmup = 0 },
		"Beta1": func(s *Settings) { s.Beta1 = 0.5 }, "Beta2": func(s *Settings) { s.Beta2 = 0.5 },
		"Epsilon": func(s *Settings) { s.Epsilon *= 2 }, "Decay": func(s *Settings) { s.Decay *= 2 },
		"EMA": func(s *Settings) { s.EMA = 0 }, "Keep": func(s *Settings) { s.Keep = 0.5 },
		"Precision":     func(s *Settings) { s.Precision = "bf16" },
		"Loss":          func(s *Settings) { s.Loss = "cross-entropy" },
		"OutputWeights": func(s *Settings) { s.OutputWeights = []float64{1, 1, 1, 1, 2} },
		"EquityWeight":  func(s *Settings) { s.EquityWeight++ }, "Validation": func(s *Settings) { s.Validation = 0.2 },
		"WithinWeight": func(s *Settings) { s.WithinWeight = 1 },
		"Monitor":      func(s *Settings) { s.Monitor = "last" }, "Patience": func(s *Settings) { s.Patience = 1 },
	} {
		s := base
		change(&s)
		if err := s.Identity().Check(base.Identity()); err == nil || !strings.Contains(err.Error(), name+" is ") {
			t.Errorf("another %s: %v", name, err)
		}
	}
}

func TestEarlyStoppingAndMonitor(t *testing.T) {
	d := pipData(t, 400, 0.1)
	start := randomNet(1, points.Size, 8)
	s := quick()
	s.Epochs, s.Monitor, s.Patience = 10, "er", 3
	ers := []float64{9, 7, 8, 7, 7.5, 1, 1, 1}
	var nets []*nn.Net
	net, rep := mustRun(t, start, d, s, Hooks{Score: func(_ context.Context, n *nn.Net) (stats.Stat, error) {
		nets = append(nets, n)
		return stats.Stat{Mean: ers[len(nets)-1], SE: 0.5}, nil
	}})
	if rep.Best != 1 || len(rep.Points) != 5 || !strings.Contains(rep.Stopped, "patience") {
		t.Errorf("best %d, %d points, stopped: %s; want 1, 5, patience", rep.Best, len(rep.Points), rep.Stopped)
	}
	if !sameNet(net, nets[1]) {
		t.Error("not the best net returned")
	}
	s.Monitor, s.Patience = "last", 0
	nets = nil
	net, rep = mustRun(t, start, d, s, Hooks{Score: func(_ context.Context, n *nn.Net) (stats.Stat, error) {
		nets = append(nets, n)
		return stats.Stat{Mean: 1}, nil
	}})
	if len(rep.Points) != 11 || !sameNet(net, nets[10]) {
		t.Errorf("monitor last: %d points, or not the last net", len(rep.Points))
	}
	s.ScoreEvery = 4
	calls := 0
	mustRun(t, start, d, s, Hooks{Score: func(context.Context, *nn.Net) (stats.Stat,
		error) {
		calls++
		return stats.Stat{Mean: 1}, nil
	}})
	if calls != 4 { // epochs 0, 4, 8, 10
		t.Errorf("%d scores, 4 expected", calls)
	}
}

func TestRunRefuses(t *testing.T) {
	d := pipData(t, 300, 0.1)
	good := randomNet(1, points.Size, 8)
	for _, c := range []struct {
		name   string
		net    *nn.Net
		data   *Data
		change func(s *Settings)
		want   string
	}{
		{"inputs", randomNet(1, 49, 8), d, nil, "49 inputs"},
		{"no data", good, NewData(0.1, false), nil, "no positions"},
		{"share", good, d, func(s *Settings) { s.Validation = 0.2 }, "holds out"},
		{"no validation", good, pipData(t, 300, 0), func(s *Settings) { s.Validation = 0 }, "no validation set"},
		{"no benchmark", good, d, func(s *Settings) { s.Monitor = "er" }, "no benchmark"},
		{"epochs", good, d, func(s *Settings) { s.Epochs = 0 }, "epochs 0"},
		{"rate", good, d, func(s *Settings) { s.Rate = math.NaN() }, "lr NaN"},
		{"optimizer", good, d, func(s *Settings) { s.Optimizer = "adamm" }, `unknown optimizer "adamm"`},
		{"schedule", good, d, func(s *Settings) { s.Schedule = "" }, "unknown schedule"},
		{"loss", good, d, func(s *Settings) { s.Loss = "" }, "unknown loss"},
		{"decay", good, d, func(s *Settings) { s.Decay = 0.1 }, "adamw, sgd or muon"},
		{"diverged", good, d, func(s *Settings) { s.Optimizer, s.Rate = "sgd", 1e5; s.Momentum = 0.999999 }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := quick()
			if c.change != nil {
				c.change(&s)
			}
			_, _, err := Run(context.Background(), c.net, points, c.data, s, Hooks{Name: "contact"})
			if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) ||
				!strings.Contains(err.Error(), "train contact")) {
				t.Errorf("error %v, %q expected", err, c.want)
			}
		})
	}
}

func TestStepDoesNotAllocate(t *testing.T) {
	d := pipData(t, 2000, 0)
	s := quick()
	s.Validation, s.Monitor, s.Epochs, s.Workers = 0, "last", 100, 2
	r, err := newRun(context.Background(), randomNet(1, points.Size, 32), points, d, s, Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.stepper.Close()
	if err := r.step(); err != nil {
		t.Fatal(err)
	}
	// Fewer steps than are left of the epoch: the next shuffle allocates its
	// random number generator.
	if got := testing.AllocsPerRun(20, func() {
		if err := r.step(); err != nil {
			t.Fatal(err)
		}
	}); got != 0 {
		t.Errorf("%v allocations a step", got)
	}
}

// BenchmarkRun trains on contact positions in memory with the inputs of GNU
// Backgammon, encoding included.
func BenchmarkRun(b *testing.B) {
	d := contactData(b, 50_000)
	set := features.GNUbgContact
	for _, hidden := range []int{128, 256, 512} {
		for workers := 1; workers <= 2; workers++ {
			b.Run(fmt.Sprintf("hidden=%d/workers=%d", hidden, workers), func(b *testing.B) {
				s := Defaults()
				s.Validation, s.Monitor, s.Epochs, s.Batch, s.Workers = 0, "last", 1, 512, workers
				cpu := cpuSeconds()
				for b.Loop() {
					if _, _, err := Run(context.Background(), randomNet(1, set.Size, hidden), set, d, s,
						Hooks{}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.N*d.Training())/b.Elapsed().Seconds(), "positions/s")
				b.ReportMetric(float64(b.N*d.Training())/(cpuSeconds()-cpu), "positions/cpu-s")
			})
		}
	}
}

// BenchmarkMillion trains a 250-256-5 net on a million positions for 20 epochs with
// the default settings: run it with -benchtime 1x.
func BenchmarkMillion(b *testing.B) {
	d := contactData(b, 1_000_000)
	set := features.GNUbgContact
	for workers := 1; workers <= 2; workers++ {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			s := Defaults()
			s.Validation, s.Monitor, s.Epochs, s.Workers = 0, "last", 20, workers
			cpu := cpuSeconds()
			for b.Loop() {
				if _, _, err := Run(context.Background(), randomNet(1, set.Size, 256), set, d, s, Hooks{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s/run")
			b.ReportMetric((cpuSeconds()-cpu)/float64(b.N), "cpu-s/run")
		})
	}
}

// cpuSeconds is the CPU time that this process has used.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// contactData has the contact positions of games of random plays.
func contactData(t testing.TB, n int) *Data {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	d := NewData(0, false)
	var plays bg.Plays
	for b := bg.Start; d.Training() < n; {
		next := plays.Generate(&b, 1+rng.IntN(6), 1+rng.IntN(6))
		b = next[rng.IntN(len(next))]
		if bg.Classify(&b) != bg.Contact {
			b = bg.Start
		}
		if err := d.Add(Example{Key: b.Key(), Target: pipTarget(&b), Weight: 1}); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

// randomNet returns a net of random weights.
func randomNet(seed uint64, inputs int, hidden ...int) *nn.Net {
	sizes := append(append([]int{inputs}, hidden...), bg.NumOutputs)
	return nets.Random(rand.New(rand.NewPCG(seed, 0)), nets.ByInputs, nn.Sigmoid, sizes...)
}
