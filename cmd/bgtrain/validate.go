package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"bgtrain/benchmark/bm"
	"bgtrain/dataset"
	"bgtrain/dataset/arrowfile"
	"bgtrain/dataset/text"
	"bgtrain/internal/nets"
)

// validator checks the files of one kind. The first whose match is true for a
// path is asked.
type validator struct {
	kind  string
	match func(path string) bool
	run   func(ctx context.Context, path string) (*validation, error)
}

// Kinds of files.
const (
	databaseKind  = "rollout database"
	netKind       = "net"
	benchmarkKind = "GNUbg benchmark"
	arrowKind     = "Arrow IPC"
	textKind      = "positions with outputs"
)

// validators lists the kinds of files that validate knows.
func validators() []validator {
	return []validator{
		{databaseKind, isDatabase, validateRows},
		{netKind, nets.IsNet, validateNet},
		{benchmarkKind, bm.IsBenchmark, validateBenchmark},
		{arrowKind, arrowfile.IsFile, validateArrow},
		{textKind, text.IsText, validateText},
	}
}

// validation is what validate finds in one file.
type validation struct {
	File     string           `json:"file"`
	Kind     string           `json:"kind"`
	Records  int64            `json:"records"`  // rows, lines, decisions or nets looked at
	Bad      map[string]int64 `json:"bad"`      // bad ones by kind
	Examples []string         `json:"examples"` // the first of each kind, with line or row
	Warning  string           `json:"warning,omitempty"`
	Error    string           `json:"error,omitempty"`
}

// bad returns the number of all bad records.
func (v *validation) bad() (n int64) {
	for _, m := range v.Bad {
		n += m
	}
	return n
}

// validateText checks texts of positions with outputs.
func validateText(ctx context.Context, path string) (*validation, error) {
	v, err := text.Validate(ctx, path)
	return &validation{Records: v.Rows, Bad: v.Bad.Map(), Examples: v.Examples}, err
}

// validateRows checks databases.
func validateRows(ctx context.Context, path string) (*validation, error) {
	db, err := openDatabase(path)
	if err != nil {
		return nil, err
	}
	v, err := dataset.Validate(ctx, db)
	return foundIn(v), err
}

// validateArrow checks databases as Arrow IPC.
func validateArrow(ctx context.Context, path string) (*validation, error) {
	v, err := arrowfile.Validate(ctx, path)
	return foundIn(v), err
}

// foundIn is what was found in rows.
func foundIn(v dataset.Validation) *validation {
	found := &validation{Records: v.Rows, Bad: v.Bad.Map(), Examples: v.Examples}
	if v.Undigested > 0 {
		found.Warning = "written by another program, without digests: an altered number that is still possible is " +
			"not noticed"
	}
	return found
}

// validateNet checks nets: a file that can be read is good.
func validateNet(_ context.Context, path string) (*validation, error) {
	f, err := nets.Read(path)
	if err != nil {
		return nil, err
	}
	v := &validation{Records: int64(len(f.Nets))}
	if wild := f.Wild(); wild != "" {
		v.Warning = wild + ": no trained net has such a number; the file may be damaged"
	}
	return v, nil
}

// errBadFiles makes the exit status 1 when files are bad.
var errBadFiles = errors.New("bad input found")

// runValidate is the command validate.
func runValidate(ctx context.Context, e *env, args []string) error {
	kinds := make([]string, 0, len(validators()))
	for _, k := range validators() {
		kinds = append(kinds, k.kind)
	}
	f := newFlags(e, "validate FILE… [flags]",
		"Reads files to the end and counts what is wrong in them, by kind. The exit status\nis 1 if anything is. "+
			"What a file is goes by its content: "+strings.Join(kinds, ", ")+".",
		"bgtrain validate train.parquet contact-train-data.gz")
	asJSON := f.Bool("json", false, "print one JSON object a file")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if f.NArg() == 0 {
		return usagef("no file to validate")
	}
	failed := 0
	for _, path := range f.Args() {
		v, err := validateFile(ctx, path)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			v.Error = err.Error()
		}
		if v.Error != "" || v.bad() > 0 {
			failed++
		}
		if *asJSON {
			err = json.NewEncoder(e.Stdout).Encode(v)
		} else {
			err = v.write(e.Stdout)
		}
		if err != nil {
			return err
		}
	}
	if failed > 0 {
		return fmt.Errorf("%w in %d of %d files", errBadFiles, failed, f.NArg())
	}
	return nil
}

// validateFile finds out what a file is and checks it.
func validateFile(ctx context.Context, path string) (*validation, error) {
	for _, k := range validators() {
		if !k.match(path) {
			continue
		}
		v, err := k.run(ctx, path)
		if v == nil {
			v = &validation{}
		}
		v.File, v.Kind = path, k.kind
		if v.Bad == nil {
			v.Bad = map[string]int64{}
		}
		if v.Examples == nil {
			v.Examples = []string{}
		}
		return v, err
	}
	v := &validation{File: path, Kind: "unknown", Bad: map[string]int64{}, Examples: []string{}}
	if _, err := os.Stat(path); err != nil {
		return v, err
	}
	return v, fmt.Errorf("%s: not of a known kind", path)
}

// write writes a validation for people.
func (v *validation) write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, %d records, %d bad\n", v.File, v.Kind, v.Records, v.bad())
	if v.Warning != "" {
		fmt.Fprintf(&b, "  warning: %s\n", v.Warning)
	}
	if v.Error != "" {
		fmt.Fprintf(&b, "  error: %s\n", v.Error)
	}
	kinds := make([]string, 0, len(v.Bad))
	for k := range v.Bad {
		kinds = append(kinds, k)
	}
	slices.Sort(kinds)
	for _, k := range kinds {
		if v.Bad[k] > 0 {
			fmt.Fprintf(&b, "  %-12s %d\n", k, v.Bad[k])
		}
	}
	for _, x := range v.Examples {
		fmt.Fprintf(&b, "  e.g. %s\n", x)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
