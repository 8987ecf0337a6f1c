package fit

import (
	"fmt"
	"time"

	"bgtrain/internal/backprop"
	"bgtrain/internal/bg"
	"bgtrain/internal/identity"
	"bgtrain/internal/parallel"
	"bgtrain/internal/setting"
)

// Settings are how a net is trained; List has what each means. Defaults has the
// values for fields that nobody sets.
type Settings struct {
	Epochs int
	Batch  int
	Seed   uint64

	Optimizer string  // adamw takes its decay apart from the gradient
	Rate      float64 // after the warm-up
	Schedule  string  // of the rate after the warm-up
	FinalRate float64 // as a part of Rate; a constant schedule ignores it
	Warmup    float64
	Beta1     float64
	Beta2     float64
	Epsilon   float64
	Momentum  float64 // 0: plain gradient descent
	Decay     float64 // a step takes rate·Decay of every weight away
	EMA       float64
	Keep      float64 // of the weights to start from
	Precision string  // see backprop.Precision

	Loss          string // see backprop.LossKind
	OutputWeights []float64
	EquityWeight  float64
	WithinWeight  float64 // of siblings, see bg.Siblings

	Validation float64
	Monitor    string
	Patience   int
	ScoreEvery int // Hooks.Score is always called after the last epoch

	// These change no result.
	Workers         int
	CheckpointEvery time.Duration
}

// Defaults returns the settings of "bgtrain train".
func Defaults() Settings {
	return Settings{
		Epochs: 20, Batch: 256, Seed: 1,
		Optimizer: "adamw", Rate: 1e-2, Schedule: "cosine", FinalRate: 0.01, Warmup: 0.5,
		Beta1: 0.9, Beta2: 0.99, Epsilon: 1e-8, Momentum: 0.9, Decay: 0.01, EMA: 0.999,
		Precision: "float32", Loss: "squared", OutputWeights: []float64{1, 1, 1, 1, 1}, EquityWeight: 1,
		Validation: 0.05, Monitor: "validation", ScoreEvery: 1,
		CheckpointEvery: 30 * time.Second,
	}
}

// List has each setting: its flag, what it may be, what it does. The weights of
// the outputs are of the five outputs of bg.Outputs, in that order.
func (s *Settings) List() setting.List {
	descent, adam := s.Optimizer == "sgd", s.Optimizer == "adam" || s.Optimizer == "adamw"
	return setting.List{
		{Name: "epochs", Key: "Epochs", To: &s.Epochs, Range: setting.Below(1, 1<<20),
			Help: "passes over the positions"},
		{Name: "batch", Key: "Batch", To: &s.Batch, Range: setting.Below(1, 1<<20), Help: "positions of a minibatch"},
		{Name: "lr", Key: "Rate", To: &s.Rate, Range: setting.Below(0, 1e6), Help: "learning rate after the warm-up"},
		{Name: "schedule", Key: "Schedule", To: &s.Schedule, Known: schedules, Help: "of the learning rate"},
		{Name: "lr-end", Key: "FinalRate", To: &s.FinalRate, Unused: s.Schedule == "constant", Range: setting.Below(0, 1e6),
			Help: "learning rate at the end, as a part of --lr"},
		{Name: "warmup", Key: "Warmup", To: &s.Warmup, Unused: s.Warmup == 0, Range: setting.Below(0, 1<<20),
			Help: "epochs in which the learning rate rises to --lr"},
		{Name: "optimizer", Key: "Optimizer", To: &s.Optimizer, Known: []string{"adam", "adamw", "sgd", "muon"},
			Help: "rule of the weight updates; muon learns more from as many positions"},
		{Name: "beta1", Key: "Beta1", To: &s.Beta1, Unused: descent, Range: setting.Below(0, 1),
			Help: "Adam's decay of the mean gradient"},
		{Name: "beta2", Key: "Beta2", To: &s.Beta2, Unused: descent, Range: setting.Below(0, 1),
			Help: "Adam's decay of the mean squared gradient"},
		{Name: "epsilon", Key: "Epsilon", To: &s.Epsilon, Unused: descent, Range: setting.Below(1e-30, 1),
			Help: "added to the root of Adam's mean squared gradient"},
		{Name: "momentum", Key: "Momentum", To: &s.Momentum, Unused: adam, Range: setting.Below(0, 1),
			Help: "momentum of sgd and muon"},
		{Name: "decay", Key: "Decay", To: &s.Decay, Unused: s.Decay == 0, Range: setting.Below(0, 1e6),
			Help: "weight decay of adamw, sgd and muon; 0 for none"},
		{Name: "ema", Key: "EMA", To: &s.EMA, Unused: s.EMA == 0, Range: setting.Below(0, 1),
			Help: "decay of the moving average of the weights, a step; 0 for none"},
		{Name: "keep", Key: "Keep", To: &s.Keep, Unused: s.Keep == 0, Range: setting.Below(0, 1),
			Help: "what the result has of the weights to start from, 0 to 1: it is between them and the learned ones"},
		{Name: "precision", Key: "Precision", To: &s.Precision, Unused: s.precision() == backprop.Float32,
			Known: []string{"float32", "bf16"},
			Help: "of the products of hidden layers: float32, or bfloat16, which takes less time and gives " +
				"another net; float32 too on processors where it takes more"},
		{Name: "loss", Key: "Loss", To: &s.Loss, Known: []string{"squared", "cross-entropy"}, Help: "of the outputs"},
		{Name: "output-weights", Key: "OutputWeights", To: &s.OutputWeights, Range: setting.Below(0, 1e6),
			Help: "weights in the loss of win, win gammon, win backgammon, lose gammon, lose backgammon"},
		{Name: "equity-weight", Key: "EquityWeight", To: &s.EquityWeight,
			Unused: s.EquityWeight == 0 || s.Loss == "cross-entropy", Range: setting.Below(0, 1e6),
			Help: "weight of the equity's squared error in the squared loss"},
		{Name: "within-weight", Key: "WithinWeight", To: &s.WithinWeight,
			Unused: !s.ByDecision(), Range: setting.Below(0, 1e6),
			Help: "weight in the squared loss of the squared errors within a decision, the mean error of its plays " +
				"taken off: of generate's candidates and replies, in the order they were found"},
		{Name: "validation", Key: "Validation", To: &s.Validation, Range: setting.Below(0, 1),
			Help: "part of the positions that is held out"},
		{Name: "monitor", Key: "Monitor", To: &s.Monitor, Known: []string{"validation", "er", "last"},
			Help: "the best net has the least loss on the positions held out, the least error rate on --benchmark, " +
				"or is the newest"},
		{Name: "patience", Key: "Patience", To: &s.Patience, Unused: s.Patience == 0 || s.Monitor == "last",
			Range: setting.Below(0, 1<<20),
			Help:  "stop after so many epochs without a better net; 0: never"},
		{Name: "score-every", Key: "ScoreEvery", To: &s.ScoreEvery, Range: setting.Below(1, 1<<20),
			Help: "epochs between scores"},
		{Name: "seed", Key: "Seed", To: &s.Seed, Help: "seed of the shuffling and of random weights"},
		parallel.Setting(&s.Workers),
		{Name: "checkpoint-every", To: &s.CheckpointEvery, Help: "time between checkpoints"},
	}
}

// ByDecision reports whether candidate plays of one decision are kept together.
func (s *Settings) ByDecision() bool { return s.WithinWeight > 0 && s.Loss != "cross-entropy" }

// Check reports the first setting that makes no sense.
func (s *Settings) Check() error {
	if err := s.List().Check(); err != nil {
		return err
	}
	switch {
	case len(s.OutputWeights) != bg.NumOutputs:
		return fmt.Errorf("output-weights: %d numbers, %d expected", len(s.OutputWeights), bg.NumOutputs)
	case s.Schedule == "exponential" && s.FinalRate == 0:
		return fmt.Errorf("an exponential schedule cannot end at rate 0")
	case s.Decay > 0 && s.Optimizer == "adam":
		return fmt.Errorf("weight decay %v: optimizer adamw, sgd or muon expected", s.Decay)
	case s.Monitor == "validation" && s.Validation == 0:
		return fmt.Errorf("no validation set to choose the best net by (monitor %q or %q)", "er", "last")
	}
	return nil
}

// Adapt sets what this processor cannot compute to what comes nearest, and returns what it changed,
// nil if nothing: precision bf16 to float32 where there are no kernels of bfloat16.
func (s *Settings) Adapt() error {
	if s.precision() == backprop.Float32 || backprop.HasBFloat16() {
		return nil
	}
	s.Precision = backprop.Float32.String()
	return fmt.Errorf("precision %v becomes %s: %w", backprop.BFloat16, s.Precision, backprop.ErrNoBFloat16)
}

// Rounding names the kernels of a run, see cpu.Rounding.
func (s *Settings) Rounding() string { return s.precision().Rounding() }

func (s *Settings) precision() backprop.Precision {
	if s.Precision == backprop.BFloat16.String() {
		return backprop.BFloat16
	}
	return backprop.Float32
}

// backpropOptions are the settings that matter to package backprop.
func (s *Settings) backpropOptions() backprop.Options {
	kind := backprop.Adam
	switch s.Optimizer {
	case "sgd":
		kind = backprop.Momentum
	case "muon":
		kind = backprop.Muon
	}
	loss := backprop.Loss{Equity: float32(s.EquityWeight)}
	if s.ByDecision() {
		loss.Within = float32(s.WithinWeight)
	}
	loss.Kind, _ = backprop.ParseLossKind(s.Loss) // checked
	for k, w := range s.OutputWeights {
		loss.Outputs[k] = float32(w)
	}
	return backprop.Options{
		Batch: s.Batch, Workers: parallel.Workers(s.Workers), Loss: loss, Precision: s.precision(), Keep: s.Keep,
		Optimizer: backprop.Optimizer{Kind: kind, Beta1: s.Beta1, Beta2: s.Beta2, Epsilon: s.Epsilon,
			Momentum: s.Momentum, Decay: s.Decay, Average: s.EMA},
	}
}

// Identity returns the settings that results depend on. Precision float32 is left out,
// as it is of nets made before there was another.
func (s *Settings) Identity() identity.ID {
	id := identity.ID(s.List().Values())
	if s.Decay == 0 && s.Optimizer == "adamw" {
		id["Optimizer"] = "adam" // the same without decay
	}
	return id
}
