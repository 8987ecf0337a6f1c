// Package inspect finds out of what kind a file is, what is in it, and what is wrong
// with it.
package inspect

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"bgtrain/benchmark/bm"
	"bgtrain/data"
	"bgtrain/dataset"
	"bgtrain/dataset/text"
	"bgtrain/internal/filekind"
	"bgtrain/internal/nets"
)

// validator checks the files of one kind. The first whose match is true for a
// path is asked.
type validator struct {
	kind  string
	match func(path string) bool
	run   func(ctx context.Context, path string) (*Validation, error)
}

// Kinds of files, as Kind and Validation name them.
const (
	Database  = "rollout database"
	Net       = "net"
	Benchmark = "GNUbg benchmark"
	Text      = "positions with outputs"
	Parquet   = "other Parquet" // such as that of encode
)

// validators are the kinds of files that Validate checks.
func validators() []validator {
	return []validator{
		{Database, func(path string) bool { return data.IsDatabase(path) && !isForeign(path) }, validateRows},
		{Net, nets.IsNet, validateNet},
		{Benchmark, bm.IsBenchmark, validateBenchmark},
		{Text, text.IsText, validateText},
		{Parquet, data.IsDatabase, validateRows},
	}
}

// Validation is what validate finds in one file.
type Validation struct {
	File     string           `json:"file"`
	Kind     string           `json:"kind"`
	Records  int64            `json:"records"`  // rows, lines, decisions or nets looked at
	Bad      map[string]int64 `json:"bad"`      // bad ones by kind
	Examples []string         `json:"examples"` // the first of each kind, with line or row
	Warning  string           `json:"warning,omitempty"`
	Error    string           `json:"error,omitempty"`
}

// Total returns the number of all bad records.
func (v *Validation) Total() (n int64) {
	for _, m := range v.Bad {
		n += m
	}
	return n
}

// validateText checks texts of positions with outputs.
func validateText(ctx context.Context, path string) (*Validation, error) {
	v, err := text.Validate(ctx, path)
	return &Validation{Records: v.Rows, Bad: v.Bad.Map(), Examples: v.Examples}, err
}

// isForeign reports whether Parquet is no database.
func isForeign(path string) bool {
	_, err := data.OpenDatabase(path)
	return errors.Is(err, dataset.ErrForeign)
}

// validateRows checks databases.
func validateRows(ctx context.Context, path string) (*Validation, error) {
	db, err := data.OpenDatabase(path)
	if err != nil {
		return nil, err
	}
	v, err := dataset.Validate(ctx, db)
	found := &Validation{Records: v.Rows, Bad: v.Bad.Map(), Examples: v.Examples}
	if v.Undigested > 0 {
		found.Warning = "written by another program, without digests: an altered number that is still possible is " +
			"not noticed"
	}
	return found, err
}

// validateNet checks nets: a file that can be read is good.
func validateNet(_ context.Context, path string) (*Validation, error) {
	f, err := nets.Read(path)
	if err != nil {
		return nil, err
	}
	v := &Validation{Records: int64(len(f.Nets))}
	if wild := f.Wild(); wild != "" {
		v.Warning = wild + ": no trained net has such a number; the file may be damaged"
	}
	return v, nil
}

// AddDigest gives a benchmark file in which nothing was found wrong a digest, if it lacks one,
// and reports whether it did. Files of other kinds stay as they are.
func (v *Validation) AddDigest() (added bool, err error) {
	if v.Kind != Benchmark || v.Total() > 0 {
		return false, nil
	}
	if added, err = bm.AddDigest(v.File); added {
		v.Warning = ""
	}
	return added, err
}

// Kinds are all kinds of files, in the order in which they are looked for.
func Kinds() []string {
	var kinds []string
	for _, k := range validators() {
		kinds = append(kinds, k.kind)
	}
	return kinds
}

// Kind returns what kind of file there is at a path, "" for none of Kinds.
func Kind(path string) string {
	for _, k := range validators() {
		if k.match(path) {
			return k.kind
		}
	}
	return ""
}

// CheckReplaced returns an error where there is a file of a known kind at a path, of none of
// the kinds expected.
func CheckReplaced(path string, expected []string) error {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() && !info.IsDir() {
		return nil // not there, or such as /dev/null
	}
	if kind := Kind(path); kind != "" && !slices.Contains(expected, kind) {
		return fmt.Errorf("there is a file of another kind (%s): remove it, or choose another name", kind)
	}
	return nil
}

// Validate finds out what a file is and checks it. An error is that of a file that
// cannot be read, or is of no known kind; what was found comes with it.
func Validate(ctx context.Context, path string) (*Validation, error) {
	for _, k := range validators() {
		if !k.match(path) {
			continue
		}
		v, err := k.run(ctx, path)
		if v == nil {
			v = &Validation{}
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
	v := &Validation{File: path, Kind: "unknown", Bad: map[string]int64{}, Examples: []string{}}
	is, err := filekind.Of(path)
	if err == nil && is != "" {
		err = fmt.Errorf("%s is %s: not of a known kind", path, is)
	}
	if err == nil {
		err = fmt.Errorf("%s: not of a known kind", path)
	}
	return v, err
}

// WriteText writes what was found for people.
func (v *Validation) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, %d records, %d bad\n", v.File, v.Kind, v.Records, v.Total())
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

// validateBenchmark checks benchmark files: each record by itself, as reading
// does, then what takes the rules of the game or the whole file to see.
func validateBenchmark(_ context.Context, path string) (*Validation, error) {
	f, err := bm.ReadFile(path, bm.ReadOptions{SkipBad: true})
	if err != nil {
		return nil, err
	}
	v := &Validation{Records: int64(len(f.Records) + len(f.Cubes) + len(f.Skipped)), Bad: map[string]int64{}}
	v.Bad["bad record"] = int64(len(f.Skipped))
	if len(f.Skipped) > 0 {
		v.Examples = append(v.Examples, f.Skipped[0].Error())
	}
	if !f.Checked {
		v.Warning = "without a digest of all its lines: an altered number that is still possible is not noticed; " +
			"'bgtrain validate --digest' adds one"
	}
	found := bm.Validate(f)
	for p, n := range found.Counts {
		v.Bad[bm.Problem(p).String()] = int64(n)
		if found.First[p] != nil {
			v.Examples = append(v.Examples, found.First[p].Error())
		}
	}
	return v, nil
}
