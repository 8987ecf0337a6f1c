package encode

import (
	"fmt"
	"io"

	"bgtrain/dataset"
	"bgtrain/features"
	"bgtrain/internal/atomicfile"
	"bgtrain/internal/bg"
	pages "bgtrain/internal/parquet"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/metadata"
	"github.com/apache/arrow/go/v15/parquet/schema"
)

// parquetTable is one Parquet file: position (FIXED_LEN_BYTE_ARRAY(10)), class (string), x0, x1, … (the inputs,
// FLOAT), the five targets (FLOAT), equity_se (FLOAT, NaN where unknown). Plain columns of floats, since Parquet's
// lists of fixed length are written as nulls by the library.
type parquetTable struct {
	out    *atomicfile.File
	path   string
	set    *features.Set
	pq     *file.Writer
	rows   rows
	column []float32
}

// parquetGroup is the number of rows in a full row group.
const parquetGroup = 1 << 16

func createParquet(path string, set *features.Set) (table, error) {
	required := parquet.Repetitions.Required
	fields := schema.FieldList{
		schema.NewFixedLenByteArrayNode("position", required, int32(len(bg.Key{})), -1),
		schema.Must(schema.NewPrimitiveNodeLogical("class", required, schema.StringLogicalType{},
			parquet.Types.ByteArray, 0, -1)),
	}
	for i := range set.Size {
		fields = append(fields, schema.NewFloat32Node(fmt.Sprintf("x%d", i), required, -1))
	}
	for _, name := range dataset.OutputColumns {
		fields = append(fields, schema.NewFloat32Node(name, required, -1))
	}
	fields = append(fields, schema.NewFloat32Node("equity_se", required, -1))
	out, err := atomicfile.Create(path)
	if err != nil {
		return nil, err
	}
	t := &parquetTable{out: out, path: path, set: set}
	meta := metadata.NewKeyValueMetadata()
	for key, value := range map[string]string{inputsKey: set.Name, versionKey: fmt.Sprint(set.Version)} {
		if err := meta.Append(key, value); err != nil {
			out.Abort()
			return nil, err
		}
	}
	err = pages.Guard("write "+path, func() error {
		root := schema.MustGroup(schema.NewGroupNode("bgtrain", required, fields, -1))
		t.pq = file.NewParquetWriter(struct{ io.Writer }{out}, root, // without a Close that the library would call
			file.WithWriteMetadata(meta), file.WithWriterProps(parquet.NewWriterProperties(
				parquet.WithAllocator(memory.DefaultAllocator), parquet.WithVersion(parquet.V2_LATEST),
				parquet.WithDataPageVersion(parquet.DataPageV1),
				parquet.WithCompression(compress.Codecs.Zstd), parquet.WithDictionaryDefault(false),
				parquet.WithDictionaryFor("class", true),
				parquet.WithStats(false))))
		return nil
	})
	if err != nil {
		out.Abort()
		return nil, err
	}
	return t, nil
}

func (t *parquetTable) add(p *rows) error {
	r := &t.rows
	r.keys, r.classes = append(r.keys, p.keys...), append(r.classes, p.classes...)
	r.inputs, r.targets, r.se = append(r.inputs, p.inputs...), append(r.targets, p.targets...), append(r.se, p.se...)
	if len(r.keys) < parquetGroup {
		return nil
	}
	return t.flush()
}

// flush writes a row group.
func (t *parquetTable) flush() error {
	r := &t.rows
	n := len(r.keys)
	if n == 0 {
		return nil
	}
	err := pages.Guard("write "+t.path, func() error {
		group := t.pq.AppendRowGroup()
		keys, names := make([]parquet.FixedLenByteArray, n), make([]parquet.ByteArray, n)
		for i := range n {
			keys[i], names[i] = r.keys[i][:], parquet.ByteArray(r.classes[i].String())
		}
		if err := pages.WriteColumn(group, keys, nil); err != nil {
			return err
		}
		if err := pages.WriteColumn(group, names, nil); err != nil {
			return err
		}
		for k := range t.set.Size {
			if err := t.floats(group, n, func(i int) float32 { return r.inputs[i*t.set.Size+k] }); err != nil {
				return err
			}
		}
		for k := range bg.NumOutputs {
			if err := t.floats(group, n, func(i int) float32 { return r.targets[i][k] }); err != nil {
				return err
			}
		}
		if err := t.floats(group, n, func(i int) float32 { return r.se[i] }); err != nil {
			return err
		}
		return group.Close()
	})
	r.reset()
	return err
}

// floats writes the next column of a row group.
func (t *parquetTable) floats(group file.SerialRowGroupWriter, n int, value func(i int) float32) error {
	t.column = t.column[:0]
	for i := range n {
		t.column = append(t.column, value(i))
	}
	return pages.WriteColumn(group, t.column, nil)
}

func (t *parquetTable) close() error {
	if err := t.flush(); err != nil {
		return err
	}
	if err := pages.Guard("write "+t.path, t.pq.Close); err != nil {
		return err
	}
	return t.out.Commit()
}

func (t *parquetTable) abort() { t.out.Abort() }
