package encode

import (
	"fmt"

	"bgtrain/dataset"
	"bgtrain/features"
	"bgtrain/internal/atomicfile"
	"bgtrain/internal/bg"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

// arrowTable is one Arrow IPC file (Feather 2): position (fixed_size_binary[10]),
// class (utf8), inputs (fixed_size_list<float>), the five targets (float),
// equity_se (float, null where unknown).
type arrowTable struct {
	out  *atomicfile.File
	path string
	set  *features.Set
	w    *ipc.FileWriter
	b    *array.RecordBuilder
}

func createArrow(path string, set *features.Set) (table, error) {
	fields := []arrow.Field{
		{Name: "position", Type: &arrow.FixedSizeBinaryType{ByteWidth: len(bg.Key{})}},
		{Name: "class", Type: arrow.BinaryTypes.String},
		{Name: "inputs", Type: arrow.FixedSizeListOf(int32(set.Size), arrow.PrimitiveTypes.Float32)},
	}
	for _, name := range dataset.OutputColumns {
		fields = append(fields, arrow.Field{Name: name, Type: arrow.PrimitiveTypes.Float32})
	}
	fields = append(fields, arrow.Field{Name: "equity_se", Type: arrow.PrimitiveTypes.Float32, Nullable: true})
	meta := arrow.NewMetadata([]string{inputsKey, versionKey}, []string{set.Name, fmt.Sprint(set.Version)})
	out, err := atomicfile.Create(path)
	if err != nil {
		return nil, err
	}
	t := &arrowTable{out: out, path: path, set: set}
	s := arrow.NewSchema(fields, &meta)
	err = guard(path, func() (err error) {
		t.w, err = ipc.NewFileWriter(&counted{w: out}, ipc.WithSchema(s))
		return err
	})
	if err != nil {
		out.Abort()
		return nil, err
	}
	t.b = array.NewRecordBuilder(memory.DefaultAllocator, s)
	return t, nil
}

// counted is the writer that the Arrow library wants: it asks where it is.
type counted struct {
	w interface{ Write([]byte) (int, error) }
	n int64
}

// Write writes and counts.
func (c *counted) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}

// Seek says where the writer is; it can go nowhere else.
func (c *counted) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != 1 {
		return 0, fmt.Errorf("an Arrow file is written from its beginning to its end")
	}
	return c.n, nil
}

func (t *arrowTable) add(p *rows) error {
	if len(p.keys) == 0 {
		return nil
	}
	return guard(t.path, func() error {
		keys, classes := t.b.Field(0).(*array.FixedSizeBinaryBuilder), t.b.Field(1).(*array.StringBuilder)
		inputs := t.b.Field(2).(*array.FixedSizeListBuilder)
		values := inputs.ValueBuilder().(*array.Float32Builder)
		se := t.b.Field(3 + bg.NumOutputs).(*array.Float32Builder)
		for i := range p.keys {
			keys.Append(p.keys[i][:])
			classes.Append(p.classes[i].String())
			inputs.Append(true)
			for k, v := range p.targets[i] {
				t.b.Field(3 + k).(*array.Float32Builder).Append(v)
			}
			se.AppendValues([]float32{p.se[i]}, []bool{p.se[i] == p.se[i]})
		}
		values.AppendValues(p.inputs, nil)
		record := t.b.NewRecord()
		defer record.Release()
		return t.w.Write(record)
	})
}

func (t *arrowTable) close() error {
	if err := guard(t.path, t.w.Close); err != nil {
		return err
	}
	t.b.Release()
	return t.out.Commit()
}

func (t *arrowTable) abort() { t.out.Abort() }
