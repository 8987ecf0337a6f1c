package dataset

import (
	"bgtrain/internal/filekind"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"bgtrain/internal/bg"
	pages "bgtrain/internal/parquet"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/metadata"
)

// DamageError is the error about a file of a database that is cut off, altered or no database at all. Nothing of
// the row group is handed out then.
type DamageError struct {
	Part     string // path of the file
	RowGroup int    // index of the row group, -1 for the file as a whole
	Err      error
}

// Error returns which part is damaged, and how.
func (e *DamageError) Error() string {
	if e.RowGroup < 0 {
		return fmt.Sprintf("database %s: %v", e.Part, e.Err)
	}
	return fmt.Sprintf("database %s: row group %d: %v", e.Part, e.RowGroup, e.Err)
}

// Unwrap returns what was found.
func (e *DamageError) Unwrap() error { return e.Err }

// maxGroupRows bounds the rows of a row group of a foreign file, because a row group is held in memory.
const maxGroupRows = 1 << 24

// part is one file of a database: its footer, checked.
type part struct {
	path   string
	open   func() (partFile, error)
	size   int64
	footer *metadata.FileMetaData
	meta   Meta
	rows   int64
	groups []digests // nil for a file that another program wrote
	sealed bool      // the footer has metaBytes
	cols   columns
	first  []int64 // index of each row group's first row
}

// columns are the indices of the columns in a file, -1 where it has none.
type columns struct {
	position, class  int
	outputs          [bg.NumOutputs]int
	equitySE, trials int
	method, source   int
}

// partFile is an open file of a database, on disk or inside the program.
type partFile interface {
	fs.File
	io.ReaderAt
	io.Seeker
}

// openPart reads and checks the footer of a file.
func openPart(path string) (*part, error) {
	return newPart(path, func() (partFile, error) {
		f, err := os.Open(path)
		if err != nil {
			return nil, err // not the nil of *os.File
		}
		return f, nil
	})
}

// newPart reads and checks the footer of what open opens, which messages call path.
func newPart(path string, open func() (partFile, error)) (*part, error) {
	f, err := open()
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("open database %s: %w", path, err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("open database %s: not a regular file", path)
	}
	p := &part{path: path, open: open, size: info.Size()}
	if err := isParquet(f); err != nil {
		return nil, filekind.Wrong(path, "a rollout database (Parquet)", &DamageError{path, -1, err})
	}
	if err := pages.Guard("footer", func() error { return p.readFooter(f) }); err != nil {
		return nil, &DamageError{path, -1, err}
	}
	return p, nil
}

// isParquet returns an error where a file does not begin as Parquet does.
func isParquet(f partFile) error {
	var head [4]byte
	if _, err := f.ReadAt(head[:], 0); err != nil || string(head[:]) != "PAR1" {
		return errors.New("not a Parquet file: it does not begin with PAR1")
	}
	return nil
}

func (p *part) readFooter(f partFile) error {
	r, err := file.NewParquetReader(f)
	if err != nil {
		return err
	}
	p.footer = r.MetaData()
	p.rows = r.NumRows()
	if err := p.findColumns(); err != nil {
		return err
	}
	var sum int64
	for i, g := range p.footer.RowGroups {
		if g == nil || g.NumRows < 0 || g.NumRows > maxGroupRows || len(g.Columns) != p.footer.Schema.NumColumns() {
			return fmt.Errorf("row group %d: bad number of rows or columns, or more than %d rows", i, maxGroupRows)
		}
		p.first = append(p.first, sum)
		sum += g.NumRows
	}
	if sum != p.rows {
		return fmt.Errorf("%d rows in the row groups, %d in the footer", sum, p.rows)
	}
	return p.readMeta()
}

// findColumns looks up the columns by name and checks their types.
func (p *part) findColumns() error {
	sc := p.footer.Schema
	find := func(name string, required bool, types ...parquet.Type) (int, error) {
		i := sc.ColumnIndexByName(name)
		if i < 0 && required {
			return 0, fmt.Errorf("no column %s", name)
		}
		if i < 0 {
			return -1, nil
		}
		col := sc.Column(i)
		if col.MaxRepetitionLevel() != 0 || col.MaxDefinitionLevel() > 1 {
			return 0, fmt.Errorf("column %s is nested", name)
		}
		for _, t := range types {
			if col.PhysicalType() == t {
				return i, nil
			}
		}
		return 0, fmt.Errorf("column %s has type %v, expected %v", name, col.PhysicalType(), types[0])
	}
	t := parquet.Types
	var errs [11]error
	c := &p.cols
	c.position, errs[0] = find(colPosition, true, t.FixedLenByteArray, t.ByteArray)
	c.class, errs[1] = find(colClass, false, t.ByteArray)
	for k, name := range OutputColumns {
		c.outputs[k], errs[2+k] = find(name, false, t.Float, t.Double)
	}
	c.equitySE, errs[7] = find(colEquitySE, false, t.Float, t.Double)
	c.trials, errs[8] = find(colTrials, false, t.Int32, t.Int64)
	c.method, errs[9] = find(colMethod, false, t.ByteArray)
	c.source, errs[10] = find(colSource, false, t.ByteArray)
	if err := errors.Join(errs[:]...); err != nil {
		return err
	}
	if col := sc.Column(c.position); col.PhysicalType() == t.FixedLenByteArray && col.TypeLength() != keyBytes {
		return fmt.Errorf("column %s has %d bytes, expected %d", colPosition, col.TypeLength(), keyBytes)
	}
	for _, i := range c.outputs {
		if (i < 0) != (c.outputs[0] < 0) {
			return fmt.Errorf("some of the columns %s are missing", strings.Join(OutputColumns[:], ", "))
		}
	}
	return nil
}

// readMeta checks the metadata that this program writes. A file with none of it
// comes from another program and carries no digests.
func (p *part) readMeta() error {
	kv := map[string]string{}
	pairs := p.footer.KeyValueMetadata()
	values := pairs.Values()
	for i, k := range pairs.Keys() {
		if strings.HasPrefix(k, metaPrefix) {
			kv[k] = values[i]
		}
	}
	if len(kv) == 0 && !strings.HasPrefix(p.footer.GetCreatedBy(), "bgtrain") {
		return nil
	}
	var err error
	if p.groups, p.meta, err = unseal(kv, len(p.footer.RowGroups)); err != nil {
		return err
	}
	if want := strconv.FormatInt(p.rows, 10); kv[metaRows] != want {
		return fmt.Errorf("%s rows in the footer, %s says %q", want, metaRows, kv[metaRows])
	}
	switch v, ok := kv[metaSealed]; {
	case ok && v != sealedBy:
		return fmt.Errorf("%s is %q, this program knows %q", metaSealed, v, sealedBy)
	default:
		p.sealed = ok
	}
	return nil
}
