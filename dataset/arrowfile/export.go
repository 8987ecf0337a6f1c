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

	// Progress, if not nil, is called now and then with the number of rows done.
	Progress func(done, total int)
}

// Export writes the rows of a database, those without outputs too, to the file out.
func Export(ctx context.Context, db *dataset.DB, out string, o ExportOptions) (dataset.Report, error) {
	f, err := Create(out, schemaOf(db.Meta()))
	if err != nil {
		return dataset.Report{}, err
	}
	return export(ctx, db, f, o)
}

// ExportTo is Export to a writer, which has received a part after an error.
func ExportTo(ctx context.Context, db *dataset.DB, w io.Writer, o ExportOptions) (dataset.Report, error) {
	f, err := newFile("Arrow IPC", w, schemaOf(db.Meta()))
	if err != nil {
		return dataset.Report{}, err
	}
	return export(ctx, db, f, o)
}

func export(ctx context.Context, db *dataset.DB, f *File, o ExportOptions) (report dataset.Report, err error) {
	defer f.Abort()
	o.Filter.Columns = dataset.AllColumns
	o.Filter.SkipBad, o.Filter.Bad = o.SkipBad, &report.Bad
	rows := array.NewRecordBuilder(memory.DefaultAllocator, schemaOf(dataset.Meta{}))
	defer rows.Release()
	done := 0
	for b, err := range db.Batches(ctx, o.Filter) {
		if err != nil {
			return dataset.Report{Bad: report.Bad}, fmt.Errorf("export: %w", err)
		}
		for i, k := range b.Keys {
			if o.Keep == nil || o.Keep(k) {
				row := b.Row(i)
				appendRow(rows, &row)
				report.Rows++
				report.Classes[row.Class]++
			}
		}
		err := parquet.Guard("", func() error {
			r := rows.NewRecord()
			defer r.Release()
			return f.Write(r)
		})
		if err != nil {
			return dataset.Report{Bad: report.Bad}, err
		}
		if done += b.Len(); o.Progress != nil {
			o.Progress(done, int(db.NumRows()))
		}
	}
	if err := f.Close(); err != nil {
		return dataset.Report{Bad: report.Bad}, err
	}
	return report, nil
}

// schemaOf returns the schema of a database, with how it was made as metadata.
func schemaOf(m dataset.Meta) *arrow.Schema {
	fields := []arrow.Field{
		{Name: "position", Type: &arrow.FixedSizeBinaryType{ByteWidth: len(bg.Key{})}},
		{Name: "class", Type: arrow.BinaryTypes.String},
	}
	for _, name := range slices.Concat(dataset.OutputColumns[:], []string{"equity_se"}) {
		fields = append(fields, arrow.Field{Name: name, Type: arrow.PrimitiveTypes.Float32, Nullable: true})
	}
	fields = append(fields,
		arrow.Field{Name: "trials", Type: arrow.PrimitiveTypes.Int32, Nullable: true},
		arrow.Field{Name: "method", Type: arrow.BinaryTypes.String, Nullable: true},
		arrow.Field{Name: "source", Type: arrow.BinaryTypes.String, Nullable: true})
	meta := arrow.MetadataFrom(m.Entries()) // in the order of the keys
	return arrow.NewSchema(fields, &meta)
}

// appendRow appends a row.
func appendRow(to *array.RecordBuilder, row *dataset.Row) {
	const firstOutput, se, trials = 2, 2 + bg.NumOutputs, 3 + bg.NumOutputs
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
