package dataset

import (
	"path/filepath"
	"testing"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
)

// BenchmarkReadByArrow reads the file of BenchmarkRead by Arrow's column readers: what package parquet would
// be replaced with. Nothing is checked: no checksum, no digest, no value.
func BenchmarkReadByArrow(b *testing.B) {
	path := filepath.Join(b.TempDir(), "db.parquet")
	const n = 8 * RowGroupRows
	writeDB(b, path, randomRows(1, n), Options{})
	b.ReportAllocs()
	for b.Loop() {
		r, err := file.OpenParquetFile(path, false)
		if err != nil {
			b.Fatal(err)
		}
		rows := int64(0)
		for g := range r.NumRowGroups() {
			group := r.RowGroup(g)
			rows += group.NumRows()
			for c := range group.NumColumns() {
				column, err := group.Column(c)
				if err == nil {
					err = readByArrow(column)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		}
		if rows != n {
			b.Fatalf("%d rows", rows)
		}
		if err := r.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

// readByArrow reads a column to its end.
func readByArrow(column file.ColumnChunkReader) (err error) {
	const batch = 8192
	levels := make([]int16, batch)
	switch c := column.(type) {
	case *file.Float32ColumnChunkReader:
		values := make([]float32, batch)
		for c.HasNext() && err == nil {
			_, _, err = c.ReadBatch(batch, values, levels, nil)
		}
	case *file.Int32ColumnChunkReader:
		values := make([]int32, batch)
		for c.HasNext() && err == nil {
			_, _, err = c.ReadBatch(batch, values, levels, nil)
		}
	case *file.ByteArrayColumnChunkReader:
		values := make([]parquet.ByteArray, batch)
		for c.HasNext() && err == nil {
			_, _, err = c.ReadBatch(batch, values, levels, nil)
		}
	case *file.FixedLenByteArrayColumnChunkReader:
		values := make([]parquet.FixedLenByteArray, batch)
		for c.HasNext() && err == nil {
			_, _, err = c.ReadBatch(batch, values, levels, nil)
		}
	}
	return err
}
