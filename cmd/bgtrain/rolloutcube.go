package main

import (
	"context"
	"fmt"

	"bgtrain/internal/cube"
	"bgtrain/internal/cube/met"
	"bgtrain/internal/setting"
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

// stateOf is the state of the cube that a position is rolled out with.
func (c *cubeRolloutFlags) stateOf(p *typed, id string) (cube.State, error) {
	s := p.state
	if s.Table != nil && (c.jacoby || c.beavers) {
		return s, usagef("%s is of a match: --jacoby and --beavers are for money", id)
	}
	s.Jacoby = s.Jacoby || c.jacoby
	return s, nil
}

// rollOut rolls out the cube decision of a position, or its plays, and prints them.
func (c *cubeRolloutFlags) rollOut(ctx context.Context, e *env, j *job.Job, p *typed, id string, plays, workers int,
	asJSON bool) error {
	s, err := c.stateOf(p, id)
	if err != nil {
		return err
	}
	h := cube.Handling{Model: c.model, Beavers: c.beavers}
	bar := newProgress(e, 0, "trials")
	if p.dice == [2]int{} {
		rolled, err := j.RollOutCube(ctx, &p.board, &s, h, workers, bar.Set)
		bar.end()
		if err != nil {
			return err
		}
		return e.print(rolled, asJSON)
	}
	rolled, err := j.RollOutCubePlays(ctx, &p.board, &s, p.dice, plays, h, workers, bar.Set)
	bar.end()
	if err != nil {
		return err
	}
	if !asJSON {
		fmt.Fprintf(e.Stdout, "%s  %c-%c, cube %s\n  %s, %d trials, common dice\n", rolled[0].Position,
			rolled[0].Dice[0], rolled[0].Dice[1], rolled[0].State, rolled[0].Method, rolled[0].Trials)
	}
	for i := range rolled {
		if err := e.print(&rolled[i], asJSON); err != nil {
			return err
		}
	}
	return nil
}
