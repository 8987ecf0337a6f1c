package main

import (
	"context"

	"bgtrain/dataset"
	"bgtrain/dataset/text"
	"bgtrain/internal/bg"
)

// runExport is the command export.
func runExport(ctx context.Context, e *env, args []string) error {
	f := newFlags(e, "export DB -o FILE [flags]",
		`Writes a rollout database as GNUbg training text, or as wildbg CSV where the name
of FILE ends in .csv; compressed where it ends in .gz or .zst. FILE - is standard
output. These formats hold outputs only: no standard errors, trials or methods.`,
		"bgtrain export rollouts.parquet -o contact-train-data.gz --class contact")
	out := f.StringP("output", "o", "", "the file to write, - for standard output (required)")
	format := f.String("format", "auto", "gnubg or wildbg; auto goes by the name of FILE")
	classes := f.StringSlice("class", nil, "only positions of these classes: contact, crashed, race, bearoff")
	var plans planFilter
	plans.add(f)
	skipBad := f.Bool("skip-bad", false,
		"leave bad rows, and positions without outputs, out and say how many there were")
	partial := f.Bool("partial", false, "allow a database with parts missing, such as a rollout under way")
	asJSON := f.Bool("json", false, "print the result as JSON")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	kind, err := text.ParseFormat(*format)
	switch {
	case err != nil:
		return usageError{err}
	case *out == "":
		return usagef("no file to write: -o FILE is missing")
	case f.NArg() != 1:
		return usagef("expected one database, got %d", f.NArg())
	}
	o := text.ExportOptions{Format: kind, SkipBad: *skipBad, Filter: dataset.Filter{Partial: *partial}}
	if o.Filter.Classes, err = parseClasses(*classes); err != nil {
		return usageError{err}
	}
	if err := plans.parse(); err != nil {
		return usageError{err}
	}
	o.Keep = plans.has
	db, err := openDatabase(f.Arg(0))
	if err != nil {
		return err
	}
	p := newProgress(e, int(db.NumRows()), "positions")
	o.Progress = p.Set
	if *out == "-" {
		report, err := text.ExportTo(ctx, db, e.Stdout, o)
		p.Done()
		if err != nil {
			return err
		}
		return printReport(e.Stderr, "standard output", report, *asJSON)
	}
	report, err := text.Export(ctx, db, *out, o)
	p.Done()
	if err != nil {
		return err
	}
	return printReport(e.Stdout, *out, report, *asJSON)
}

// parseClasses reads the names of classes.
func parseClasses(names []string) ([]bg.Class, error) {
	var out []bg.Class
	for _, name := range names {
		c, err := dataset.ParseClass(name)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}
