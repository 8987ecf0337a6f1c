package arrowfile

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"bgtrain/dataset"
)

// ImportOptions are those of Import. The zero value is usable.
type ImportOptions struct {
	// Source is the source column of all rows; "" leaves it as it is, and is the base
	// name of the file in one of another program that has no such column.
	Source  string
	SkipBad bool // leave bad rows out, where they would be refused
	Write   dataset.Options

	// Progress, if not nil, is called now and then with the number of rows read so far; total is 0, not known.
	Progress func(done, total int)
}

// Named reports whether a file to write is to be Arrow IPC by its name.
func Named(path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	return ext == ".arrow" || ext == ".feather"
}

// magic begins and ends an Arrow IPC file.
const magic = "ARROW1"

// IsFile reports whether a file begins as an Arrow IPC file.
func IsFile(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var head [len(magic)]byte
	n, _ := io.ReadFull(f, head[:])
	return n == len(head) && string(head[:]) == magic
}

// Import reads Arrow IPC files into the database out: those of Export, whose rows come back as they were, and
// those of other programs with columns of the same names, of which position is needed; numbers may be of 64 bits
// and texts dictionaries. Every row is checked. A position that comes a second time is a bad row, unless the file
// is of Export, since the database that it came from had it twice as well. If there are bad rows and SkipBad is
// not set, all is read to count them, nothing is written, and the error is a *dataset.BadRowsError. A damaged file
// is an error.
//
// The database keeps the net, the seed and the like that a single file names.
func Import(ctx context.Context, files []string, out string, o ImportOptions) (dataset.Report, error) {
	im := importer{ctx: ctx, o: o}
	if len(files) == 1 {
		if err := im.keepMeta(files[0]); err != nil {
			return im.report, err
		}
	}
	var err error
	if im.w, err = dataset.Create(out, im.o.Write); err != nil {
		return im.report, err
	}
	defer im.w.Abort()
	for _, path := range files {
		if err := im.file(path); err != nil {
			return im.report, err
		}
	}
	if im.first != nil {
		im.first.Bad = im.report.Bad
		im.report.Rows = 0
		return im.report, im.first
	}
	return im.report, im.w.Close()
}

// Validate reads a whole file and counts its bad rows.
func Validate(ctx context.Context, path string) (v dataset.Validation, err error) {
	f, err := openFile("validate", path)
	if err != nil {
		return v, err
	}
	defer f.close()
	if f.seal == nil {
		v.Undigested++
	}
	var rows dataset.Checker
	err = f.each(ctx, func(row *dataset.Row, number int64) error {
		v.Rows++
		if bad := rows.Check(row); bad != nil {
			v.Add(bad, fmt.Sprintf("%s: row %d", path, number))
		}
		return nil
	})
	return v, err
}

// importer is the state of an Import.
type importer struct {
	ctx    context.Context
	w      *dataset.Writer // nothing more is written to it once there is first
	o      ImportOptions
	rows   dataset.Checker
	report dataset.Report
	first  *dataset.BadRowsError // without SkipBad, the first bad row
	done   int
}

// keepMeta takes over the metadata of a file on how its rows were made.
func (im *importer) keepMeta(path string) error {
	f, err := openFile("import", path)
	if err != nil {
		return err
	}
	defer f.close()
	if f.seal != nil {
		m := &im.o.Write.Meta
		m.Net, m.Seed, m.Extra = f.seal.Meta.Net, f.seal.Meta.Seed, f.seal.Meta.Extra
	}
	return nil
}

// file imports one file.
func (im *importer) file(path string) error {
	f, err := openFile("import", path)
	if err != nil {
		return err
	}
	defer f.close()
	return f.each(im.ctx, func(row *dataset.Row, number int64) error {
		var bad *dataset.BadRow
		if f.seal != nil {
			bad = dataset.CheckRow(row)
		} else {
			bad = im.rows.Check(row)
		}
		if im.done++; im.o.Progress != nil && im.done%(1<<14) == 0 {
			im.o.Progress(im.done, 0)
		}
		switch {
		case bad != nil:
			im.report.Bad[bad.Kind]++
			if !im.o.SkipBad && im.first == nil {
				im.first = &dataset.BadRowsError{Doing: fmt.Sprintf("import %s: row %d", path, number), First: bad}
			}
			return nil
		case im.first != nil:
			return nil
		case im.o.Source != "":
			row.Source = im.o.Source
		case f.seal == nil && f.columns[colSource] < 0:
			row.Source = filepath.Base(path)
		}
		if f.seal == nil && f.columns[colMethod] < 0 && row.HasOutputs {
			row.Method = "import arrow"
		}
		im.report.Rows++
		im.report.Classes[row.Class]++
		return im.w.Write(row)
	})
}
