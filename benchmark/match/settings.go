package match

import (
	"fmt"

	"bgtrain/internal/cube"
	"bgtrain/internal/cube/met"
	"bgtrain/internal/parallel"
	"bgtrain/internal/setting"
)

// Defaults are the settings of the command.
var Defaults = Options{Games: 1000, Seed: 1}

// List returns each setting: its flag, what it may be, what it does.
func (o *Options) List() setting.List {
	return setting.List{
		{Name: "games", Short: "n", To: &o.Games, Range: setting.From(1, 1e9),
			Help: "number of games, or of matches with --length"},
		{Name: "length", To: &o.Length, Range: setting.From(0, met.MaxLength),
			Help: "play matches to so many points; 0 games for money"},
		met.Setting(&o.Table, "--length"),
		{Name: "seed", To: &o.Seed, Help: "seed of the dice"},
		{Name: "duplicate", To: &o.Duplicate, Help: "play each sequence of rolls twice, with seats exchanged"},
		{Name: "objective", To: &o.Objectives,
			Help: "what plays of nets maximize: money (points, without the cube), win (games), or match (the chance " +
				"to win a match at its score and cube, with --length; for money what the cube makes of it, with --cube); " +
				"one for A, or A,B; without it match with --length, else money"},
		{Name: "cube", To: cube.PairValue(&o.Cube),
			Help: "play with the doubling cube: a model such as janowski=0.7, or two for A,B; with --length gnubg " +
				"without it"},
		parallel.Setting(&o.Workers),
	}
}

// Complete fills in what a match is played with unless it is said: the match equity
// table and how the cube is handled.
func (o *Options) Complete() (err error) {
	if o.Length == 0 {
		return nil
	}
	if o.Table, err = o.Table.OrDefault(); err == nil && o.Cube == nil {
		o.Cube = &[2]cube.Model{cube.GNUbg{}, cube.GNUbg{}}
	}
	return err
}

// Check reports the first setting that makes no sense.
func (o *Options) Check() error {
	if err := o.List().Check(); err != nil {
		return err
	}
	switch {
	case o.Duplicate && o.Games%2 != 0:
		return fmt.Errorf("%d games: with duplicate dice an even number expected", o.Games)
	case o.Length == 0 && o.Table != nil:
		return fmt.Errorf("a match equity table is for matches: the length is their points")
	case o.Length > 0 && (o.Table == nil || o.Cube == nil):
		return fmt.Errorf("matches to %d points need a match equity table and a way to handle the cube", o.Length)
	}
	return nil
}
