package text

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/filekind"
	"bgtrain/internal/textfile"
)

// ImportOptions are those of Import. The zero value is usable.
type ImportOptions struct {
	Format  Format // of all files; FormatAuto looks at each
	Source  string // the source column; "" is the base name of each file
	SkipBad bool   // leave bad rows out, where they would be refused
	Write   dataset.Options

	// Progress, if not nil, is called now and then with the number of lines read so far; total is 0, not known.
	Progress func(done, total int)
}

// Import reads GNUbg training text and wildbg CSV, plain or compressed, into the database out. Every row is
// checked; its class is that of its position. A position that comes a second time, in the same file or another, is
// a bad row. If there are bad rows and SkipBad is not set, all input is read to count them, nothing is written,
// and the error is a *dataset.BadRowsError.
func Import(ctx context.Context, files []string, out string, o ImportOptions) (dataset.Report, error) {
	w, err := dataset.Create(out, o.Write)
	if err != nil {
		return dataset.Report{}, err
	}
	defer w.Abort()
	im := importer{w: w, o: o}
	for _, path := range files {
		if err := im.file(ctx, path); err != nil {
			return im.report, err
		}
	}
	if im.first != nil {
		im.first.Bad = im.report.Bad
		im.report.Rows = 0
		return im.report, im.first
	}
	return im.report, w.Close()
}

// importer is the state of an Import.
type importer struct {
	w      *dataset.Writer // nothing more is written to it once there is first
	o      ImportOptions
	rows   dataset.Checker
	report dataset.Report
	first  *dataset.BadRowsError // without SkipBad, the first bad row
	lines  int64
}

// file imports one file.
func (im *importer) file(ctx context.Context, path string) error {
	source := im.o.Source
	if source == "" {
		source = filepath.Base(path)
	}
	return im.eachLine(ctx, "import", path, func(row *dataset.Row, bad *dataset.BadRow, line int) error {
		if bad != nil {
			im.report.Bad[bad.Kind]++
			if !im.o.SkipBad && im.first == nil {
				im.first = &dataset.BadRowsError{Doing: fmt.Sprintf("import %s:%d", path, line), First: bad}
			}
			return nil
		}
		if im.first != nil {
			return nil
		}
		row.Source = source
		im.report.Rows++
		im.report.Classes[row.Class]++
		return im.w.Write(row)
	})
}

// eachLine calls f for every line of a file that has, or should have, a row, and returns its error as it is. An
// error of the file itself begins with what is being done, FILE:LINE.
func (im *importer) eachLine(ctx context.Context, doing, path string,
	f func(row *dataset.Row, bad *dataset.BadRow, line int) error) error {
	lines, err := textfile.Open(path)
	if err != nil {
		return fmt.Errorf("%s %w", doing, err)
	}
	defer lines.Close()
	rows := 0
	var row dataset.Row
	var parser lineParser
	for {
		line, end := lines.Next()
		if errors.Is(end, io.EOF) {
			break
		}
		err, cutOff := end, errors.Is(end, textfile.ErrCutOff)
		if err == nil || cutOff {
			err = im.tick(ctx)
		}
		if err == nil && parser == nil {
			if parser, row.Method, err = im.choose(line); parser == nil && err == nil {
				continue
			}
		}
		if err != nil && parser == nil && ctx.Err() == nil && !IsText(path) {
			if is, _ := filekind.Of(path); is != "" { // of what is nothing known, the line says more
				return filekind.Wrong(path, "a text of positions with outputs, or matches,", err)
			}
		}
		if err != nil {
			return fmt.Errorf("%s %s:%d: %w", doing, path, lines.Line(), err)
		}
		row.Class = bg.Over
		ok, bad := parser.parse(line, &row)
		switch {
		case !ok && bad == nil:
			continue
		case cutOff:
			bad = dataset.Badf(dataset.BadLine, "%v", end)
		case bad == nil:
			bad = im.rows.Check(&row)
		}
		rows++
		if err := f(&row, bad, lines.Line()); err != nil {
			return err
		}
	}
	if rows == 0 {
		return fmt.Errorf("%s %s: no positions in it", doing, path)
	}
	return nil
}

// choose returns the parser of a file, and the method of its rows, by its first
// line that is neither empty nor a comment; nil for such a line.
func (im *importer) choose(line []byte) (lineParser, string, error) {
	format := im.o.Format
	if format == FormatAuto {
		var known bool
		var err error
		if format, known, err = detect(line); !known {
			return nil, "", err
		}
	}
	return newParser(format), "import " + format.String(), nil
}

// tick counts a line, reports progress and looks whether to stop.
func (im *importer) tick(ctx context.Context) error {
	const every = 1 << 14
	if im.lines++; im.lines%every != 0 {
		return nil
	}
	if im.o.Progress != nil {
		im.o.Progress(int(im.lines), 0)
	}
	return ctx.Err()
}

// Validate reads a whole GNUbg training text or wildbg CSV and counts its bad
// rows. A file that is damaged, or has no row, is an error.
func Validate(ctx context.Context, path string) (v dataset.Validation, err error) {
	var im importer
	err = im.eachLine(ctx, "validate", path, func(row *dataset.Row, bad *dataset.BadRow, line int) error {
		v.Rows++
		if bad != nil {
			v.Add(bad, fmt.Sprintf("%s:%d", path, line))
		}
		return nil
	})
	return v, err
}
