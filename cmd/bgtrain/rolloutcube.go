package main

import (
	"context"
	"errors"
	"fmt"

	"bgtrain/internal/cube"
	"bgtrain/internal/cube/met"
	"bgtrain/internal/setting"
	"bgtrain/internal/stats"
	"bgtrain/rollout/job"

	"github.com/spf13/pflag"
)

// cubeRolloutFlags are the flags of rollouts with the cube in play.
type cubeRolloutFlags struct {
	cubeFlags
	beavers, jacoby bool
}

func (c *cubeRolloutFlags) add(f *pflag.FlagSet) {
	c.flags, c.everywhere = f, true
	setting.List{
		{Name: "cube", To: cube.ModelOrNone(&c.model), Help: "of an ID: with the cube in play, handled by a model: " +
			cube.Models + ", or none"},
		met.Setting(&c.table, "--cube"),
		{Name: "jacoby", To: &c.jacoby, Help: "with --cube, for money: the Jacoby rule, which an XGID or a Match ID says " +
			"itself"},
		{Name: "beavers", To: &c.beavers, Help: "with --cube, for money: who is doubled and not behind may turn the " +
			"cube once more and keep it"},
	}.AddFlags(f)
}

// check refuses flags that do nothing without --cube.
func (c *cubeRolloutFlags) check() error {
	for _, name := range []string{"met", "jacoby", "beavers"} {
		if c.model == nil && c.changed(name) {
			return usagef("--%s goes with --cube", name)
		}
	}
	return nil
}

// asked is what is rolled out of a position.
func (c *cubeRolloutFlags) asked(p *cube.ID, id string, plays int) (*job.Asked, error) {
	a := &job.Asked{ID: *p, Handling: cube.Handling{Model: c.model, Beavers: c.beavers}, Plays: plays}
	if a.State.Table != nil && (c.jacoby || c.beavers) {
		return nil, usagef("%s is of a match: --jacoby and --beavers are for money", id)
	}
	a.State.Jacoby = a.State.Jacoby || c.jacoby
	return a, nil
}

// rollOut rolls positions out in parts, prints them and writes the file of them.
func (c *cubeRolloutFlags) rollOut(ctx context.Context, e *env, r *rolloutFlags, asked []*job.Asked,
	df *databaseFlags) error {
	s, have, err := r.settings()
	if err != nil {
		return err
	}
	s.Kind, s.Cube = job.Trials, &job.CubeRules{Model: c.model, Beavers: c.beavers}
	if s.Cube.Table, err = c.table.OrDefault(); err != nil {
		return err
	}
	if df.farm.Address.URLs != "" {
		if err := s.Cube.Travel(); err != nil {
			return usageError{err}
		}
	}
	j, err := job.Open(ctx, s, have, r.cacheMB())
	if err != nil {
		return err
	}
	f := job.AskedFile{Output: df.Output, Asked: asked}
	if f.Runner, err = df.farm.runner(e, df.workers, df.Output); err != nil {
		return err
	}
	bar := newProgress(e, 0, "trials")
	f.Progress = bar.Set
	f.Resumed = func(parts int) {
		fmt.Fprintf(e.Stderr, "going on after %s\n", stats.Count(parts, "part", "parts"))
	}
	answers, err := f.Make(ctx, j)
	bar.end()
	if errors.Is(err, context.Canceled) {
		err = kept{err}
	}
	for _, a := range answers {
		err = errors.Join(err, printAnswer(e, a, df.json))
	}
	return err
}
