package arrowfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/parquet"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

// source is what a file is read from.
type source interface {
	io.ReaderAt
	io.ReadSeeker
}

// file is an open file of a database.
type file struct {
	doing, path string
	closer      io.Closer
	r           *ipc.FileReader
	seal        *dataset.Seal  // nil in those of other programs
	columns     map[string]int // -1 for one that is not there
}

// openFile opens a file; doing begins the messages of its errors.
func openFile(doing, path string) (*file, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	out, err := newReader(doing, path, f, info.Size())
	if err != nil {
		f.Close()
		return nil, err
	}
	out.closer = f
	return out, nil
}

// newReader opens a file of so many bytes.
func newReader(doing, path string, src source, size int64) (*file, error) {
	f := &file{doing: doing, path: path, columns: map[string]int{}}
	err := parquet.Guard("", func() (err error) {
		if err := checkFooter(src, size); err != nil {
			return err
		}
		mem := &limited{most: 64<<20 + 256*size}
		if f.r, err = ipc.NewFileReader(src, ipc.WithAllocator(mem)); err != nil {
			return err
		}
		meta := f.r.Schema().Metadata()
		entries := map[string]string{}
		for i, k := range meta.Keys() {
			entries[k] = meta.Values()[i]
		}
		if f.seal, err = dataset.OpenSeal(entries, f.r.NumRecords()); err != nil {
			return err
		}
		return f.findColumns()
	})
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", doing, path, err)
	}
	return f, nil
}

func (f *file) close() { f.closer.Close() }

// findColumns looks up the columns by name.
func (f *file) findColumns() error {
	names := slices.Concat([]string{colPosition, colClass}, dataset.OutputColumns[:],
		[]string{colEquitySE, colTrials, colMethod, colSource})
	for _, name := range names {
		at := f.r.Schema().FieldIndices(name)
		switch {
		case len(at) > 1:
			return fmt.Errorf("%d columns %s", len(at), name)
		case len(at) == 1:
			f.columns[name] = at[0]
		default:
			f.columns[name] = -1
		}
	}
	if f.columns[colPosition] < 0 {
		return fmt.Errorf("no column %s", colPosition)
	}
	for _, name := range dataset.OutputColumns {
		if (f.columns[name] < 0) != (f.columns[dataset.OutputColumns[0]] < 0) {
			return fmt.Errorf("some of the columns %v are missing", dataset.OutputColumns)
		}
	}
	return nil
}

// each calls do for every row with its number, from 1. The rows of a record batch
// come when the batch was checked against its digests.
func (f *file) each(ctx context.Context, do func(row *dataset.Row, number int64) error) error {
	var b dataset.Batch
	rows := int64(0)
	for i := range f.r.NumRecords() {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("%s %s: %w", f.doing, f.path, err)
		}
		b.Reset()
		err := parquet.Guard("", func() error { return f.readBatch(i, rows, &b) })
		if err == nil && f.seal != nil {
			err = f.seal.Check(i, &b)
		}
		if err != nil {
			return fmt.Errorf("%s %s: record batch %d: %w", f.doing, f.path, i, err)
		}
		for k := range b.Len() {
			rows++
			row := b.Row(k)
			if err := do(&row, rows); err != nil {
				return err
			}
		}
	}
	if f.seal != nil && rows != f.seal.Rows {
		return fmt.Errorf("%s %s: %d rows, the metadata says %d", f.doing, f.path, rows, f.seal.Rows)
	}
	if rows == 0 && f.seal == nil {
		return fmt.Errorf("%s %s: no positions in it", f.doing, f.path)
	}
	return nil
}

// readBatch appends the rows of record batch i, before which there are so many.
func (f *file) readBatch(i int, before int64, to *dataset.Batch) error {
	r, err := f.r.RecordAt(i)
	if err != nil {
		return err
	}
	defer r.Release()
	column := func(name string) arrow.Array {
		if at := f.columns[name]; at >= 0 {
			return r.Column(at)
		}
		return nil
	}
	keys, err := keysOf(column(colPosition))
	if err != nil {
		return err
	}
	var outputs [bg.NumOutputs]func(i int) (float64, bool)
	for k, name := range dataset.OutputColumns {
		if outputs[k], err = numbersOf(name, column(name)); err != nil {
			return err
		}
	}
	se, err1 := numbersOf(colEquitySE, column(colEquitySE))
	trials, err2 := numbersOf(colTrials, column(colTrials))
	class, err3 := textsOf(colClass, column(colClass))
	method, err4 := textsOf(colMethod, column(colMethod))
	source, err5 := textsOf(colSource, column(colSource))
	if err := errors.Join(err1, err2, err3, err4, err5); err != nil {
		return err
	}
	for i := range int(r.NumRows()) {
		row := dataset.Row{Method: method(i), Source: source(i)}
		fail := func(err error) error { return fmt.Errorf("row %d: %w", before+int64(i)+1, err) }
		if row.Key, err = keys(i); err != nil {
			return fail(err)
		}
		if name := class(i); name != "" {
			if row.Class, err = dataset.ParseClass(name); err != nil {
				return fail(err)
			}
		} else if b, err := row.Key.Board(); err == nil {
			row.Class = dataset.ClassOf(&b)
		}
		for k := range outputs {
			v, has := outputs[k](i)
			if k > 0 && has != row.HasOutputs {
				return fail(fmt.Errorf("one of %s and %s is null, the other not", dataset.OutputColumns[0],
					dataset.OutputColumns[k]))
			}
			row.Outputs[k], row.HasOutputs = float32(v), has
		}
		if v, has := se(i); has {
			row.EquitySE, row.HasSE = float32(v), true
		}
		if v, has := trials(i); has {
			if v < 0 || v > 1<<31-1 {
				return fail(fmt.Errorf("%.0f %s", v, colTrials))
			}
			row.Trials, row.HasTrials = int32(v), true
		}
		to.Append(&row)
	}
	return nil
}

// keysOf returns what reads the position column.
func keysOf(c arrow.Array) (func(i int) (bg.Key, error), error) {
	var value func(i int) []byte
	switch c := c.(type) {
	case *array.FixedSizeBinary:
		value = c.Value
	case *array.Binary:
		value = c.Value
	case *array.LargeBinary:
		value = c.Value
	default:
		return nil, fmt.Errorf("column %s has type %v, fixed_size_binary[10] expected", colPosition, c.DataType())
	}
	return func(i int) (k bg.Key, err error) {
		if c.IsNull(i) || len(value(i)) != len(k) {
			return k, fmt.Errorf("%s is null or not of %d bytes", colPosition, len(k))
		}
		copy(k[:], value(i))
		return k, nil
	}, nil
}

// numbersOf returns what reads a column of numbers, with whether there is one; never
// where there is no such column.
func numbersOf(name string, c arrow.Array) (func(i int) (float64, bool), error) {
	var value func(i int) float64
	switch c := c.(type) {
	case nil:
		return func(int) (float64, bool) { return 0, false }, nil
	case *array.Float32:
		value = func(i int) float64 { return float64(c.Value(i)) }
	case *array.Float64:
		value = c.Value
	case *array.Int32:
		value = func(i int) float64 { return float64(c.Value(i)) }
	case *array.Int64:
		value = func(i int) float64 { return float64(c.Value(i)) }
	default:
		return nil, fmt.Errorf("column %s has type %v, float or int32 expected", name, c.DataType())
	}
	return func(i int) (float64, bool) {
		if c.IsNull(i) {
			return 0, false
		}
		return value(i), true
	}, nil
}

// textsOf returns what reads a column of texts, "" for a null and where there is no such column.
func textsOf(name string, c arrow.Array) (func(i int) string, error) {
	var value func(i int) string
	switch c := c.(type) {
	case nil:
		return func(int) string { return "" }, nil
	case *array.String:
		value = c.Value
	case *array.LargeString:
		value = c.Value
	case *array.Dictionary:
		words, err := textsOf(name, c.Dictionary())
		if err != nil {
			return nil, err
		}
		value = func(i int) string { return words(c.GetValueIndex(i)) }
	default:
		return nil, fmt.Errorf("column %s has type %v, utf8 expected", name, c.DataType())
	}
	return func(i int) string {
		if c.IsNull(i) {
			return ""
		}
		return string([]byte(value(i))) // the batch's memory goes
	}, nil
}

// limited is an allocator that refuses what no file of that size should need: sizes come from the file.
type limited struct {
	memory.GoAllocator
	most int64
}

// Allocate returns memory, or panics.
func (l *limited) Allocate(size int) []byte {
	l.check(size)
	return l.GoAllocator.Allocate(size)
}

// Reallocate changes the size of memory, or panics.
func (l *limited) Reallocate(size int, b []byte) []byte {
	l.check(size)
	return l.GoAllocator.Reallocate(size, b)
}

func (l *limited) check(size int) {
	if size < 0 || int64(size) > l.most {
		panic(fmt.Errorf("a buffer of %d bytes, in a file of %d", size, (l.most-64<<20)/256))
	}
}
