package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"bgtrain/data"
	"bgtrain/rollout/job"

	"github.com/spf13/pflag"
)

// databaseFlags are the flags of commands that make a database out of another one
// in parts.
type databaseFlags struct {
	job.Database
	workers int
	farm    farmFlags
	json    bool
}

func (d *databaseFlags) add(f *pflag.FlagSet, chunk int) {
	d.Chunk = chunk
	d.List(&d.workers).AddFlags(f)
	d.farm.add(f)
	f.BoolVar(&d.Replace, "force", false, "replace the database of another run")
	f.BoolVar(&d.json, "json", false, "print the result as JSON")
}

// check reports flags that make no sense.
func (d *databaseFlags) check() error {
	if err := d.Check(); err != nil {
		return usageError{err}
	}
	return d.farm.check()
}

// make makes the database out of the one at path, with progress and a summary.
func (d *databaseFlags) make(ctx context.Context, e *env, path string, j *job.Job, command string) error {
	var err error
	if d.Input, err = data.OpenDatabase(path); err != nil {
		return err
	}
	output := strings.TrimRight(d.Output, "/")
	runner, err := d.farm.runner(e, d.workers, output)
	if err != nil {
		return err
	}
	d.Command = command
	begun, bar := time.Now(), newProgress(e, 0, "positions")
	report, err := d.Make(ctx, j, runner, job.Hooks{
		Progress: bar.Set,
		Damaged:  func(_ string, err error) { fmt.Fprintf(e.Stderr, "made again: %v\n", err) },
	})
	bar.Done()
	if errors.Is(err, context.Canceled) {
		err = kept{err}
	}
	if report == nil {
		return err
	}
	// Chunks may have been set aside: what there is is reported first.
	made := report.Made(output, time.Since(begun))
	return errors.Join(err, e.print(made, d.json))
}
