package main

import (
	"context"
	"errors"
	"fmt"

	"bgtrain/benchmark/match"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/cube"
	"bgtrain/internal/setting"

	"github.com/spf13/pflag"
)

// matchOptions are the flags of match.
type matchOptions struct {
	match.Run
	players contestantFlags
	others  []string // that play in A's place
	boards  bool
	json    bool
}

// describe returns the flags with what the help says of the command.
func (o *matchOptions) describe(e *env) *pflag.FlagSet {
	f := newFlags(e, "match [flags] A B",
		"Plays games between two players and reports points per game, wins, gammons and\nbackgammons with standard "+
			"errors, all seen by A. Seats alternate. The same command\nplays the same games, whatever the number "+
			"of workers. With --length, plays matches to\nso many points with the Crawford rule: nets and "+
			"gnubg choose their plays by the score\nand the cube, and by their cube models (but see --objective).\n\nCube "+
			"models: "+cube.Models+".\n\n"+contestantHelp,
		"bgtrain match default pubeval --games 10000 --seed 1")
	o.Options.List().AddFlags(f)
	setting.List{bearoff.PairSetting(&o.OneSided)}.AddFlags(f)
	o.players.add(e, f, "one-sided")
	f.BoolVar(&o.WithLuck, "luck", false,
		"also report points, or matches won, less luck, measured by 0-ply look-ahead at every roll, with the cube and "+
			"at the score (about 20 times slower)")
	f.StringVar(&o.LuckNet, "luck-net", "", "net that measures luck; without it the first of A and B that is one")
	f.StringVar(&o.Log, "log", "", "keep finished games in this file; the same command goes on from there")
	f.StringArrayVar(&o.others, "instead", nil, "let this player play the same games in A's place, too, and report how "+
		"much better it did than A; may be given again")
	f.StringVar(&o.Save, "save", "", "write each game, or match with --length, to a .mat file in this directory, for "+
		"other programs; not those that --log has")
	f.BoolVar(&o.boards, "boards", false, "print the games with a board after each play; not those that --log has")
	f.BoolVar(&o.json, "json", false, "print the result as JSON")
	return f
}

func runMatch(ctx context.Context, e *env, args []string) error {
	o := matchOptions{Run: match.Run{Options: match.Defaults}}
	f := o.describe(e)
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if f.NArg() != 2 {
		return usagef("%d players given, 2 expected", f.NArg())
	}
	if o.Length == 0 && o.Table != nil {
		return usagef("--met is for matches: --length says to how many points")
	}
	if err := o.Complete(); err != nil {
		return err
	}
	if err := o.Options.Check(); err != nil {
		return usageError{err}
	}
	switch {
	case o.boards && o.json:
		return usagef("--boards is text, --json is not: one of the two expected")
	case len(o.others) > 0 && (o.boards || o.Save != ""):
		return usagef("--boards and --save are of one match, --instead plays several")
	}
	if err := o.players.Check(); err != nil {
		return usageError{err}
	}
	o.Opener = &o.players.Opener
	if err := o.Name(f.Args(), o.others); err != nil {
		return usageError{err}
	}
	return o.play(ctx, e)
}

// play plays the match and prints its result, also of one that is interrupted.
func (o *matchOptions) play(ctx context.Context, e *env) error {
	if o.boards {
		o.Boards = e.Stdout
	}
	var bar *progress
	r, err := o.Play(ctx, match.Hooks{
		Begin: func() func(done, total int) {
			bar.end()
			bar = newProgress(e, o.Games, "games")
			return bar.Set
		},
		Line: func(text string) {
			bar.end()
			fmt.Fprintln(e.Stderr, text)
		},
	})
	bar.end()
	if o.Log != "" && errors.Is(err, context.Canceled) {
		err = kept{err}
	}
	if r == nil {
		return err
	}
	return errors.Join(err, e.print(r, o.json))
}
