package text

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"bgtrain/dataset"
	"bgtrain/internal/atomicfile"
	"bgtrain/internal/bg"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// ExportOptions are those of Export. The zero value is usable.
type ExportOptions struct {
	Format  Format         // FormatAuto is WildbgCSV for the names *.csv, *.csv.gz and *.csv.zst, else GNUbgText
	Filter  dataset.Filter // which rows; its Columns do not count
	SkipBad bool           // leave bad rows, and those without outputs, out, where they would be refused

	// Keep, if not nil, states which positions are written.
	Keep func(bg.Key) bool

	// Progress, if not nil, is called now and then with the number of rows done.
	Progress func(done, total int)
}

// Export writes a database as text to the file out, compressed where its name ends in .gz or .zst. Numbers have as
// many digits as it takes to read the same float32 again, and at least five decimals. The formats have no place
// for standard errors, trials, methods and sources. If rows have no outputs and SkipBad is not set, nothing is
// written and the error is a *dataset.BadRowsError.
func Export(ctx context.Context, db *dataset.DB, out string, o ExportOptions) (dataset.Report, error) {
	var report dataset.Report
	name, compression := out, ""
	for _, ext := range []string{".gz", ".zst", ".bz2"} {
		if base, ok := strings.CutSuffix(out, ext); ok {
			name, compression = base, ext
		}
	}
	if o.Format == FormatAuto {
		if o.Format = GNUbgText; strings.HasSuffix(name, ".csv") {
			o.Format = WildbgCSV
		}
	}
	f, err := atomicfile.Create(out)
	if err != nil {
		return report, err
	}
	defer f.Abort()
	z, err := compressor(f, compression)
	if err != nil {
		return report, fmt.Errorf("export to %s: %w", out, err)
	}
	if report, err = ExportTo(ctx, db, z, o); err != nil {
		report.Rows = 0
		return report, err
	}
	if err := z.Close(); err != nil {
		return report, err
	}
	return report, f.Commit()
}

// compressor returns what compresses by the extension of a file name.
func compressor(w io.Writer, ext string) (io.WriteCloser, error) {
	switch ext {
	case ".gz":
		return gzip.NewWriter(w), nil
	case ".zst":
		return zstd.NewWriter(w)
	case ".bz2":
		return nil, fmt.Errorf("bzip2 is read but not written; use .gz or .zst")
	}
	return nopCloser{w}, nil
}

type nopCloser struct{ io.Writer }

// Close leaves the writer open.
func (nopCloser) Close() error { return nil }

// ExportTo writes a database as text to w, as Export does; FormatAuto is
// GNUbgText. After an error w has received a part.
func ExportTo(ctx context.Context, db *dataset.DB, w io.Writer, o ExportOptions) (dataset.Report, error) {
	var report dataset.Report
	var first *dataset.BadRowsError
	f := o.Filter
	f.Columns = dataset.ColClass | dataset.ColOutputs
	f.SkipBad, f.Bad = o.SkipBad, &report.Bad
	buf := bufio.NewWriterSize(w, 256<<10)
	if o.Format == WildbgCSV {
		fmt.Fprintln(buf, strings.Join(csvHeader, ","))
	}
	var line []byte
	var done int64
	group := 0
	for b, err := range db.Batches(ctx, f) {
		if err != nil {
			return report, fmt.Errorf("export: %w", err)
		}
		for i, k := range b.Keys {
			if o.Keep != nil && !o.Keep(k) {
				continue
			}
			if !b.HasOutputs[i] {
				report.Bad[dataset.BadNull]++
				if first == nil && !o.SkipBad {
					first = &dataset.BadRowsError{Doing: "export " + db.Path(),
						First: dataset.Badf(dataset.BadNull, "position %v has no outputs", k)}
				}
			}
			if first != nil || !b.HasOutputs[i] {
				continue
			}
			report.Rows++
			report.Classes[b.Class[i]]++
			line = appendRow(line[:0], o.Format, k, &b.Outputs[i])
			if _, err := buf.Write(line); err != nil {
				return report, fmt.Errorf("export %s: %w", db.Path(), err)
			}
		}
		done += int64(db.RowGroupRows(group)) // b lacks those filtered out
		if group++; o.Progress != nil {
			o.Progress(int(done), int(db.NumRows()))
		}
	}
	if first != nil {
		first.Bad = report.Bad
		return report, first
	}
	if err := buf.Flush(); err != nil {
		return report, fmt.Errorf("export %s: %w", db.Path(), err)
	}
	return report, nil
}

// appendRow appends the line of a row.
func appendRow(line []byte, f Format, k bg.Key, o *bg.Outputs) []byte {
	sep := byte(' ')
	if f == WildbgCSV {
		sep = ','
		line = append(line, k.PositionID()...)
	} else {
		line = append(line, k.String()...)
	}
	for _, v := range o {
		line = appendNumber(append(line, sep), v)
	}
	return append(line, '\n')
}

// appendNumber appends the shortest decimal number that reads as the same
// float32, but at least five decimals, as GNU Backgammon's files have.
func appendNumber(line []byte, v float32) []byte {
	start := len(line)
	line = strconv.AppendFloat(line, float64(v), 'f', -1, 32)
	point := strings.IndexByte(string(line[start:]), '.')
	if point < 0 {
		point = len(line) - start
		line = append(line, '.')
	}
	for len(line)-start-point-1 < 5 {
		line = append(line, '0')
	}
	return line
}
