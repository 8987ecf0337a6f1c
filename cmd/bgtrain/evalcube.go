package main

import (
	"fmt"

	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/cube/met"
	"bgtrain/internal/setting"

	"github.com/spf13/pflag"
)

// cubeFlags are the flags of a cube decision.
type cubeFlags struct {
	model cube.Model // nil without --cube
	table *met.Table
	flags *pflag.FlagSet

	everywhere bool // plays after the roll are judged with the cube too
}

func (c *cubeFlags) add(f *pflag.FlagSet) {
	c.flags = f
	setting.List{
		{Name: "cube", To: cube.ModelOrNone(&c.model), Help: "also judge the cube decision of positions without dice " +
			"by a model: " + cube.Models + ", or none (default gnubg for an XGID or a Match ID, else none)"},
		met.Setting(&c.table, "--cube"),
	}.AddFlags(f)
}

// parse reads a position, and the dice of a flag, "" for those that the ID may carry.
func (c *cubeFlags) parse(id, dice string) (p cube.ID, err error) {
	if p, err = cube.ParseID(id, c.table); err != nil {
		return p, err
	}
	if c.model != nil && (c.everywhere || p.Dice == [2]int{}) && p.Problem != nil {
		return p, p.Problem // else the board and the dice will do
	}
	if dice != "" {
		if p.Dice, err = bg.ParseDice(dice); err != nil {
			return p, usageError{err}
		}
	}
	return p, nil
}

// checkCubeless refuses a board without checkers, and describes what is not used: without
// a cube model all is cubeless and for money.
func checkCubeless(e *env, p *cube.ID, id string) error {
	if p.Board == (bg.Board{}) {
		return fmt.Errorf("%s: no checker on the board", id)
	}
	if p.Problem != nil || p.State != cube.Money {
		fmt.Fprintf(e.Stderr, "%s: cubeless equities for money; the score and the cube are not used\n", id)
	}
	return nil
}

// changed reports whether a flag is given.
func (c *cubeFlags) changed(name string) bool { return c.flags.Changed(name) }

// of returns the model that judges the cube decision of a position, nil for none.
func (c *cubeFlags) of(p *cube.ID) (cube.Model, error) {
	switch {
	case p.Dice != [2]int{} || p.Board == (bg.Board{}):
		return nil, nil
	case p.Given && !c.changed("cube"):
		return cube.GNUbg{}, nil // the ID states where the cube lies
	case c.model == nil && c.changed("met"):
		return nil, usagef("--met is for cube decisions: --cube")
	}
	return c.model, nil
}
