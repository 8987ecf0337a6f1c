package main

import (
	"context"
	"os"
	"path/filepath"

	"bgtrain/internal/play"
)

func runPlay(ctx context.Context, e *env, args []string) error {
	f := newFlags(e, "play [NET] [flags]",
		`Plays backgammon against a net in the terminal: the board drawn, plays typed as 13/11 6/5
or 13 11 6 5, with hints, undo and a tutor, the cube, matches and money, and your error rate
at the end. 'help' in the game tells what can be typed. With --match the match is kept as a
.mat file, and the same command goes on with it. NO_COLOR=1 turns colors off.`,
		"bgtrain play default --length 5 --seed 7 --match mine.mat")
	var b brainFlags
	s := play.Defaults
	s.List().AddFlags(f)
	b.add(f, false)
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if err := b.netArgument(f); err != nil {
		return err
	}
	brain, err := b.open(ctx, e)
	if err != nil {
		return err
	}
	s.Net = filepath.Base(b.player.Net)
	out := e.Stdout
	if p, terminal := out.(printable); terminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" {
		out, s.Color = p.w, true // play itself lets no other control characters through
	}
	return play.Play(ctx, e.Stdin, out, brain(), s)
}
