package dataset

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"bgtrain/internal/bg"
	"bgtrain/internal/parquet"

	arrow "github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/metadata"
)

// groupReader reads row groups; it keeps its memory between them.
type groupReader struct {
	src    io.ReaderAt // the file
	part   *part
	group  *metadata.RowGroupMetaData
	rows   int
	pages  parquet.Pages
	keys   parquet.Column[bg.Key]
	floats parquet.Column[float32]
	ints   parquet.Column[int32]
	digest digester
	keep   []bool
}

// read reads row group i of the database into b.
func (r *groupReader) read(db *DB, i int, f *Filter, b *Batch) error {
	g := db.groups[i]
	b.Reset()
	b.Part, b.RowGroup, b.FirstRow = g.part.path, g.index, g.part.first[g.index]
	src, err := g.part.open()
	if err != nil {
		return fmt.Errorf("read database: %w", err)
	}
	defer src.Close()
	r.src, r.part = src, g.part
	err = parquet.Guard("", func() error {
		r.group = g.part.footer.RowGroup(g.index)
		r.rows = int(r.group.NumRows())
		if err := r.readColumns(f.columns(), b); err != nil {
			return err
		}
		return r.check(g, f.columns(), b)
	})
	if err != nil {
		b.Reset()
		return &DamageError{g.part.path, g.index, err}
	}
	if g.part.groups == nil && !f.Unchecked {
		if err := r.checkRows(f, b); err != nil {
			b.Reset()
			return err
		}
	}
	r.filter(f, b)
	return nil
}

// checkRows checks the rows of a foreign file.
func (r *groupReader) checkRows(f *Filter, b *Batch) error {
	want := f.columns()
	r.keep = slices.Grow(r.keep[:0], b.Len())[:b.Len()]
	found := BadRowsError{reading: true}
	for i := range r.keep {
		row := b.Row(i)
		bad := check(&row, want&ColClass == 0)
		if r.keep[i] = bad == nil; bad == nil {
			continue
		}
		if found.Bad[bad.Kind]++; found.First == nil {
			found.First = bad
			found.Doing = fmt.Sprintf("read %s: row %d", b.Part, b.FirstRow+int64(i)+1)
		}
	}
	switch {
	case found.First == nil:
		return nil
	case !f.SkipBad:
		return &found
	}
	if f.Bad != nil {
		for k, n := range found.Bad {
			f.Bad[k] += n
		}
	}
	b.keep(r.keep)
	return nil
}

func (r *groupReader) readColumns(want Columns, b *Batch) error {
	if err := r.readKeys(b); err != nil {
		return err
	}
	if want&ColClass != 0 {
		if err := r.readClass(b); err != nil {
			return err
		}
	}
	if want&ColOutputs != 0 {
		if err := r.readOutputs(b); err != nil {
			return err
		}
	}
	c := &r.part.cols
	if want&ColEquitySE != 0 {
		b.EquitySE = slices.Grow(b.EquitySE, r.rows)[:r.rows]
		if err := r.readFloats(c.equitySE, colEquitySE, func(i int, v float32) { b.EquitySE[i] = v }); err != nil {
			return err
		}
	}
	if want&ColTrials != 0 {
		if err := r.readTrials(b); err != nil {
			return err
		}
	}
	if want&ColMethod != 0 {
		if err := r.readText(c.method, colMethod, &b.Method); err != nil {
			return err
		}
	}
	if want&ColSource != 0 {
		if err := r.readText(c.source, colSource, &b.Source); err != nil {
			return err
		}
	}
	return nil
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

// readChunk reads column col into c; errors name it.
func readChunk[T any](r *groupReader, c *parquet.Column[T], col int, name string, plain parquet.Decoder[T]) error {
	return parquet.Guard("column "+name, func() error {
		m, err := r.group.ColumnChunk(col)
		if err != nil {
			return err
		}
		spec := parquet.Chunk{Offset: m.DataPageOffset(), Size: m.TotalCompressedSize(),
			Unpacked: m.TotalUncompressedSize(), Codec: m.Compression()}
		if m.HasDictionaryPage() && m.DictionaryPageOffset() > 0 {
			spec.Offset = min(spec.Offset, m.DictionaryPageOffset())
		}
		if err := r.pages.Open(r.src, r.part.size, spec); err != nil {
			return err
		}
		nullable := r.part.footer.Schema.Column(col).MaxDefinitionLevel() > 0
		return c.Read(&r.pages, r.rows, nullable, plain)
	})
}

func (r *groupReader) readKeys(b *Batch) error {
	plain := fixedKey
	if r.part.footer.Schema.Column(r.part.cols.position).PhysicalType() == arrow.Types.ByteArray {
		plain = bytesKey
	}
	// The keys are read straight into the batch.
	r.keys.Values, b.Keys = b.Keys, nil
	err := readChunk(r, &r.keys, r.part.cols.position, colPosition, plain)
	r.keys.Values, b.Keys = nil, r.keys.Values
	if err == nil && len(b.Keys) != r.rows {
		err = fmt.Errorf("column %s: null in %d of %d rows", colPosition, r.rows-len(b.Keys), r.rows)
	}
	return err
}

// readClass reads the classes. Where a foreign file has none, they come from the positions.
func (r *groupReader) readClass(b *Batch) error {
	b.Class = slices.Grow(b.Class, r.rows)[:r.rows]
	clear(b.Class)
	var failed error
	if r.part.cols.class >= 0 {
		var names Strings
		if err := readChunk(r, &r.ints, r.part.cols.class, colClass, textValues(&names)); err != nil {
			return err
		}
		classes := make([]bg.Class, len(names.Values))
		for i, name := range names.Values {
			// A name may sit unused in a dictionary: Over marks it as unknown.
			classes[i], _ = ParseClass(name)
		}
		r.ints.Each(func(i int, v *int32) {
			if v == nil {
				return
			}
			if b.Class[i] = classes[*v]; b.Class[i] == bg.Over && failed == nil {
				_, err := ParseClass(names.Values[*v])
				failed = rowError(b, i, err)
			}
		})
	}
	for i := 0; i < r.rows && failed == nil; i++ {
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

// rowError wraps err with the row of the part, counted from 1.
func rowError(b *Batch, i int, err error) error {
	return fmt.Errorf("row %d: %w", b.FirstRow+int64(i)+1, err)
}

// readOutputs reads the five columns of the outputs. In a row all must be null or none.
func (r *groupReader) readOutputs(b *Batch) error {
	b.Outputs = slices.Grow(b.Outputs, r.rows)[:r.rows]
	b.HasOutputs = slices.Grow(b.HasOutputs, r.rows)[:r.rows]
	clear(b.Outputs)
	clear(b.HasOutputs)
	var failed error
	for k, name := range OutputColumns {
		err := r.readFloats(r.part.cols.outputs[k], name, func(i int, v float32) {
			has := v == v
			switch {
			case k == 0:
				b.HasOutputs[i] = has
			case has != b.HasOutputs[i] && failed == nil:
				failed = rowError(b, i, fmt.Errorf("some of the outputs are null, %s or %s", OutputColumns[0], name))
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
func (r *groupReader) readFloats(col int, name string, set func(i int, v float32)) error {
	if col < 0 {
		for i := range r.rows {
			set(i, nan32)
		}
		return nil
	}
	plain := parquet.Float
	if r.part.footer.Schema.Column(col).PhysicalType() == arrow.Types.Double {
		plain = parquet.Double
	}
	if err := readChunk(r, &r.floats, col, name, plain); err != nil {
		return err
	}
	r.floats.Each(func(i int, v *float32) {
		if v == nil {
			set(i, nan32)
		} else {
			set(i, *v)
		}
	})
	return nil
}

func (r *groupReader) readTrials(b *Batch) error {
	b.Trials = slices.Grow(b.Trials, r.rows)[:r.rows]
	for i := range b.Trials {
		b.Trials[i] = noTrials
	}
	col := r.part.cols.trials
	if col < 0 {
		return nil
	}
	plain := parquet.Int32
	if r.part.footer.Schema.Column(col).PhysicalType() == arrow.Types.Int64 {
		plain = parquet.Int64
	}
	if err := readChunk(r, &r.ints, col, colTrials, plain); err != nil {
		return err
	}
	var failed error
	r.ints.Each(func(i int, v *int32) {
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

func (r *groupReader) readText(col int, name string, s *Strings) error {
	s.Index = slices.Grow(s.Index, r.rows)[:r.rows]
	for i := range s.Index {
		s.Index[i] = -1
	}
	if col < 0 {
		return nil
	}
	if err := readChunk(r, &r.ints, col, name, textValues(s)); err != nil {
		return err
	}
	r.ints.Each(func(i int, v *int32) {
		if v != nil && s.Values[*v] != "" {
			s.Index[i] = *v
		}
	})
	return nil
}

// filter keeps the rows of the classes and methods wanted.
func (r *groupReader) filter(f *Filter, b *Batch) {
	if len(f.Classes) == 0 && f.Method == "" {
		return
	}
	r.keep = r.keep[:0]
	for i := range b.Len() {
		r.keep = append(r.keep, (len(f.Classes) == 0 || slices.Contains(f.Classes, b.Class[i])) &&
			strings.HasPrefix(b.Method.At(i), f.Method))
	}
	b.keep(r.keep)
}
