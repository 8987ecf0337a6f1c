package dataset

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
)

// FuzzOpen reads arbitrary bytes as a database: it may fail, but not panic, hang
// or take memory without bound.
func FuzzOpen(f *testing.F) {
	golden, err := os.ReadFile("testdata/v1.parquet")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(golden)
	dir := f.TempDir()
	small := filepath.Join(dir, "small")
	writeDB(f, small, randomRows(1, 3), Options{})
	if golden, err = os.ReadFile(small); err != nil {
		f.Fatal(err)
	}
	f.Add(golden)
	f.Add([]byte("PAR1\x00\x00\x00\x00\x00\x00\x00\x00PAR1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		db, err := OpenFS(fstest.MapFS{"fuzz": {Data: data}}, "fuzz", "fuzz")
		if err != nil {
			return
		}
		var b Batch
		for i := range len(db.groups) {
			if err := new(groupReader).read(db, i, &Filter{}, &b); err != nil {
				return
			}
		}
	})
}
