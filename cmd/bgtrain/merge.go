package main

import (
	"context"
	"fmt"

	"bgtrain/data"
	"bgtrain/dataset"
	"bgtrain/dataset/convert"
)

func runMerge(ctx context.Context, e *env, args []string) error {
	f := newFlags(e, "merge DB… -o DB [flags]",
		`Writes the positions of several rollout databases into one. Of several rows with
one position the best stays: an exact value, else the rollout with the smallest
standard error, else the deepest evaluation, else any outputs; of equals the first.`,
		"bgtrain merge imported.parquet rollouts/ -o all.parquet")
	out := f.StringP("output", "o", "", "the database to write (required)")
	skipBad := f.Bool("skip-bad", false, "leave bad rows out and say how many there were")
	partial := f.Bool("partial", false, "allow databases with parts missing, such as a rollout under way")
	asJSON := f.Bool("json", false, "print the result as JSON")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	switch {
	case *out == "":
		return usagef("no database to write: -o DB is missing")
	case f.NArg() == 0:
		return usagef("no database to merge")
	}
	dbs, err := data.OpenDatabases(f.Args())
	if err != nil {
		return fmt.Errorf("merge: %w", err)
	}
	p := newProgress(e, 0, "rows")
	o := dataset.MergeOptions{
		SkipBad: *skipBad, Partial: *partial,
		Write:    dataset.Options{Meta: dataset.Meta{Command: commandLine("merge", f)}},
		Progress: p.Set,
	}
	report, err := dataset.Merge(ctx, dbs, *out, o)
	p.Done()
	if err != nil {
		return err
	}
	return e.print(convert.Summarize(*out, report), *asJSON)
}
