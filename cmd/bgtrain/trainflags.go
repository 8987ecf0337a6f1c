package main

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"
)

func (o *trainOptions) addFlags(f *pflag.FlagSet) {
	f.StringVarP(&o.out, "output", "o", "", "net file to write (required)")
	f.StringVar(&o.from, "from", "td", "net to start from: a file, an embedded one (td, default, gnubg-size), or random")
	f.BoolVar(&o.anew, "anew", false, "begin the nets to train at random weights, as --from random; the others stay those of --from")
	f.StringSliceVar(&o.nets, "nets", []string{"contact", "crashed", "race"}, "nets to train; the others stay as they are. Also prune.contact, prune.crashed, prune.race")
	f.StringVar(&o.inputs, "inputs", "gnubg", "inputs of nets from random weights: gnubg (a set for each class) or an input set, such as tesauro")
	f.IntSliceVar(&o.hidden, "hidden", nil, "hidden units, of several layers with commas; a smaller net of one hidden layer is widened without a change of its function (default as the net to start from, 128 from random weights)")
	f.IntVar(&o.Epochs, "epochs", o.Epochs, "passes over the positions")
	f.IntVar(&o.Batch, "batch", o.Batch, "positions of a minibatch")
	f.Float64Var(&o.Rate, "lr", o.Rate, "learning rate after the warm-up")
	f.StringVar(&o.Schedule, "schedule", o.Schedule, "of the learning rate: constant, linear, cosine, exponential")
	f.Float64Var(&o.FinalRate, "lr-end", o.FinalRate, "learning rate at the end, as a part of --lr")
	f.Float64Var(&o.Warmup, "warmup", o.Warmup, "epochs in which the learning rate rises to --lr")
	f.StringVar(&o.Optimizer, "optimizer", o.Optimizer, "adam, adamw or sgd")
	f.Float64Var(&o.Beta1, "beta1", o.Beta1, "Adam's decay of the mean gradient")
	f.Float64Var(&o.Beta2, "beta2", o.Beta2, "Adam's decay of the mean squared gradient")
	f.Float64Var(&o.Momentum, "momentum", o.Momentum, "momentum of sgd")
	f.Float64Var(&o.Decay, "decay", o.Decay, "weight decay of adamw and sgd; 0 for none")
	f.Float64Var(&o.EMA, "ema", o.EMA, "decay of the moving average of the weights, a step; 0 for none")
	f.StringVar(&o.Loss, "loss", o.Loss, "squared or cross-entropy")
	f.Float64SliceVar(&o.outputs, "output-weights", o.OutputWeights[:], "weights in the loss of win, win gammon, win backgammon, lose gammon, lose backgammon")
	f.Float64Var(&o.EquityWeight, "equity-weight", o.EquityWeight, "weight of the equity's squared error in the squared loss")
	f.StringSliceVar(&o.mix, "mix", nil, "NET:CLASS=WEIGHT: let a net also train on another class, as contact:crashed=0.25")
	f.StringSliceVar(&o.exclude, "exclude", nil, "databases and benchmark files whose positions are left out")
	f.Float64Var(&o.weightSE, "weight-se", 0, "standard error at which a position counts half, in points; 0: all count alike")
	f.Float64Var(&o.trials, "weight-trials", 0, "rollout trials at which a position counts half; 0: all count alike")
	f.Float64Var(&o.Validation, "validation", o.Validation, "part of the positions that is held out")
	f.StringVar(&o.Monitor, "monitor", o.Monitor, "what makes a net the best: validation, er (of --benchmark), last (the newest)")
	f.IntVar(&o.Patience, "patience", o.Patience, "stop after so many epochs without a better net; 0: never")
	f.StringSliceVar(&o.benchmarks, "benchmark", nil, "benchmark files; a net is scored on those of its class")
	f.IntVar(&o.ScoreEvery, "score-every", o.ScoreEvery, "epochs between scores")
	f.Uint64Var(&o.Seed, "seed", o.Seed, "seed of the shuffling and of random weights")
	f.IntVar(&o.Workers, "workers", o.Workers, "goroutines; the result does not depend on it")
	f.StringVar(&o.curve, "curve", "", "learning curves as JSON lines (default NET.curve.jsonl)")
	f.StringVar(&o.plot, "plot", "", "learning curves as a picture (default NET.curve.svg)")
	f.StringVar(&o.checkpoint, "checkpoint", "", "beginning of the checkpoints' names (default NET)")
	f.DurationVar(&o.CheckpointEvery, "checkpoint-every", o.CheckpointEvery, "time between checkpoints")
	f.BoolVar(&o.fresh, "fresh", false, "begin anew even where a checkpoint exists")
	f.BoolVar(&o.json, "json", false, "print the result as JSON")
}

// check completes the options, or says what is wrong with them.
func (o *trainOptions) check() error {
	if o.out == "" {
		return errors.New("no net to write: -o NET is missing")
	}
	if len(o.outputs) != len(o.OutputWeights) {
		return fmt.Errorf("--output-weights: %d numbers, %d expected", len(o.outputs), len(o.OutputWeights))
	}
	copy(o.OutputWeights[:], o.outputs)
	for _, n := range o.hidden {
		if n < 1 {
			return fmt.Errorf("--hidden %d", n)
		}
	}
	if o.Monitor == "er" && len(o.benchmarks) == 0 {
		return errors.New("--monitor er needs --benchmark")
	}
	if o.inputs != "gnubg" && o.from != "random" {
		return errors.New("--inputs is for --from random: a net keeps its inputs")
	}
	var err error
	if o.classes, err = weightings(o.nets, o.mix, float32(o.weightSE), float32(o.trials)); err != nil {
		return err
	}
	for _, name := range []struct {
		to     *string
		suffix string
	}{{&o.curve, ".curve.jsonl"}, {&o.plot, ".curve.svg"}, {&o.checkpoint, ""}} {
		if *name.to == "" {
			*name.to = o.out + name.suffix
		}
	}
	return o.Settings.Check()
}
