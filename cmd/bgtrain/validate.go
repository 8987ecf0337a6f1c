package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"bgtrain/internal/inspect"
)

// errBadFiles makes the exit status 1 when files are bad.
var errBadFiles = errors.New("bad input found")

func runValidate(ctx context.Context, e *env, args []string) error {
	f := newFlags(e, "validate FILE… [flags]",
		"Reads files to the end and counts what is wrong in them, by kind. The exit status\nis 1 if anything is. "+
			"What a file is goes by its content: "+strings.Join(inspect.Kinds(), ", ")+".",
		"bgtrain validate train.parquet contact-train-data.gz")
	asJSON := f.Bool("json", false, "print one JSON object a file")
	digest := f.Bool("digest", false, "give benchmark files a digest line that lack one and have nothing wrong")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if f.NArg() == 0 {
		return usagef("no file to validate")
	}
	failed := 0
	for _, path := range f.Args() {
		v, err := inspect.Validate(ctx, path)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil && *digest {
			var added bool
			if added, err = v.AddDigest(); added {
				fmt.Fprintf(e.Stderr, "%s: a digest was added\n", path)
			}
		}
		if err != nil {
			v.Error = err.Error()
		}
		if v.Error != "" || v.Total() > 0 {
			failed++
		}
		if err := e.print(v, *asJSON); err != nil {
			return err
		}
	}
	if failed > 0 {
		return fmt.Errorf("%w in %d of %d files", errBadFiles, failed, f.NArg())
	}
	return nil
}
