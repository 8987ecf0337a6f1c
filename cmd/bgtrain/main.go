// Bgtrain trains backgammon evaluation nets from rollout databases.
//
// Each command lives in a file of its own; this one finds it and turns its
// outcome into an exit status.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"bgtrain/internal/cpu"

	"github.com/spf13/pflag"
	"golang.org/x/term"
)

// env is what a command may touch of the world around it.
type env struct {
	Stdin  io.Reader
	Stdout io.Writer // results
	Stderr io.Writer // progress and log lines

	// Terminal says whether Stderr is a terminal: progress bars only there.
	Terminal bool
}

// command is one subcommand.
type command struct {
	name    string
	summary string // one line
	run     func(ctx context.Context, e *env, args []string) error
}

// commands lists the subcommands in the order of the pipeline.
func commands() []command {
	return []command{
		{"import", "GNUbg text and wildbg CSV into a rollout database", runImport},
		{"export", "a rollout database into GNUbg training text or wildbg CSV", runExport},
		{"merge", "several rollout databases into one, without duplicates", runMerge},
		{"validate", "counts of what is wrong in files, by kind", runValidate},
		{"generate", "positions by self-play, spread over the classes", runGenerate},
		{"rollout", "rolled-out outputs for a database, or for positions typed", runRollout},
		{"label", "outputs by n-ply evaluation for a database", runLabel},
		{"makebm", "a benchmark file: decisions of self-play, candidates rolled out", runMakebm},
		{"td", "TD self-play training of starting weights", runTD},
		{"train", "supervised training of the nets on rollout databases", runTrain},
		{"score", "error rates of a player on benchmark files, comparison of two players", runScore},
		{"match", "games between two players", runMatch},
		{"report", "one HTML page of a net: error rates, worst decisions, curves, database", runReport},
		{"net", "import and export of GNU Backgammon's weights", runNet},
		{"info", "what is in a net, a database or a benchmark file", runInfo},
		{"eval", "outputs and equity of positions; with dice, the best plays", runEval},
	}
}

// Exit statuses.
const (
	exitDone  = 0
	exitFail  = 1
	exitUsage = 2
)

// usageError is a wrong command line.
type usageError struct{ err error }

func (u usageError) Error() string { return u.err.Error() }
func (u usageError) Unwrap() error { return u.err }

// usagef returns a usageError.
func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// The first signal asks commands to finish and save; a second one kills.
	go func() {
		<-ctx.Done()
		stop()
	}()
	if err := cpu.Problem(); err != nil {
		fmt.Fprintf(os.Stderr, "bgtrain: %v\n", err)
	}
	e := &env{os.Stdin, os.Stdout, os.Stderr, term.IsTerminal(int(os.Stderr.Fd()))}
	os.Exit(run(ctx, e, os.Args[1:]))
}

// run executes a command line and returns the exit status.
func run(ctx context.Context, e *env, args []string) int {
	if len(args) == 0 {
		usage(e.Stderr)
		return exitUsage
	}
	switch args[0] {
	case "-h", "--help", "help":
		if len(args) > 1 && args[0] == "help" {
			return run(ctx, e, []string{args[1], "-h"})
		}
		usage(e.Stdout)
		return exitDone
	}
	for _, c := range commands() {
		if c.name == args[0] {
			return status(e, c.name, c.run(ctx, e, args[1:]))
		}
	}
	fmt.Fprintf(e.Stderr, "bgtrain: unknown command %q\n", args[0])
	usage(e.Stderr)
	return exitUsage
}

// status reports how a command ended.
func status(e *env, name string, err error) int {
	var wrong usageError
	switch {
	case err == nil, errors.Is(err, pflag.ErrHelp):
		return exitDone
	case errors.As(err, &wrong):
		fmt.Fprintf(e.Stderr, "bgtrain %s: %v\nTry 'bgtrain %s -h'.\n", name, err, name)
		return exitUsage
	case errors.Is(err, context.Canceled):
		fmt.Fprintf(e.Stderr, "bgtrain %s: interrupted; the same command goes on from what is finished\n", name)
		return exitFail
	}
	fmt.Fprintf(e.Stderr, "bgtrain %s: %v\n", name, err)
	return exitFail
}

func usage(w io.Writer) {
	fmt.Fprint(w, "bgtrain trains backgammon nets from rollout databases.\n\nUsage: bgtrain COMMAND [flags] [arguments]\n\nCommands:\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-10s %s\n", c.name, c.summary)
	}
	fmt.Fprint(w, "\n'bgtrain COMMAND -h' tells about a command and gives an example.\n")
}

// newFlags returns the flag set of a command; its -h prints usage, about and
// example, then the flags.
func newFlags(e *env, usageLine, about, example string) *pflag.FlagSet {
	f := pflag.NewFlagSet(usageLine, pflag.ContinueOnError)
	f.SortFlags = false
	f.SetOutput(io.Discard)
	f.Usage = func() {
		fmt.Fprintf(e.Stdout, "Usage: bgtrain %s\n\n%s\n\nExample:\n  %s\n\nFlags:\n%s", usageLine, about, example, f.FlagUsages())
	}
	return f
}

// parseFlags parses a command's arguments; a mistake in them is a usageError.
func parseFlags(f *pflag.FlagSet, args []string) error {
	err := f.Parse(args)
	if err == nil || errors.Is(err, pflag.ErrHelp) {
		return err
	}
	return usageError{err}
}
