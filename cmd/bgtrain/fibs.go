package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"bgtrain/internal/fibs"
)

// fibsPassword is the environment variable with the bot's password.
const fibsPassword = "BGTRAIN_FIBS_PASSWORD"

func runFIBS(ctx context.Context, e *env, args []string) error {
	f := newFlags(e, "fibs [NET] --server HOST:PORT --user NAME [flags]",
		`Plays matches on FIBS, the First Internet Backgammon Server, or another that speaks its
client protocol: logs in, accepts invitations, resumes saved matches, and comes back when
the connection is lost. Servers want bots to be announced and named as such. The password
is read from a file or from `+fibsPassword+`, and never shown.`,
		"bgtrain fibs default --server fibs.com:4321 --user mybot --password-file ~/.fibs")
	var b brainFlags
	s := fibs.Defaults
	s.List().AddFlags(f)
	file := f.String("password-file", "",
		"file whose first line is the password; without it the environment's "+fibsPassword)
	b.add(f, false)
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if err := b.netArgument(f); err != nil {
		return err
	}
	s.Password = os.Getenv(fibsPassword)
	if *file != "" {
		text, err := os.ReadFile(*file)
		if err != nil {
			return fmt.Errorf("read password: %w", err)
		}
		line, _, _ := strings.Cut(string(text), "\n")
		s.Password = strings.TrimRight(line, "\r")
	}
	if err := s.Check(); err != nil {
		return usageError{err}
	}
	s.Log = func(line string) {
		fmt.Fprintf(e.Stderr, "%s %s\n", time.Now().UTC().Format(time.DateTime), line)
	}
	brain, err := b.open(ctx, e)
	if err != nil {
		return err
	}
	return fibs.Run(ctx, brain(), s)
}
