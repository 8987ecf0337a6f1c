// Package convert moves positions between databases and files of any other format: text; inwards recorded matches
// and lists of positions; outwards Arrow IPC, and databases of some of the rows.
package convert

import (
	"context"
	"fmt"
	"io"
	"strings"

	"bgtrain/dataset"
	"bgtrain/dataset/arrowfile"
	"bgtrain/dataset/matchfile"
	"bgtrain/dataset/text"
	"bgtrain/internal/bg"
)

// Kind is a family of formats.
type Kind string

// The kinds; a list of IDs counts as Matches. Arrow and Parquet are only written, and are the names of their formats.
const (
	Text    Kind = "text"
	Matches Kind = "matches"
	Arrow   Kind = "arrow"
	Parquet Kind = "parquet"
)

// Sources are files to import.
type Sources struct {
	Files   []string
	Format  string // of all files: gnubg, wildbg, board, mat, sgf, xg, ids; auto looks at each
	Source  string // the source column, or its beginning for matches; "": the name of each file
	SkipBad bool   // leave what is bad out, where it would be refused
}

// Kind returns the one kind of all files. An error is of a format that is none, or of
// files of several kinds. Files that cannot be read do not count.
func (s *Sources) Kind() (Kind, error) {
	if s.Format != "auto" {
		if matchfile.ParseFormat(s.Format) != matchfile.Unknown {
			return Matches, nil
		}
		if _, err := text.ParseFormat(s.Format); err != nil {
			return "", fmt.Errorf("--format: %w, board, mat, sgf, xg, ids", err)
		}
		return Text, nil
	}
	matches, read := 0, 0
	for _, name := range s.Files {
		if f, err := matchfile.DetectFile(name); err == nil {
			if read++; f != matchfile.Unknown {
				matches++
			}
		}
	}
	switch {
	case matches == 0:
		return Text, nil
	case matches < read:
		return "", fmt.Errorf("matches and other files in one command: import them one after the other, " +
			"or name the --format")
	}
	return Matches, nil
}

// Hooks of an import. Each may be nil.
type Hooks struct {
	// Progress is told how many lines, rows or matches are done; a total of 0 is not known.
	Progress func(unit string, done, total int)
	// Decision is given the decisions of matches, as matchfile.ImportOptions has it.
	Decision func(source string, a *matchfile.Action) error
}

func (h *Hooks) progress(unit string) func(done, total int) {
	return func(done, total int) {
		if h.Progress != nil {
			h.Progress(unit, done, total)
		}
	}
}

// Import imports files into the database out; see the packages text and matchfile. command is kept in the
// database.
func Import(ctx context.Context, s *Sources, out, command string, h Hooks) (*Summary, error) {
	kind, err := s.Kind()
	if err != nil {
		return nil, err
	}
	write := dataset.Options{Meta: dataset.Meta{Command: command}}
	if kind == Matches {
		r, err := matchfile.Import(ctx, s.Files, out, matchfile.ImportOptions{Format: matchfile.ParseFormat(s.Format),
			Source: s.Source, SkipBad: s.SkipBad, Write: write, Decision: h.Decision, Progress: h.progress("matches")})
		if err != nil {
			return nil, err
		}
		return summarizeMatches(out, &r), nil
	}
	o := text.ImportOptions{Source: s.Source, SkipBad: s.SkipBad, Write: write, Progress: h.progress("lines")}
	if o.Format, err = text.ParseFormat(s.Format); err != nil {
		return nil, err
	}
	report, err := text.Import(ctx, s.Files, out, o)
	if err != nil {
		return nil, err
	}
	return Summarize(out, report), nil
}

// Target describes what is exported, and as what.
type Target struct {
	Format  string         // gnubg, wildbg, arrow, parquet; auto goes by the name of the file
	Command string         // is kept in a database
	Filter  dataset.Filter // which rows; its Columns do not count
	Keep    func(bg.Key) bool
	SkipBad bool // leave bad rows, and for text those without outputs, out, where they would be refused

	Progress func(done, total int) // may be nil
}

// Kind returns the kind of the file out.
func (t *Target) Kind(out string) (Kind, error) {
	switch {
	case t.Format == string(Arrow) || t.Format == "auto" && arrowfile.Named(out):
		return Arrow, nil
	case t.Format == string(Parquet) || t.Format == "auto" && strings.HasSuffix(out, ".parquet"):
		return Parquet, nil
	}
	switch f, err := text.ParseFormat(t.Format); {
	case err != nil:
		return "", fmt.Errorf("--format: %w, arrow, parquet", err)
	case f == text.BoardText:
		return "", fmt.Errorf("--format %s is read, not written: auto, gnubg, wildbg, arrow or parquet expected", f)
	}
	return Text, nil
}

// Export writes a database to the file out, or but for Parquet to stdout where that is "-".
func Export(ctx context.Context, db *dataset.DB, out string, stdout io.Writer, t Target) (*Summary, error) {
	kind, err := t.Kind(out)
	if err != nil {
		return nil, err
	}
	format, err := text.ParseFormat(t.Format)
	arrow := arrowfile.ExportOptions{Filter: t.Filter, Keep: t.Keep, SkipBad: t.SkipBad, Progress: t.Progress}
	lines := text.ExportOptions{Format: format, Filter: t.Filter, Keep: t.Keep, SkipBad: t.SkipBad, Progress: t.Progress}
	var report dataset.Report
	switch {
	case kind == Parquet:
		report, err = t.rows(ctx, db, out)
	case kind == Arrow && out == "-":
		report, err = arrowfile.ExportTo(ctx, db, stdout, arrow)
	case kind == Arrow:
		report, err = arrowfile.Export(ctx, db, out, arrow)
	case err == nil && out == "-":
		report, err = text.ExportTo(ctx, db, stdout, lines)
	case err == nil:
		report, err = text.Export(ctx, db, out, lines)
	}
	if err != nil {
		return nil, err
	}
	if out == "-" {
		out = "standard output"
	}
	return Summarize(out, report), nil
}

// rows writes the rows of a database into another.
func (t *Target) rows(ctx context.Context, db *dataset.DB, out string) (report dataset.Report, err error) {
	meta := db.Meta()
	meta.Command = t.Command
	w, err := dataset.Create(out, dataset.Options{Meta: meta})
	if err != nil {
		return report, err
	}
	defer w.Abort()
	f, done := t.Filter, 0
	f.Columns, f.SkipBad, f.Bad = dataset.AllColumns, t.SkipBad, &report.Bad
	for b, err := range db.Batches(ctx, f) {
		if err != nil {
			return report, fmt.Errorf("export: %w", err)
		}
		for i, k := range b.Keys {
			if t.Keep != nil && !t.Keep(k) {
				continue
			}
			row := b.Row(i)
			if err := w.Write(&row); err != nil {
				return report, err
			}
			report.Rows++
			report.Classes[row.Class]++
		}
		if done += b.Len(); t.Progress != nil {
			t.Progress(done, int(db.NumRows()))
		}
	}
	return report, w.Close()
}
