package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bgtrain/benchmark/bm"
	"bgtrain/benchmark/opponents"
	"bgtrain/benchmark/score"
	"bgtrain/dataset"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
	"bgtrain/internal/player"
	"bgtrain/trainer"
)

// roleClass is the class of positions that a net is for.
func roleClass(r nets.Role) bg.Class {
	switch strings.TrimPrefix(string(r), "prune.") {
	case "contact":
		return bg.Contact
	case "crashed":
		return bg.Crashed
	}
	return bg.Race
}

// weightings returns what each of the nets named trains on: its own class, and
// what mix (NET:CLASS=WEIGHT) adds or changes.
func weightings(names, mix []string, se, trials float32) (map[nets.Role]trainer.Weighting, error) {
	out := map[nets.Role]trainer.Weighting{}
	for _, name := range names {
		role := nets.Role(name)
		if !slices.Contains(nets.Roles, role) {
			return nil, fmt.Errorf("--nets %s: unknown net (known: %v)", name, nets.Roles)
		}
		w := trainer.Weighting{SE: se, Trials: trials}
		w.Classes[roleClass(role)] = 1
		out[role] = w
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("--nets: no net to train")
	}
	for _, m := range mix {
		net, rest, ok1 := strings.Cut(m, ":")
		class, number, ok2 := strings.Cut(rest, "=")
		weight, err := strconv.ParseFloat(number, 32)
		if !ok1 || !ok2 || err != nil || !(weight >= 0) {
			return nil, fmt.Errorf("--mix %s: NET:CLASS=WEIGHT expected", m)
		}
		w, ok := out[nets.Role(net)]
		if !ok {
			return nil, fmt.Errorf("--mix %s: net %q is not trained (--nets %s)", m, net, strings.Join(names, ","))
		}
		c, err := dataset.ParseClass(class)
		if err != nil {
			return nil, fmt.Errorf("--mix %s: %w", m, err)
		}
		w.Classes[c] = float32(weight)
		out[nets.Role(net)] = w
	}
	return out, nil
}

// loadExamples reads the rows with outputs of the classes that w gives a weight,
// but for the positions of without.
func loadExamples(ctx context.Context, dbs []*dataset.DB, w *trainer.Weighting, without map[bg.Key]bool, validation float64) (*trainer.Data, error) {
	filter := dataset.Filter{Columns: dataset.ColClass | dataset.ColOutputs | dataset.ColEquitySE | dataset.ColTrials}
	for c, weight := range w.Classes {
		if weight > 0 {
			filter.Classes = append(filter.Classes, bg.Class(c))
		}
	}
	data := trainer.NewData(validation)
	for _, db := range dbs {
		for b, err := range db.Batches(ctx, filter) {
			if err != nil {
				return nil, err
			}
			if err := addBatch(data, b, w, without); err != nil {
				return nil, fmt.Errorf("read database %s: %w", b.Part, err)
			}
		}
	}
	if data.Training() == 0 {
		return nil, fmt.Errorf("no positions with outputs of class %v in the databases", filter.Classes)
	}
	return data, nil
}

func addBatch(data *trainer.Data, b *dataset.Batch, w *trainer.Weighting, without map[bg.Key]bool) error {
	for i, key := range b.Keys {
		if !b.HasOutputs[i] || without[key] {
			continue
		}
		// The batch marks what is not known as NaN and -1.
		se, trials := b.EquitySE[i], float32(b.Trials[i])
		if se != se {
			se = -1
		}
		target := b.Outputs[i]
		for k := range target {
			// Rounding errors up to 1e-4 are let into databases.
			target[k] = min(1, max(0, target[k]))
		}
		if err := data.Add(trainer.Example{Key: key, Target: target, Weight: w.Of(b.Class[i], se, trials)}); err != nil {
			return err
		}
	}
	return nil
}

// benchmarks are the files that nets are scored on during training.
type benchmarks struct {
	files   []*bm.File
	bearoff *bearoff.DB
	workers int
}

func openBenchmarks(ctx context.Context, names []string, workers int) (*benchmarks, error) {
	b := &benchmarks{workers: workers}
	if len(names) == 0 {
		return b, nil
	}
	for _, name := range names {
		f, err := bm.ReadFile(name, bm.ReadOptions{})
		if err != nil {
			return nil, err
		}
		b.files = append(b.files, f)
	}
	var err error
	b.bearoff, err = bearoff.Open(ctx, bearoff.Options{})
	return b, err
}

// scorer returns what scores a net in the role it has in a player, on the files of
// its class; nil where there are none, or the role is not to evaluate decisions.
func (b *benchmarks) scorer(rest *nets.Set, role nets.Role, entry *nets.Entry) func(context.Context, *nn.Net) (float64, error) {
	var files []*bm.File
	for _, f := range b.files {
		if f.Class() == roleClass(role) && len(f.Records) > 0 {
			files = append(files, f)
		}
	}
	if len(files) == 0 || strings.HasPrefix(string(role), "prune.") {
		return nil
	}
	return func(ctx context.Context, net *nn.Net) (float64, error) {
		with := &nets.Set{Nets: map[nets.Role]*nets.Entry{}}
		for r, e := range rest.Nets {
			with.Nets[r] = e
		}
		with.Nets[role] = &nets.Entry{Net: net, Inputs: entry.Inputs, InputsVersion: entry.InputsVersion}
		p, err := player.New(with, b.bearoff, player.Options{})
		if err != nil {
			return 0, err
		}
		var total float64
		decisions := 0
		for _, f := range files {
			s, err := score.File(ctx, &opponents.NetPlayer{Net: p, Label: string(role)}, f, score.Options{Workers: b.workers})
			if err != nil {
				return 0, fmt.Errorf("score: %w", err)
			}
			sum := s.Summary()
			total += sum.Total
			decisions += sum.Decisions
		}
		return total / float64(decisions) * 1000, nil
	}
}
