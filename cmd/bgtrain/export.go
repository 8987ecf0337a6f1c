package main

import (
	"context"

	"bgtrain/data"
	"bgtrain/dataset"
	"bgtrain/dataset/convert"
	"bgtrain/internal/bg"
	"bgtrain/internal/setting"
)

func runExport(ctx context.Context, e *env, args []string) error {
	f := newFlags(e, "export DB -o FILE [flags]",
		`Writes a rollout database as GNUbg training text, as wildbg CSV where the name of
FILE ends in .csv, both compressed where it ends in .gz or .zst, as Arrow IPC
(Feather) where it ends in .arrow or .feather, or as a database of the rows that are
asked for where it ends in .parquet. FILE - is standard output. Text holds outputs
only: no standard errors, trials or methods; the others hold every row and column.`,
		"bgtrain export rollouts.parquet -o contact-train-data.gz --class contact")
	out := f.StringP("output", "o", "", "the file to write, - for standard output (required)")
	var t convert.Target
	f.StringVar(&t.Format, "format", "auto", "gnubg, wildbg, arrow or parquet; auto goes by the name of FILE")
	var plans bg.PlanFilter
	append(setting.List{dataset.ClassSetting(&t.Filter), dataset.MethodSetting(&t.Filter)},
		dataset.PlanSettings(&plans, "")...).AddFlags(f)
	f.BoolVar(&t.SkipBad, "skip-bad", false,
		"leave bad rows, and positions without outputs, out and say how many there were")
	f.BoolVar(&t.Filter.Partial, "partial", false, "allow a database with parts missing, such as a rollout under way")
	asJSON := f.Bool("json", false, "print the result as JSON")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	kind, err := t.Kind(*out)
	switch {
	case err != nil:
		return usageError{err}
	case *out == "":
		return usagef("no file to write: -o FILE is missing")
	case kind == convert.Parquet && *out == "-":
		return usagef("a database is a file: -o FILE.parquet")
	case f.NArg() != 1:
		return usagef("expected one database, got %d", f.NArg())
	}
	db, err := data.OpenDatabase(f.Arg(0))
	if err != nil {
		return err
	}
	p := newProgress(e, int(db.NumRows()), "positions")
	t.Keep, t.Progress, t.Command = plans.KeepsKey, p.Set, commandLine("export", f)
	done, err := convert.Export(ctx, db, *out, e.Stdout, t)
	p.Done()
	if err != nil {
		return err
	}
	if *out == "-" {
		e.Stdout = e.Stderr
	}
	return e.print(done, *asJSON)
}
