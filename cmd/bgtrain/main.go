// Bgtrain trains backgammon evaluation nets from rollout databases.
//
// Each command lives in a file of its own; commands.go lists them, help.go prints
// what they say of themselves, and this file turns their outcome into an exit
// status.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"

	"bgtrain/internal/cpu"

	"golang.org/x/term"
)

// env is what a command may touch of the world around it.
type env struct {
	Stdin  io.Reader
	Stdout io.Writer // results
	Stderr io.Writer // progress and log lines

	// Terminal reports whether Stderr is a terminal: progress bars only there.
	Terminal bool

	unlock []func() // the outputs of the command, when it ends

	// outline, if not nil, is where a command describes itself instead of running.
	outline *outline
}

// Exit statuses; runWithSignals has two more.
const (
	exitDone  = 0
	exitFail  = 1
	exitUsage = 2
)

// usageError is a wrong command line.
type usageError struct{ error }

// Unwrap returns what is wrong.
func (u usageError) Unwrap() error { return u.error }

// usagef returns a usageError.
func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// kept is the end of an interrupted command that goes on when it is run again.
type kept struct{ error }

// Unwrap returns what interrupted it.
func (k kept) Unwrap() error { return k.error }

func main() {
	if err := cpu.Problem(); err != nil {
		fmt.Fprintf(os.Stderr, "bgtrain: %v\n", err)
	}
	os.Exit(runWithSignals(processEnv(), os.Args[1:]))
}

// processEnv is the world around this process.
func processEnv() *env {
	e := &env{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Terminal: term.IsTerminal(int(os.Stderr.Fd()))}
	if term.IsTerminal(int(os.Stdout.Fd())) {
		e.Stdout = printable{os.Stdout}
	}
	if e.Terminal {
		e.Stderr = printable{os.Stderr}
	}
	return e
}

// runWithSignals executes a command line. The first SIGINT or SIGTERM asks the
// command to finish and save, and the exit status is then 128 and the signal's
// number, as shells have it, unless all was done by then; a second one kills.
func runWithSignals(e *env, args []string) int {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	var got atomic.Int32
	go func() {
		if s, ok := (<-signals).(syscall.Signal); ok {
			got.Store(int32(s))
		}
		signal.Stop(signals)
		stop()
	}()
	status := run(ctx, e, args)
	if n := got.Load(); n != 0 && status == exitFail {
		return 128 + int(n)
	}
	return status
}

// run executes a command line and returns the exit status.
func run(ctx context.Context, e *env, args []string) int {
	defer e.release()
	root := newRoot(e, len(args) > 0 && needsFlags[args[0]])
	root.SetArgs(args)
	c, err := root.ExecuteContextC(ctx)
	return status(e, c.CommandPath(), err)
}

// status reports how a command ended.
func status(e *env, path string, err error) int {
	if err != nil && e.Terminal {
		fmt.Fprint(e.drawing(), clearLine) // of a progress bar
	}
	if err == nil {
		return exitDone
	}
	text := strings.Map(control, err.Error())
	var wrong usageError
	switch {
	case errors.As(err, &wrong):
		fmt.Fprintf(e.Stderr, "%s: %s (see '%s -h')\n", path, text, path)
		return exitUsage
	case errors.Is(err, context.Canceled):
		again := ""
		if errors.As(err, new(kept)) {
			again = "; the same command goes on from what is finished"
		}
		fmt.Fprintf(e.Stderr, "%s: interrupted%s\n", path, again)
		return exitFail
	}
	fmt.Fprintf(e.Stderr, "%s: %s\n", path, text)
	return exitFail
}

// drawing returns Stderr for what moves the cursor: progress bars, which write nothing
// that comes from a file.
func (e *env) drawing() io.Writer {
	if p, ok := e.Stderr.(printable); ok {
		return p.w
	}
	return e.Stderr
}

// printable writes text to a terminal without what controls it: what files, and people
// on a server, say is shown too.
type printable struct{ w io.Writer }

// Write replaces control characters but line ends and tabs.
func (p printable) Write(text []byte) (int, error) {
	if _, err := p.w.Write(bytes.Map(control, text)); err != nil {
		return 0, err
	}
	return len(text), nil
}

// control replaces a control character but a line end and a tab.
func control(r rune) rune {
	if (r < ' ' || r >= 0x7f && r < 0xa0) && r != '\n' && r != '\t' {
		return '\uFFFD'
	}
	return r
}
