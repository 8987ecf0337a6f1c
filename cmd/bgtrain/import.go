package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"bgtrain/dataset"
	"bgtrain/dataset/arrowfile"
	"bgtrain/dataset/text"
	"bgtrain/internal/bg"
)

// runImport is the command import.
func runImport(ctx context.Context, e *env, args []string) error {
	f := newFlags(e, "import FILE… -o DB [flags]",
		`Reads positions into a rollout database: with outputs from GNUbg training text and
wildbg CSV, and from Arrow IPC (Feather), of 'bgtrain export' or with columns of the
same names; without from matches (.mat and text like it, .sgf of GNU Backgammon, .xg
and .xgp) and from lists of IDs. All but Arrow may be compressed by gzip, bzip2 or
Zstandard.
Every row, every play is checked. If any is bad nothing is written, unless --skip-bad
leaves bad rows, and the rest of a game after a bad play, out. DB is one Parquet file,
or a directory of parts where its name ends in a slash.`,
		"bgtrain import final.mat semifinal.xg -o matches.parquet --decisions matches.bm")
	var in importOptions
	f.StringVarP(&in.out, "output", "o", "", "the database to write (required)")
	f.StringVar(&in.format, "format", "auto", "format of the files: auto, gnubg, wildbg, arrow, mat, sgf, xg or ids")
	f.StringVar(&in.source, "source", "",
		"value of the source column, or its beginning for matches (default: the name of each file)")
	f.BoolVar(&in.skipBad, "skip-bad", false, "leave what is bad out and say how much there was")
	f.StringVar(&in.decisions, "decisions", "",
		"of matches: write the rolls that leave a choice to this benchmark file, their plays ranked by --net")
	f.BoolVar(&in.json, "json", false, "print the result as JSON")
	in.player.add(f)
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	switch {
	case in.out == "":
		return usagef("no database to write: -o DB is missing")
	case f.NArg() == 0:
		return usagef("no file to import")
	}
	format, isMatch, err := matchFormat(in.format, f.Args())
	if err != nil {
		return err
	}
	if isMatch {
		return importMatches(ctx, e, &in, format, f.Args(), commandLine("import", f))
	}
	if in.decisions != "" {
		return usagef("--decisions: %s holds no matches", f.Arg(0))
	}
	fromArrow, err := allArrow(in.format, f.Args())
	if err != nil {
		return err
	}
	if fromArrow {
		return importArrow(ctx, e, &in, f.Args(), commandLine("import", f))
	}
	kind, err := text.ParseFormat(in.format)
	if err != nil {
		return usageError{fmt.Errorf("--format: %w, arrow, mat, sgf, xg, ids", err)}
	}
	o := text.ImportOptions{
		Format: kind, Source: in.source, SkipBad: in.skipBad,
		Write: dataset.Options{Meta: dataset.Meta{Command: commandLine("import", f)}},
	}
	if e.Terminal {
		o.Progress = func(lines, _ int) { fmt.Fprintf(e.drawing(), "\r%d lines", lines) }
		defer fmt.Fprint(e.drawing(), clearLine)
	}
	report, err := text.Import(ctx, f.Args(), in.out, o)
	if err != nil {
		return err
	}
	return printReport(e.Stdout, in.out, report, in.json)
}

// allArrow tells whether files are Arrow IPC, by --format or else by their content. Some
// of them and other files in one command are wrong usage.
func allArrow(format string, files []string) (bool, error) {
	if format != "auto" {
		return format == arrowFormat, nil
	}
	n := 0
	for _, name := range files {
		if arrowfile.IsFile(name) {
			n++
		}
	}
	if n > 0 && n < len(files) {
		return false, usagef("Arrow IPC and other files in one command: import them one after the other")
	}
	return n > 0, nil
}

// importArrow imports Arrow IPC files.
func importArrow(ctx context.Context, e *env, in *importOptions, files []string, command string) error {
	o := arrowfile.ImportOptions{Source: in.source, SkipBad: in.skipBad,
		Write: dataset.Options{Meta: dataset.Meta{Command: command}}}
	bar := newProgress(e, 0, "rows")
	o.Progress = bar.Set
	report, err := arrowfile.Import(ctx, files, in.out, o)
	bar.end()
	if err != nil {
		return err
	}
	return printReport(e.Stdout, in.out, report, in.json)
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
