package main

import (
	"context"
	"fmt"
	"slices"

	"bgtrain/benchmark/bm"
	"bgtrain/benchmark/score"
	"bgtrain/data"
	"bgtrain/internal/nets"
	"bgtrain/trainer"

	"github.com/spf13/pflag"
)

// trainOptions are the flags of train.
type trainOptions struct {
	trainer.Settings
	trainer.Files
	from       string
	exclude    []string
	benchmarks []string
	shipped    bool // scored on the benchmark files that ship with the program
	skipBad    bool
	json       bool
}

func runTrain(ctx context.Context, e *env, args []string) error {
	o := trainOptions{Settings: trainer.Defaults()}
	f := newFlags(e, "train [DB…] [flags] -o NET",
		`Trains the nets of a player on rollout databases, in minibatches, one net after the
other. Interrupted or killed, the same command goes on from its last checkpoint and
ends with the same net. A part of the positions is held out to validate on; the net
that does best there is kept. NET.curve.jsonl and NET.curve.svg get the curves.
Without DB it trains on the embedded database and scores on the embedded benchmark
files; NET is then trained.safetensors unless given.`,
		"bgtrain train --from td --hidden 256 --epochs 40 --benchmark contact.bm,crashed.bm train.parquet -o "+
			"my.safetensors")
	o.add(f)
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	dbs, learned := f.Args(), trainer.NameData(f.Args())
	if len(dbs) == 0 {
		if err := o.ship(e, f); err != nil {
			return err
		}
		dbs, learned = []string{data.Embedded}, data.Embedded
	}
	if err := o.check(); err != nil {
		return usageError{err}
	}
	if changed := o.Adapt(); changed != nil {
		fmt.Fprintln(e.Stderr, changed)
	}
	src, err := o.sources(ctx, dbs)
	if err != nil {
		return err
	}
	src.Data, src.Provenance = learned, map[string]string{"command": commandLine("train", f)}
	for _, path := range data.Repeated(dbs) {
		fmt.Fprintf(e.Stderr, "%s is given more than once: its positions count as often\n", path)
	}
	src.SkipBad = o.skipBad
	all, err := trainer.Run(ctx, src, o.Files, o.Settings, trainHooks(e, o.Epochs, o.Revive))
	if err != nil {
		return err
	}
	sayLeft(e, src, all)
	return e.print(&trainer.Result{Path: o.Net, Nets: all}, o.json)
}

// ship names the net of a command without databases, and scores it on what ships with the
// program.
func (o *trainOptions) ship(e *env, f *pflag.FlagSet) error {
	o.shipped = len(o.benchmarks) == 0
	if o.Net != "" {
		return nil
	}
	if err := f.Set("output", "trained.safetensors"); err != nil {
		return err
	}
	return checkOutputs(e, f)
}

// sayLeft prints which rows were left out, and which nets stayed as they were.
func sayLeft(e *env, src *trainer.Sources, all []trainer.Trained) {
	if n := src.Bad.Total(); n > 0 {
		fmt.Fprintf(e.Stderr, "left out %d bad rows (%v)\n", n, &src.Bad)
	}
	for _, t := range all {
		if t.Report.Points[t.Report.Best].Epoch == 0 {
			fmt.Fprintf(e.Stderr, "%s: no epoch was better than the net it started from, which is kept as it was\n",
				t.Role)
		}
	}
}

func (o *trainOptions) add(f *pflag.FlagSet) {
	f.StringVarP(&o.Net, "output", "o", "", "net file to write")
	f.StringVar(&o.from, "from", "td",
		"net to start from: a file, an embedded one ("+data.NetList()+"), or random")
	o.List().AddFlags(f)
	f.StringSliceVar(&o.exclude, "exclude", nil, "databases and benchmark files whose positions are left out")
	f.BoolVar(&o.skipBad, "skip-bad", false,
		"leave bad rows of other programs' databases out and say how many there were")
	f.StringSliceVar(&o.benchmarks, "benchmark", nil, "benchmark files; a net is scored on those of its class, "+
		"with the other nets as they are meanwhile")
	f.StringVar(&o.Curve, "curve", "", "learning curves as JSON lines (default NET.curve.jsonl)")
	f.StringVar(&o.Plot, "plot", "", "learning curves as a picture (default NET.curve.svg)")
	f.StringVar(&o.Checkpoint, "checkpoint", "", "beginning of the checkpoints' names (default NET)")
	f.BoolVar(&o.Fresh, "fresh", false, "start from the first step even where a checkpoint exists")
	f.BoolVar(&o.json, "json", false, "print the result as JSON")
	section(f, "Nets", "from", "nets", "random", "inputs", "hidden", "activation", "revive")
	section(f, "Positions", "mix", "weight-se", "weight-trials", "exclude", "skip-bad", "validation")
	section(f, "Learning", "epochs", "batch", "lr", "schedule", "lr-end", "warmup", "optimizer", "beta1", "beta2",
		"epsilon", "momentum", "decay", "ema", "keep", "precision", "loss", "output-weights", "equity-weight",
		"within-weight")
	section(f, "The best net", "benchmark", "monitor", "patience", "score-every")
	section(f, "The run", "output", "seed", "workers", "checkpoint", "checkpoint-every", "fresh", "curve", "plot",
		"json")
}

// check completes the options, or describes what is wrong with them.
func (o *trainOptions) check() error {
	switch {
	case o.Net == "":
		return usagef("no net to write: -o NET is missing")
	case o.Monitor == "er" && len(o.benchmarks) == 0 && !o.shipped:
		return usagef("--monitor er needs --benchmark")
	}
	names := trainer.FilesOf(o.Net)
	for to, name := range map[*string]string{&o.Curve: names.Curve, &o.Plot: names.Plot,
		&o.Checkpoint: names.Checkpoint} {
		if *to == "" {
			*to = name
		}
	}
	return o.Settings.Check()
}

// sources opens what the player is trained from.
func (o *trainOptions) sources(ctx context.Context, dbs []string) (*trainer.Sources, error) {
	src := &trainer.Sources{From: o.from}
	var err error
	if o.from != "random" {
		if src.Start, err = data.OpenNet(o.from); err != nil {
			return nil, err
		}
	}
	if src.Databases, err = data.OpenDatabases(dbs); err != nil {
		return nil, err
	}
	if src.Without, err = bm.ReadKeys(ctx, o.exclude); err != nil {
		return nil, err
	}
	var files []*bm.File
	if len(o.benchmarks) > 0 || o.shipped {
		if files, err = bm.ReadAll(o.benchmarks, bm.ReadOptions{}); err != nil {
			return nil, err
		}
	}
	bench, err := score.NewFiles(ctx, files, o.Workers)
	if err != nil {
		return nil, err
	}
	src.Score, src.Scored, src.ScoredBy = bench.ER, bench.Classes(), bench.Digests()
	return src, nil
}

// partOf describes a net of those that are trained one after another, and estimates the work
// after it: in positions that it takes this net as long to learn from.
func partOf(plan []trainer.Planned, role nets.Role, epochs int) (part string, after float64) {
	i := slices.IndexFunc(plan, func(p trainer.Planned) bool { return p.Role == role })
	if i < 0 {
		return "", 0
	}
	for _, p := range plan[i+1:] {
		after += p.Rows * p.Cost / plan[i].Cost * float64(epochs)
	}
	return fmt.Sprintf("net %d of %d", i+1, len(plan)), after
}

// trainHooks show the progress of each net.
func trainHooks(e *env, epochs int, revive bool) trainer.Hooks {
	var bar *progress
	var plan []trainer.Planned
	return trainer.Hooks{
		Plan: func(p []trainer.Planned) { plan = p },
		Net: func(role nets.Role, training, heldOut, repeats int) {
			fmt.Fprintf(e.Stderr, "%s: %d positions to train on, %d held out\n", role, training, heldOut)
			if repeats > 0 {
				fmt.Fprintf(e.Stderr, "%s: %d of these rows repeat a position, which counts as often; 'bgtrain merge' "+
					"keeps the best row of each\n", role, repeats)
			}
			bar = newProgress(e, training*epochs, "positions")
			bar.part, bar.after = partOf(plan, role, epochs)
		},
		Idle: func(role nets.Role, idle *trainer.Idle) {
			what := "--revive starts them anew"
			if revive {
				what = "they start anew"
			}
			fmt.Fprintf(e.Stderr, "%s: of its hidden units %s are 0 on all of %d positions and learn nothing; %s\n", role,
				idle, idle.Rows, what)
		},
		Progress: func(done, total int) { bar.Set(done, total) },
		Note: func(text string) {
			if e.Terminal {
				bar.Line(text) // an epoch a line stays
				return
			}
			bar.Note(text)
		},
		Done: func() { bar.Done() },
	}
}
