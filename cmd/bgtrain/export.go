package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"bgtrain/dataset"
	"bgtrain/dataset/arrowfile"
	"bgtrain/dataset/text"
	"bgtrain/internal/bg"
)

// runExport is the command export.
func runExport(ctx context.Context, e *env, args []string) error {
	f := newFlags(e, "export DB -o FILE [flags]",
		`Writes a rollout database as GNUbg training text, as wildbg CSV where the name of
FILE ends in .csv, both compressed where it ends in .gz or .zst, or as Arrow IPC
(Feather) where it ends in .arrow or .feather. FILE - is standard output. Text holds
outputs only: no standard errors, trials or methods; Arrow holds every row and
column, and 'bgtrain import' reads the same database back.`,
		"bgtrain export rollouts.parquet -o contact-train-data.gz --class contact")
	out := f.StringP("output", "o", "", "the file to write, - for standard output (required)")
	format := f.String("format", "auto", "gnubg, wildbg or arrow; auto goes by the name of FILE")
	classes := f.StringSlice("class", nil, "only positions of these classes: contact, crashed, race, bearoff")
	var plans planFlags
	plans.add(f, "")
	skipBad := f.Bool("skip-bad", false,
		"leave bad rows, and positions without outputs, out and say how many there were")
	partial := f.Bool("partial", false, "allow a database with parts missing, such as a rollout under way")
	asJSON := f.Bool("json", false, "print the result as JSON")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	toArrow := *format == arrowFormat || *format == "auto" && arrowName(*out)
	kind, err := text.FormatAuto, error(nil)
	if !toArrow {
		kind, err = text.ParseFormat(*format)
	}
	switch {
	case err != nil:
		return usageError{fmt.Errorf("--format: %w, arrow", err)}
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
	if toArrow {
		err := exportArrow(ctx, e, db, *out, *asJSON, arrowfile.ExportOptions{Filter: o.Filter, Keep: o.Keep,
			SkipBad: *skipBad, Progress: p.Set})
		p.Done()
		return err
	}
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

// arrowFormat is the name of Arrow IPC for --format.
const arrowFormat = "arrow"

// arrowName tells whether a file is to be Arrow IPC by its name.
func arrowName(path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	return ext == ".arrow" || ext == ".feather"
}

// exportArrow writes a database as Arrow IPC.
func exportArrow(ctx context.Context, e *env, db *dataset.DB, out string, asJSON bool,
	o arrowfile.ExportOptions) error {
	w, name := e.Stdout, out
	var report dataset.Report
	var err error
	if out == "-" {
		w, name = e.Stderr, "standard output"
		report, err = arrowfile.ExportTo(ctx, db, e.Stdout, o)
	} else {
		report, err = arrowfile.Export(ctx, db, out, o)
	}
	if err != nil {
		return err
	}
	return printReport(w, name, report, asJSON)
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
