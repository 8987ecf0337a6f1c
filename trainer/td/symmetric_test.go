package td

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bgtrain/features"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
)

// symmetries are trainings with symmetric weights, of all kinds.
func symmetries() map[string]Settings {
	plain := func(change func(s *Settings)) Settings {
		s := small(1)
		s.Symmetric, s.Outputs, s.Hidden, s.Init = true, 1, []int{7}, 0.1
		change(&s)
		return s
	}
	estimator := estimated(1)
	estimator.Symmetric, estimator.Games, estimator.Minibatches = true, 2, 20
	return map[string]Settings{
		"win":       plain(func(s *Settings) { s.Phases = 1 }),
		"defaults":  plain(func(s *Settings) { s.Inputs, s.Lambda, s.HiddenRate = "", 0.5, 0.5 }),
		"hilton":    plain(func(s *Settings) { s.Inputs = "hilton-326" }),
		"estimator": estimator,
	}
}

// rawOutputs are those of a net, before anything that the rules say of them.
func rawOutputs(t *testing.T, e *nets.Entry, b *bg.Board) (out bg.Outputs) {
	t.Helper()
	set, err := features.Lookup(e.Inputs, e.InputsVersion)
	if err != nil {
		t.Fatal(err)
	}
	c, err := nn.Compile(e.Net)
	if err != nil {
		t.Fatal(err)
	}
	x, y := make([]float32, c.Stride()), make([]float32, bg.NumOutputs)
	set.Encode(b, x[:set.Size])
	c.Eval(c.NewScratch(), x, 1, y)
	return bg.Outputs(y)
}

// The chances to win of a position and of its mirror sum to 1, so a position that is its own mirror is even,
// before training and after it.
func TestSymmetricWeights(t *testing.T) {
	for name, s := range symmetries() {
		t.Run(name, func(t *testing.T) {
			start := begin(t, s).Nets
			player := train(t, begin(t, s), s)
			if start.Fingerprint() == player.Fingerprint() {
				t.Fatal("nothing learned")
			}
			for _, player := range []*nets.Set{start, player} {
				e := player.Nets[nets.Contact]
				rng := rand.New(rand.NewPCG(1, 2))
				b, plays := bg.Start, bg.Plays{}
				near := func(what string, x, want float32) {
					t.Helper()
					if math.Abs(float64(x-want)) > 2e-6 {
						t.Fatalf("%s: %v, want %v\n%s", what, x, want, b.Draw())
					}
				}
				near("opening position", rawOutputs(t, e, &b)[bg.Win], 0.5)
				for range 150 {
					mirror := b.Swapped()
					mine, its := rawOutputs(t, e, &b), rawOutputs(t, e, &mirror)
					near("win and its mirror's", mine[bg.Win]+its[bg.Win], 1)
					next := plays.Generate(&b, 1+rng.IntN(6), 1+rng.IntN(6))
					if b = next[rng.IntN(len(next))]; bg.Classify(&b) == bg.Over {
						b = bg.Start
					}
				}
			}
		})
	}
}

// Of M hidden units on tesauro's 98 inputs a side, M·98 + M−1 weights are free, and nothing else.
func TestSymmetricWeightsAreFew(t *testing.T) {
	s := symmetries()["win"]
	net := train(t, begin(t, s), s).Nets[nets.Contact].Net
	first, last := &net.Layers[0], &net.Layers[1]
	half := len(first.Weights) / 2
	for i, w := range first.Weights[:half] {
		if first.Weights[half+i] != -w {
			t.Fatalf("weight %d of the opponent's inputs is %v, of the player's %v", i, first.Weights[half+i], w)
		}
	}
	total := float32(0)
	for h := range last.In {
		total += last.Weights[h*last.Out]
	}
	if math.Abs(float64(total)) > 1e-6 {
		t.Errorf("weights into the win sum to %v", total)
	}
	for o, bias := range append(first.Bias, last.Bias[bg.Win]) {
		if bias != 0 {
			t.Errorf("threshold %d is %v", o, bias)
		}
	}
}

// One step moves the win towards its target, by what the gradient of the free weights promises.
func TestSymmetricStep(t *testing.T) {
	s := symmetries()["win"]
	st := begin(t, s)
	set, _ := features.ByName("tesauro")
	b, plays := bg.Start, bg.Plays{}
	b = plays.Generate(&b, 3, 1)[0]
	e := st.Nets.Nets[nets.Contact]
	before := rawOutputs(t, e, &b)
	target := before
	target[bg.Win] += 0.2
	slope := before[bg.Win] * (1 - before[bg.Win])
	const alpha = 0.5
	want := float64(alpha * 0.2 * slope * slope * freeNorm(e, set, &b))
	newLearner(set, e.Net, &s).learn(&b, &target, alpha, alpha)
	if got := float64(rawOutputs(t, e, &b)[bg.Win] - before[bg.Win]); math.Abs(got-want) > 0.02*want {
		t.Errorf("moved by %v, want %v", got, want)
	}
}

// freeNorm is the squared length of the gradient of the win's sum by the free weights.
func freeNorm(e *nets.Entry, set *features.Set, b *bg.Board) (norm float32) {
	first, last := &e.Net.Layers[0], &e.Net.Layers[1]
	x := make([]float32, set.Size)
	set.Encode(b, x)
	inputs := float32(0)
	half := set.Size / 2
	for i := range half {
		d := x[i] - x[half+i]
		inputs += d * d
	}
	y := make([]float32, first.Out)
	for h := range y {
		for i := range x {
			y[h] += x[i] * first.Weights[i*first.Out+h]
		}
		y[h] = sigmoid(y[h])
		w := last.Weights[h*last.Out+bg.Win] * y[h] * (1 - y[h])
		norm += w * w * inputs
	}
	for h := range y {
		norm += (y[h] - y[len(y)-1]) * (y[h] - y[len(y)-1])
	}
	return norm
}

func TestSymmetricWeightsAreRefused(t *testing.T) {
	for want, change := range map[string]func(s *Settings){
		"inputs gnubg-contact": func(s *Settings) { s.Inputs = "gnubg" },
		"one hidden layer":     func(s *Settings) { s.Activation = "relu" },
		"of sigmoid units":     func(s *Settings) { s.Hidden = []int{7, 5} },
		"the win only":         func(s *Settings) { s.Outputs = 3 },
	} {
		s := small(1)
		s.Symmetric, s.Outputs = true, 1
		change(&s)
		if _, err := New(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", want, err)
		}
	}
}
