package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"bgtrain/dataset/encode"
	"bgtrain/features"
)

// runEncode is the command encode.
func runEncode(ctx context.Context, e *env, args []string) error {
	f := newFlags(e, "encode DB -o OUT [flags]",
		`Writes the inputs of a net and its targets, for training in other programs such as PyTorch: a row for each position of a database that has outputs, in their order. OUT is a Parquet file where its name ends in .parquet, an Arrow IPC file where it ends in .arrow or .feather, and else a directory of NumPy arrays: inputs.npy, targets.npy, equity_se.npy, positions.npy, classes.npy. DB may be embedded.`,
		"bgtrain encode embedded --inputs gnubg --class contact -o contact/")
	out := f.StringP("output", "o", "", "the directory or file to write")
	inputs := f.String("inputs", "tesauro", "input set, by its name; gnubg is that of the one --class")
	classes := f.StringSlice("class", nil, "only positions of these classes: contact, crashed, race, bearoff")
	format := f.String("format", "auto", "npy, parquet or arrow; auto goes by the name of OUT")
	partial := f.Bool("partial", false, "allow a database with parts missing, such as a rollout under way")
	asJSON := f.Bool("json", false, "print the result as JSON")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if f.NArg() != 1 || *out == "" {
		return usagef("one database and -o OUT expected")
	}
	s := encode.Settings{Format: formatOfTable(*format, *out), Partial: *partial}
	if !slices.Contains(encode.Formats, s.Format) {
		return usagef("--format %s: npy, parquet, arrow or auto expected", *format)
	}
	var err error
	if s.Classes, err = parseClasses(*classes); err != nil {
		return usageError{err}
	}
	name := *inputs
	if name == "gnubg" {
		if len(*classes) != 1 || (*classes)[0] == "bearoff" {
			return usagef("--inputs gnubg: one --class expected: contact, crashed or race")
		}
		name += "-" + (*classes)[0]
	}
	if s.Inputs, err = features.ByName(name); err != nil {
		return usageError{err}
	}
	db, err := openDatabase(f.Arg(0))
	if err != nil {
		return err
	}
	bar := newProgress(e, int(db.NumRows()), "positions")
	s.Progress = bar.Set
	r, err := encode.Database(ctx, db, *out, s)
	bar.end()
	if err != nil {
		return err
	}
	if *asJSON {
		return json.NewEncoder(e.Stdout).Encode(r)
	}
	without := ""
	if r.Without > 0 {
		without = fmt.Sprintf(" (%d without outputs left out)", r.Without)
	}
	_, err = fmt.Fprintf(e.Stdout, "%s: %d positions%s, %d inputs of %s version %d each\n", *out, r.Rows, without,
		r.Inputs, s.Inputs.Name, s.Inputs.Version)
	return err
}

// formatOfTable is the format that --format or the name of the output says.
func formatOfTable(format, out string) encode.Format {
	if format != "auto" {
		return encode.Format(format)
	}
	switch {
	case strings.ToLower(filepath.Ext(out)) == ".parquet":
		return encode.Parquet
	case arrowName(out):
		return encode.Arrow
	}
	return encode.NPY
}
