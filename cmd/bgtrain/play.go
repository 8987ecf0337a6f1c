package main

import (
	"context"
	"path/filepath"

	"bgtrain/benchmark/play"
)

// runPlay is the command play.
func runPlay(ctx context.Context, e *env, args []string) error {
	f := newFlags(e, "play [NET] [flags]",
		`Plays backgammon against a net in the terminal: the board drawn, plays typed as 13/11 6/5,
with hints and undo, the cube, matches and money. 'help' in the game tells what can be typed.
With --match the match is kept as a .mat file, and the same command goes on with it.`,
		"bgtrain play default --length 5 --seed 7 --match mine.mat")
	var b brainFlags
	var s play.Settings
	f.IntVar(&s.Length, "length", 0, "points of the match; 0 plays for money")
	f.Uint64Var(&s.Seed, "seed", 1, "seed of the dice: another one, other dice")
	f.StringVar(&s.File, "match", "", "the match, .mat: written after every action; one that is there goes on")
	f.StringVar(&s.Name, "name", "You", "your name")
	b.add(f, false)
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if err := b.netArgument(f); err != nil {
		return err
	}
	if s.Length < 0 {
		return usagef("--length %d: 0 or more expected", s.Length)
	}
	brain, err := b.open(ctx, e)
	if err != nil {
		return err
	}
	s.Net = filepath.Base(b.player.net)
	return play.Play(ctx, e.Stdin, e.Stdout, brain(), s)
}
