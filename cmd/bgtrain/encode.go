package main

import (
	"context"
	"fmt"

	"bgtrain/data"
	"bgtrain/dataset"
	"bgtrain/dataset/encode"
	"bgtrain/internal/setting"
)

func runEncode(ctx context.Context, e *env, args []string) error {
	f := newFlags(e, "encode DB -o OUT [flags]",
		`Writes the inputs of a net and its targets, for training in other programs such as PyTorch: a
row for each position of a database that has outputs, in their order. OUT is
a Parquet file where its name ends in .parquet, an Arrow IPC file where it ends in .arrow or .feather, and
else a directory of NumPy arrays: inputs.npy, targets.npy, equity_se.npy, positions.npy, classes.npy.
DB may be embedded.`,
		"bgtrain encode embedded --inputs gnubg --class contact -o contact/")
	out := f.StringP("output", "o", "", "the directory or file to write")
	inputs := f.String("inputs", "tesauro", "input set, by its name; gnubg is that of the one --class")
	var filter dataset.Filter
	setting.List{dataset.ClassSetting(&filter)}.AddFlags(f)
	format := f.String("format", "auto", "npy, parquet or arrow; auto goes by the name of OUT")
	partial := f.Bool("partial", false, "allow a database with parts missing, such as a rollout under way")
	asJSON := f.Bool("json", false, "print the result as JSON")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if err := needOne(f, "a database", *out, "OUT"); err != nil {
		return err
	}
	s := encode.Settings{Partial: *partial, Classes: filter.Classes}
	var err error
	if s.Format, err = encode.FormatOf(*format, *out); err == nil {
		s.Inputs, err = encode.InputsOf(*inputs, s.Classes)
	}
	if err != nil {
		return usageError{err}
	}
	db, err := data.OpenDatabase(f.Arg(0))
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
	without := ""
	if r.Without > 0 {
		without = fmt.Sprintf(" (%d without outputs left out)", r.Without)
	}
	return e.printf(r, *asJSON, "%s: %d positions%s, %d inputs of %s version %d each\n", *out, r.Rows, without,
		r.Inputs, s.Inputs.Name, s.Inputs.Version)
}
