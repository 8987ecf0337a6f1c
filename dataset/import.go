package dataset

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"bgtrain/internal/bg"
)

// ImportOptions are those of Import. The zero value is usable.
type ImportOptions struct {
	Format  Format // of all files; FormatAuto looks at each
	Source  string // the source column; "" is the base name of each file
	SkipBad bool   // leave bad rows out, where they would be refused
	Write   Options

	// Progress, if not nil, is called now and then with the number of lines
	// read so far.
	Progress func(lines int64)
}

// Report tells of rows that were moved from one place to another.
type Report struct {
	Rows    int64                // rows written
	Classes [bg.NumClasses]int64 // of them, by class
	Bad     Counts               // rows left out as bad
	Dropped int64                // rows that Merge dropped as duplicates
}

// BadRowsError is the end of an import, export or merge that met bad rows which
// it was not told to leave out. Nothing was written.
type BadRowsError struct {
	Doing string  // what was being done, and to which line or row: "import a.txt:81"
	First *BadRow // the first of them
	Bad   Counts  // all of them
}

// Error says how many rows are bad, and what is wrong with the first.
func (e *BadRowsError) Error() string {
	s := fmt.Sprintf("%s: %v", e.Doing, e.First)
	if n := e.Bad.Total(); n > 1 {
		s += fmt.Sprintf("; %d bad rows in all (%v)", n, &e.Bad)
	}
	return s + "; --skip-bad leaves bad rows out"
}

// Unwrap returns what is wrong with the first bad row.
func (e *BadRowsError) Unwrap() error { return e.First }

// Import reads GNUbg training text and wildbg CSV, plain or compressed, into the
// database out. Every row is checked; its class is that of its position. A
// position that comes a second time, in the same file or another, is a bad row.
// If there are bad rows and SkipBad is not set, all input is read to count them,
// nothing is written, and the error is a *BadRowsError.
func Import(ctx context.Context, files []string, out string, o ImportOptions) (Report, error) {
	w, err := Create(out, o.Write)
	if err != nil {
		return Report{}, err
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
	w      *Writer // nothing more is written to it once there is first
	o      ImportOptions
	seen   keyTable[struct{}]
	report Report
	first  *BadRowsError // without SkipBad, the first bad row
	lines  int64
}

// file imports one file.
func (im *importer) file(ctx context.Context, path string) error {
	source := im.o.Source
	if source == "" {
		source = filepath.Base(path)
	}
	return im.eachLine(ctx, "import", path, func(row *Row, bad *BadRow, line int) error {
		if bad != nil {
			im.report.Bad[bad.Kind]++
			if !im.o.SkipBad && im.first == nil {
				im.first = &BadRowsError{Doing: fmt.Sprintf("import %s:%d", path, line), First: bad}
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

// eachLine calls f for every line of a file that has, or should have, a row, and
// returns its error as it is. An error of the file itself begins with what is
// being done, FILE:LINE.
func (im *importer) eachLine(ctx context.Context, doing, path string, f func(row *Row, bad *BadRow, line int) error) error {
	lines, err := openLines(path)
	if err != nil {
		return fmt.Errorf("%s %w", doing, err)
	}
	defer lines.close()
	var row Row
	var parser lineParser
	for {
		line, err := lines.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = im.tick(ctx)
		}
		if err == nil && parser == nil {
			if parser, row.Method, err = im.choose(line); parser == nil && err == nil {
				continue
			}
		}
		if err != nil {
			return fmt.Errorf("%s %s:%d: %w", doing, path, lines.line, err)
		}
		ok, bad := parser.parse(line, &row)
		if ok && bad == nil {
			bad = im.check(&row)
		}
		if ok || bad != nil {
			if err := f(&row, bad, lines.line); err != nil {
				return err
			}
		}
	}
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
		im.o.Progress(im.lines)
	}
	return ctx.Err()
}

// check checks a row and fills in its class.
func (im *importer) check(row *Row) *BadRow {
	b, bad := decode(row.Key)
	if bad != nil {
		return bad
	}
	if bad := CheckOutputs(&b, &row.Outputs); bad != nil {
		return bad
	}
	row.Class = ClassOf(&b)
	if _, isNew := im.seen.at(row.Key); !isNew {
		return badf(BadDuplicate, "position %v was there before", row.Key)
	}
	return nil
}
