package arrowfile

import (
	"context"
	"fmt"
	"io"
	"slices"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/parquet"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

// ExportOptions are those of Export. The zero value is usable.
type ExportOptions struct {
	Filter  dataset.Filter // which rows; its Columns do not count
	SkipBad bool           // leave bad rows of other programs' databases out, where they would be refused

	// Keep, if not nil, states which positions are written.
	Keep func(bg.Key) bool

	// Progress, if not nil, is called now and then with the number of rows done; every row is done twice.
	Progress func(done, total int)
}

// Names of the columns, but those of the outputs.
const (
	colPosition = "position"
	colClass    = "class"
	colEquitySE = "equity_se"
	colTrials   = "trials"
	colMethod   = "method"
	colSource   = "source"
)

// Export writes the rows of a database, those without outputs too, to the file out.
// It reads the database twice: the digests of the rows come first in the file.
func Export(ctx context.Context, db *dataset.DB, out string, o ExportOptions) (dataset.Report, error) {
	return export(ctx, db, o, func(s *arrow.Schema) (*File, error) { return Create(out, s) })
}

// ExportTo is Export to a writer, which has received a part after an error.
func ExportTo(ctx context.Context, db *dataset.DB, w io.Writer, o ExportOptions) (dataset.Report, error) {
	return export(ctx, db, o, func(s *arrow.Schema) (*File, error) { return newFile("Arrow IPC", w, s) })
}

func export(ctx context.Context, db *dataset.DB, o ExportOptions, create func(s *arrow.Schema) (*File, error)) (
	report dataset.Report, err error) {
	e := exporter{db: db, o: o}
	o.Filter.Columns = dataset.AllColumns
	e.o.Filter = o.Filter
	e.o.Filter.SkipBad, e.o.Filter.Bad = o.SkipBad, &report.Bad
	var seal dataset.Sealer
	if err := e.batches(ctx, func(b *dataset.Batch) error { seal.Add(b); return nil }); err != nil {
		return report, err
	}
	f, err := create(schemaOf(seal.Entries(db.Meta())))
	if err != nil {
		return report, err
	}
	defer f.Abort()
	e.o.Filter.Bad = nil // they are counted
	rows := array.NewRecordBuilder(memory.DefaultAllocator, schemaOf(nil))
	defer rows.Release()
	err = e.batches(ctx, func(b *dataset.Batch) error {
		for _, c := range b.Class {
			report.Classes[c]++
		}
		report.Rows += int64(b.Len())
		return parquet.Guard("", func() error {
			r := newRecord(rows, b)
			defer r.Release()
			return f.Write(r)
		})
	})
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		report.Rows = 0
	}
	return report, err
}

// exporter is the state of an export.
type exporter struct {
	db   *dataset.DB
	o    ExportOptions
	done int
}

// batches calls f for the rows to write, dataset.RowGroupRows at a time.
func (e *exporter) batches(ctx context.Context, f func(b *dataset.Batch) error) error {
	var out dataset.Batch
	for b, err := range e.db.Batches(ctx, e.o.Filter) {
		if err != nil {
			return fmt.Errorf("export: %w", err)
		}
		for i, k := range b.Keys {
			if e.o.Keep != nil && !e.o.Keep(k) {
				continue
			}
			row := b.Row(i)
			if out.Append(&row); out.Len() < dataset.RowGroupRows {
				continue
			}
			if err := f(&out); err != nil {
				return err
			}
			out.Reset()
		}
		if e.done += b.Len(); e.o.Progress != nil {
			e.o.Progress(e.done, 2*int(e.db.NumRows()))
		}
	}
	if out.Len() == 0 {
		return nil
	}
	return f(&out)
}

// schemaOf returns the schema of a database with some metadata.
func schemaOf(entries map[string]string) *arrow.Schema {
	fields := []arrow.Field{
		{Name: colPosition, Type: &arrow.FixedSizeBinaryType{ByteWidth: len(bg.Key{})}},
		{Name: colClass, Type: arrow.BinaryTypes.String},
	}
	for _, name := range slices.Concat(dataset.OutputColumns[:], []string{colEquitySE}) {
		fields = append(fields, arrow.Field{Name: name, Type: arrow.PrimitiveTypes.Float32, Nullable: true})
	}
	fields = append(fields,
		arrow.Field{Name: colTrials, Type: arrow.PrimitiveTypes.Int32, Nullable: true},
		arrow.Field{Name: colMethod, Type: arrow.BinaryTypes.String, Nullable: true},
		arrow.Field{Name: colSource, Type: arrow.BinaryTypes.String, Nullable: true})
	meta := arrow.MetadataFrom(entries) // in the order of the keys
	return arrow.NewSchema(fields, &meta)
}

// newRecord returns the rows of a batch.
func newRecord(to *array.RecordBuilder, b *dataset.Batch) arrow.Record {
	const firstOutput, se, trials = 2, 2 + bg.NumOutputs, 3 + bg.NumOutputs
	for i := range b.Keys {
		row := b.Row(i)
		to.Field(0).(*array.FixedSizeBinaryBuilder).Append(row.Key[:])
		to.Field(1).(*array.StringBuilder).Append(row.Class.String())
		for k, v := range row.Outputs {
			float(to.Field(firstOutput+k), v, row.HasOutputs)
		}
		float(to.Field(se), row.EquitySE, row.HasSE)
		if c := to.Field(trials).(*array.Int32Builder); row.HasTrials {
			c.Append(row.Trials)
		} else {
			c.AppendNull()
		}
		text(to.Field(trials+1), row.Method)
		text(to.Field(trials+2), row.Source)
	}
	return to.NewRecord()
}

// float appends a number, or a null.
func float(to array.Builder, v float32, has bool) {
	if c := to.(*array.Float32Builder); has {
		c.Append(v)
	} else {
		c.AppendNull()
	}
}

// text appends a text; "" is a null.
func text(to array.Builder, s string) {
	if c := to.(*array.StringBuilder); s != "" {
		c.Append(s)
	} else {
		c.AppendNull()
	}
}
