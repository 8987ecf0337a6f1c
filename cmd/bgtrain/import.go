package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"bgtrain/dataset"
	"bgtrain/dataset/text"
	"bgtrain/internal/bg"
)

// runImport is the command import.
func runImport(ctx context.Context, e *env, args []string) error {
	f := newFlags(e, "import FILE… -o DB [flags]",
		`Reads positions with outputs into a rollout database: GNUbg training text and
wildbg CSV, plain or compressed by gzip, bzip2 or Zstandard. Every row is checked.
If any is bad nothing is written, unless --skip-bad leaves the bad ones out. DB is
one Parquet file, or a directory of parts where its name ends in a slash.`,
		"bgtrain import contact-train-data.gz crashed-train-data.gz -o train.parquet")
	out := f.StringP("output", "o", "", "the database to write (required)")
	format := f.String("format", "auto", "format of the files: auto, gnubg or wildbg")
	source := f.String("source", "", "value of the source column (default: the name of each file)")
	skipBad := f.Bool("skip-bad", false, "leave bad rows out and say how many there were")
	asJSON := f.Bool("json", false, "print the result as JSON")
	if err := parseFlags(f, args); err != nil {
		return err
	}
	kind, err := text.ParseFormat(*format)
	switch {
	case err != nil:
		return usageError{err}
	case *out == "":
		return usagef("no database to write: -o DB is missing")
	case f.NArg() == 0:
		return usagef("no file to import")
	}
	o := text.ImportOptions{
		Format: kind, Source: *source, SkipBad: *skipBad,
		Write: dataset.Options{Meta: dataset.Meta{Command: commandLine("import", f)}},
	}
	if e.Terminal {
		o.Progress = func(lines int64) { fmt.Fprintf(e.Stderr, "\r%d lines", lines) }
		defer fmt.Fprint(e.Stderr, "\r\x1b[K")
	}
	report, err := text.Import(ctx, f.Args(), *out, o)
	if err != nil {
		return err
	}
	return printReport(e.Stdout, *out, report, *asJSON)
}

// printReport prints what an import, export or merge did.
func printReport(w io.Writer, out string, r dataset.Report, asJSON bool) error {
	classes := map[string]int64{}
	var parts []string
	for c := bg.Contact; c > bg.Over; c-- {
		classes[c.String()] = r.Classes[c]
		if r.Classes[c] > 0 {
			parts = append(parts, fmt.Sprintf("%v %d", c, r.Classes[c]))
		}
	}
	if asJSON {
		return json.NewEncoder(w).Encode(struct {
			Output  string           `json:"output"`
			Rows    int64            `json:"rows"`
			Classes map[string]int64 `json:"classes"`
			Bad     map[string]int64 `json:"bad"`
			Dropped int64            `json:"duplicates_dropped"`
		}{out, r.Rows, classes, r.Bad.Map(), r.Dropped})
	}
	fmt.Fprintf(w, "%s: %d positions", out, r.Rows)
	if len(parts) > 0 {
		fmt.Fprintf(w, " (%s)", strings.Join(parts, ", "))
	}
	fmt.Fprintln(w)
	if n := r.Bad.Total(); n > 0 {
		fmt.Fprintf(w, "left out %d bad rows (%v)\n", n, &r.Bad)
	}
	if r.Dropped > 0 {
		fmt.Fprintf(w, "dropped %d duplicate positions\n", r.Dropped)
	}
	return nil
}
