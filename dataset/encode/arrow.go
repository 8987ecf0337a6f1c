package encode

import (
	"fmt"

	"bgtrain/dataset"
	"bgtrain/dataset/arrowfile"
	"bgtrain/features"
	"bgtrain/internal/bg"
	"bgtrain/internal/parquet"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

// arrowTable is one Arrow IPC file (Feather 2): position (fixed_size_binary[10]), class (utf8), inputs
// (fixed_size_list<float>), the five targets (float), equity_se (float, null where unknown).
type arrowTable struct {
	path string
	set  *features.Set
	out  *arrowfile.File
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
	schema := arrow.NewSchema(fields, &meta)
	out, err := arrowfile.Create(path, schema)
	if err != nil {
		return nil, err
	}
	t := &arrowTable{out: out, path: path, set: set}
	t.b = array.NewRecordBuilder(memory.DefaultAllocator, schema)
	return t, nil
}

func (t *arrowTable) add(p *rows) error {
	if len(p.keys) == 0 {
		return nil
	}
	return parquet.Guard("write "+t.path, func() error {
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
		return t.out.Write(record)
	})
}

func (t *arrowTable) close() error {
	t.b.Release()
	return t.out.Close()
}

func (t *arrowTable) abort() { t.out.Abort() }
