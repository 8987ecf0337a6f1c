package arrowfile

import (
	"bytes"
	"path/filepath"
	"testing"

	"bgtrain/dataset"
)

// FuzzArrow reads any bytes as a file: an error, or rows; never a panic, nor more
// memory than a file of that size can need.
func FuzzArrow(f *testing.F) {
	for _, n := range []int{0, 3, 40} {
		db := writeDB(f, filepath.Join(f.TempDir(), "in.parquet"), rowsOf(n, true))
		var b bytes.Buffer
		if _, err := ExportTo(f.Context(), db, &b, ExportOptions{}); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Add([]byte("ARROW1\x00\x00\xff\xff\xff\xff\x00\x00\x00\x00\x08\x00\x00\x00ARROW1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := newReader("read", "x", bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		rows := 0
		err = r.each(t.Context(), func(row *dataset.Row, number int64) error {
			if rows++; int64(rows) != number {
				t.Fatalf("row %d is called %d", rows, number)
			}
			return nil
		})
		if err == nil && r.seal != nil && int64(rows) != r.seal.Rows {
			t.Fatalf("%d rows, %d sealed", rows, r.seal.Rows)
		}
	})
}
