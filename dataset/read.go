package dataset

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"bgtrain/internal/bg"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
)

// groupReader reads row groups; it keeps its memory between them.
type groupReader struct {
	keys   chunk[bg.Key]
	floats chunk[float32]
	ints   chunk[int32]
	digest digester
	keep   []bool
}

// read reads row group i of the database into b.
func (r *groupReader) read(db *DB, i int, f *Filter, b *Batch) error {
	g := db.groups[i]
	b.reset()
	b.Part, b.RowGroup, b.FirstRow = g.part.path, g.index, g.part.first[g.index]
	src, err := os.Open(g.part.path)
	if err != nil {
		return fmt.Errorf("read database: %w", err)
	}
	defer src.Close()
	err = guard("read", func() error {
		pq, err := file.NewParquetReader(src, file.WithReadProps(readerProperties()), file.WithMetadata(g.part.footer))
		if err != nil {
			return err
		}
		return r.readColumns(pq.RowGroup(g.index), g, f.columns(), b)
	})
	if err != nil {
		b.reset()
		return &DamageError{g.part.path, g.index, err}
	}
	r.filter(f.Classes, b)
	return nil
}

func (r *groupReader) readColumns(group *file.RowGroupReader, g groupRef, want Columns, b *Batch) error {
	rows := int(group.NumRows())
	if err := r.readKeys(group, g.part, rows, b); err != nil {
		return err
	}
	if want&ColClass != 0 {
		if err := r.readClass(group, g.part, rows, b); err != nil {
			return err
		}
	}
	if want&ColOutputs != 0 {
		if err := r.readOutputs(group, g.part, rows, b); err != nil {
			return err
		}
	}
	c := &g.part.cols
	if want&ColEquitySE != 0 {
		b.EquitySE = slices.Grow(b.EquitySE, rows)[:rows]
		if err := r.readFloats(group, g.part, c.equitySE, colEquitySE, rows, func(i int, v float32) { b.EquitySE[i] = v }); err != nil {
			return err
		}
	}
	if want&ColTrials != 0 {
		if err := r.readTrials(group, g.part, rows, b); err != nil {
			return err
		}
	}
	if want&ColMethod != 0 {
		if err := r.readText(group, g.part, c.method, colMethod, rows, &b.Method); err != nil {
			return err
		}
	}
	if want&ColSource != 0 {
		if err := r.readText(group, g.part, c.source, colSource, rows, &b.Source); err != nil {
			return err
		}
	}
	return r.check(g, want, b)
}

// check compares the digests of the columns in want with those of the footer.
func (r *groupReader) check(g groupRef, want Columns, b *Batch) error {
	if g.part.groups == nil {
		return nil
	}
	got, stored := r.digest.digest(b, want), &g.part.groups[g.index]
	for i, name := range digestNames {
		if digestWants[i]&^want == 0 && got[i] != stored[i] {
			return fmt.Errorf("column %s is damaged: digest %016x, the footer says %016x", name, got[i], stored[i])
		}
	}
	return nil
}

// checkChunk makes sure that a column chunk lies inside the file.
func checkChunk(group *file.RowGroupReader, size int64, col int) error {
	m, err := group.MetaData().ColumnChunk(col)
	if err != nil {
		return err
	}
	start, n := m.DataPageOffset(), m.TotalCompressedSize()
	if m.HasDictionaryPage() && m.DictionaryPageOffset() > 0 {
		start = min(start, m.DictionaryPageOffset())
	}
	if start < 4 || n < 0 || start > size || n > size-start {
		return fmt.Errorf("%d bytes at offset %d of a file of %d", n, start, size)
	}
	return nil
}

// readChunk reads column col into c; errors say its name.
func readChunk[T any](c *chunk[T], group *file.RowGroupReader, p *part, col int, name string, rows int, plain plainDecoder[T]) error {
	err := checkChunk(group, p.size, col)
	if err == nil {
		err = guard("decode", func() error { return c.read(group, col, rows, plain) })
	}
	if err != nil {
		return fmt.Errorf("column %s: %w", name, err)
	}
	return nil
}

func (r *groupReader) readKeys(group *file.RowGroupReader, p *part, rows int, b *Batch) error {
	plain := plainFixedKey
	if p.footer.Schema.Column(p.cols.position).PhysicalType() == parquet.Types.ByteArray {
		plain = plainKey
	}
	// The keys are read straight into the batch.
	r.keys.values, b.Keys = b.Keys, nil
	err := readChunk(&r.keys, group, p, p.cols.position, colPosition, rows, plain)
	r.keys.values, b.Keys = nil, r.keys.values
	if err == nil && len(b.Keys) != rows {
		err = fmt.Errorf("column %s: null in %d of %d rows", colPosition, rows-len(b.Keys), rows)
	}
	return err
}

// readClass reads the classes. Where a foreign file has none, they come from the
// positions.
func (r *groupReader) readClass(group *file.RowGroupReader, p *part, rows int, b *Batch) error {
	b.Class = slices.Grow(b.Class, rows)[:rows]
	clear(b.Class)
	var failed error
	if p.cols.class >= 0 {
		var names Strings
		if err := readChunk(&r.ints, group, p, p.cols.class, colClass, rows, plainText(&names)); err != nil {
			return err
		}
		classes := make([]bg.Class, len(names.Values))
		for i, name := range names.Values {
			// A name may sit unused in a dictionary: Over marks it as unknown.
			classes[i], _ = ParseClass(name)
		}
		r.ints.each(rows, func(i int, v *int32) {
			if v == nil {
				return
			}
			if b.Class[i] = classes[*v]; b.Class[i] == bg.Over && failed == nil {
				_, err := ParseClass(names.Values[*v])
				failed = rowError(b, i, err)
			}
		})
	}
	for i := 0; i < rows && failed == nil; i++ {
		if b.Class[i] != bg.Over {
			continue
		}
		board, err := b.Keys[i].Board()
		if err == nil {
			b.Class[i] = ClassOf(&board)
			if b.Class[i] == bg.Over {
				err = errors.New("the game is over")
			}
		}
		if err != nil {
			failed = rowError(b, i, err)
		}
	}
	return failed
}

// rowError says in which row of the part err is, counted from 1.
func rowError(b *Batch, i int, err error) error {
	return fmt.Errorf("row %d: %w", b.FirstRow+int64(i)+1, err)
}

// readOutputs reads the five columns of the outputs. In a row all must be null
// or none.
func (r *groupReader) readOutputs(group *file.RowGroupReader, p *part, rows int, b *Batch) error {
	b.Outputs = slices.Grow(b.Outputs, rows)[:rows]
	b.HasOutputs = slices.Grow(b.HasOutputs, rows)[:rows]
	clear(b.Outputs)
	clear(b.HasOutputs)
	var failed error
	for k, name := range outputColumns {
		err := r.readFloats(group, p, p.cols.outputs[k], name, rows, func(i int, v float32) {
			has := v == v
			switch {
			case k == 0:
				b.HasOutputs[i] = has
			case has != b.HasOutputs[i] && failed == nil:
				failed = rowError(b, i, fmt.Errorf("some of the outputs are null, %s or %s", outputColumns[0], name))
			}
			if has {
				b.Outputs[i][k] = v
			}
		})
		if err == nil {
			err = failed
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readFloats reads a column of floats; a null is a NaN.
func (r *groupReader) readFloats(group *file.RowGroupReader, p *part, col int, name string, rows int, set func(i int, v float32)) error {
	if col < 0 {
		for i := range rows {
			set(i, nan32)
		}
		return nil
	}
	plain := plainFloat
	if p.footer.Schema.Column(col).PhysicalType() == parquet.Types.Double {
		plain = plainDouble
	}
	if err := readChunk(&r.floats, group, p, col, name, rows, plain); err != nil {
		return err
	}
	r.floats.each(rows, func(i int, v *float32) {
		if v == nil {
			set(i, nan32)
		} else {
			set(i, *v)
		}
	})
	return nil
}

func (r *groupReader) readTrials(group *file.RowGroupReader, p *part, rows int, b *Batch) error {
	b.Trials = slices.Grow(b.Trials, rows)[:rows]
	for i := range b.Trials {
		b.Trials[i] = NoTrials
	}
	col := p.cols.trials
	if col < 0 {
		return nil
	}
	plain := plainInt32
	if p.footer.Schema.Column(col).PhysicalType() == parquet.Types.Int64 {
		plain = plainInt64
	}
	if err := readChunk(&r.ints, group, p, col, colTrials, rows, plain); err != nil {
		return err
	}
	var failed error
	r.ints.each(rows, func(i int, v *int32) {
		if v == nil {
			return
		}
		if *v < 0 && failed == nil {
			failed = rowError(b, i, fmt.Errorf("%d %s", *v, colTrials))
		}
		b.Trials[i] = *v
	})
	return failed
}

func (r *groupReader) readText(group *file.RowGroupReader, p *part, col int, name string, rows int, s *Strings) error {
	s.Index = slices.Grow(s.Index, rows)[:rows]
	for i := range s.Index {
		s.Index[i] = -1
	}
	if col < 0 {
		return nil
	}
	if err := readChunk(&r.ints, group, p, col, name, rows, plainText(s)); err != nil {
		return err
	}
	r.ints.each(rows, func(i int, v *int32) {
		if v != nil && s.Values[*v] != "" {
			s.Index[i] = *v
		}
	})
	return nil
}

// filter keeps the rows of the classes given, all if none is.
func (r *groupReader) filter(classes []bg.Class, b *Batch) {
	if len(classes) == 0 {
		return
	}
	var want [bg.NumClasses]bool
	for _, c := range classes {
		if c < bg.NumClasses {
			want[c] = true
		}
	}
	r.keep = r.keep[:0]
	for _, c := range b.Class {
		r.keep = append(r.keep, want[c])
	}
	b.keep(r.keep)
}
