package trainer

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"bgtrain/internal/backprop"
	"bgtrain/internal/bg"
)

// Settings say how a net is trained. Defaults has the values for fields that
// nobody sets.
type Settings struct {
	Epochs int    // passes over the training set
	Batch  int    // positions of a minibatch
	Seed   uint64 // of the shuffling

	Optimizer string  // "adam", "adamw" (Decay apart from the gradient) or "sgd" (with momentum)
	Rate      float64 // learning rate after the warm-up
	Schedule  string  // of the rate after the warm-up: "constant", "linear", "cosine", "exponential"
	FinalRate float64 // rate at the end as a part of Rate; constant: ignored
	Warmup    float64 // epochs in which the rate rises from 0 to Rate; 0: off
	Beta1     float64 // Adam: decay of the first moment, a step
	Beta2     float64 // Adam: decay of the second moment, a step
	Epsilon   float64 // Adam: added to the root of the second moment
	Momentum  float64 // sgd: decay of the velocity, a step; 0: plain gradient descent
	Decay     float64 // adamw, sgd: a step takes rate·Decay of every weight away; 0: off
	EMA       float64 // decay of the moving average of the weights, a step; 0: off

	Loss          string                 // "squared" or "cross-entropy", see backprop.LossKind
	OutputWeights [bg.NumOutputs]float64 // weights of the outputs in the loss
	EquityWeight  float64                // squared: weight of the equity's squared error; 0: off

	Validation float64 // part of the positions held out, 0 to below 1; 0: none
	Monitor    string  // what makes a net the best: "validation" (loss), "er" (Hooks.Score) or "last" (the newest)
	Patience   int     // stop after so many epochs without a better net; 0: off
	ScoreEvery int     // epochs between calls of Hooks.Score; it is always called after the last

	// The rest changes no result.
	Workers         int           `json:"-"` // goroutines
	CheckpointEvery time.Duration `json:"-"` // time between checkpoints
}

// Defaults are the settings of "bgtrain train".
var Defaults = Settings{
	Epochs: 20, Batch: 256, Seed: 1,
	Optimizer: "adamw", Rate: 1e-2, Schedule: "cosine", FinalRate: 0.01, Warmup: 0.5,
	Beta1: 0.9, Beta2: 0.99, Epsilon: 1e-8, Momentum: 0.9, Decay: 0.01, EMA: 0.999,
	Loss: "squared", OutputWeights: [bg.NumOutputs]float64{1, 1, 1, 1, 1}, EquityWeight: 1,
	Validation: 0.05, Monitor: "validation", ScoreEvery: 1,
	Workers: 1, CheckpointEvery: 30 * time.Second,
}

// The values that the fields of names take.
var (
	optimizers = []string{"adam", "adamw", "sgd"}
	monitors   = []string{"validation", "er", "last"}
)

// Check reports the first setting that makes no sense.
func (s *Settings) Check() error {
	if _, err := backprop.ParseLossKind(s.Loss); err != nil {
		return err
	}
	for _, c := range []struct {
		what, value string
		known       []string
	}{
		{"optimizer", s.Optimizer, optimizers},
		{"schedule", s.Schedule, schedules},
		{"monitor", s.Monitor, monitors},
	} {
		if !slices.Contains(c.known, c.value) {
			return fmt.Errorf("unknown %s %q (known: %s)", c.what, c.value, strings.Join(c.known, ", "))
		}
	}
	for _, c := range []struct {
		what         string
		value        float64
		least, below float64
	}{
		{"epochs", float64(s.Epochs), 1, 1 << 20},
		{"batch", float64(s.Batch), 1, 1 << 20},
		{"workers", float64(s.Workers), 1, 1 << 12},
		{"rate", s.Rate, 0, 1e6},
		{"final rate", s.FinalRate, 0, 1e6},
		{"warm-up", s.Warmup, 0, 1 << 20},
		{"beta1", s.Beta1, 0, 1},
		{"beta2", s.Beta2, 0, 1},
		{"epsilon", s.Epsilon, 1e-30, 1},
		{"momentum", s.Momentum, 0, 1},
		{"decay", s.Decay, 0, 1e6},
		{"EMA", s.EMA, 0, 1},
		{"equity weight", s.EquityWeight, 0, 1e6},
		{"validation", s.Validation, 0, 1},
		{"patience", float64(s.Patience), 0, 1 << 20},
		{"score-every", float64(s.ScoreEvery), 1, 1 << 20},
	} {
		if !(c.value >= c.least && c.value < c.below) {
			return fmt.Errorf("%s %v: %v to below %v expected", c.what, c.value, c.least, c.below)
		}
	}
	for k, w := range s.OutputWeights {
		if !(w >= 0 && w < 1e6) {
			return fmt.Errorf("weight %v of output %d", w, k)
		}
	}
	switch {
	case s.Schedule == "exponential" && s.FinalRate == 0:
		return fmt.Errorf("an exponential schedule cannot end at rate 0")
	case s.Decay > 0 && s.Optimizer == "adam":
		return fmt.Errorf("weight decay %v: optimizer adamw or sgd expected", s.Decay)
	case s.Monitor == "validation" && s.Validation == 0:
		return fmt.Errorf("no validation set to choose the best net by (monitor %q or %q)", "er", "last")
	}
	return nil
}

// engineOptions are the settings that matter to package backprop.
func (s *Settings) engineOptions() backprop.Options {
	kind := backprop.Adam
	if s.Optimizer == "sgd" {
		kind = backprop.Momentum
	}
	loss := backprop.Loss{Equity: float32(s.EquityWeight)}
	loss.Kind, _ = backprop.ParseLossKind(s.Loss) // checked
	for k, w := range s.OutputWeights {
		loss.Outputs[k] = float32(w)
	}
	return backprop.Options{
		Batch: s.Batch, Workers: s.Workers, Loss: loss,
		Optimiser: backprop.Optimiser{Kind: kind, Beta1: s.Beta1, Beta2: s.Beta2, Epsilon: s.Epsilon,
			Momentum: s.Momentum, Decay: s.Decay, Average: s.EMA},
	}
}

// fields returns the settings that results depend on, by name.
func (s *Settings) fields() map[string]string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // Check lets no value pass that JSON cannot hold
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		panic(err)
	}
	out := make(map[string]string, len(raw))
	for k, v := range raw {
		out[k] = string(v)
	}
	return out
}

// Describe returns the settings that results depend on as one line.
func (s *Settings) Describe() string {
	fields := s.fields()
	names := make([]string, 0, len(fields))
	for k := range fields {
		names = append(names, k)
	}
	slices.Sort(names)
	var b strings.Builder
	for i, k := range names {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%s=%s", k, strings.Trim(fields[k], `"`))
	}
	return b.String()
}
