package main

import (
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

// asked is what is rolled out of a position.
func (c *cubeRolloutFlags) asked(p *cube.ID, id string, plays int) (*job.Asked, error) {
	a := &job.Asked{ID: *p, Handling: cube.Handling{Model: c.model, Beavers: c.beavers}, Plays: plays}
	if a.State.Table != nil && (c.jacoby || c.beavers) {
		return nil, usagef("%s is of a match: --jacoby and --beavers are for money", id)
	}
	a.State.Jacoby = a.State.Jacoby || c.jacoby
	return a, nil
}
