package dataset

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// readAll returns the rows of a database, or the error of opening or reading it.
func readAll(path string) (rows []Row, err error) {
	db, err := Open(path)
	if err != nil {
		return nil, err
	}
	for r, err := range db.Rows(context.Background(), Filter{}) {
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// TestEveryFlippedByteIsNoticed alters each byte of a small file in turn. Reading
// must fail, or, where no row depends on the byte, give the same rows, and then
// CheckBytes finds it.
func TestEveryFlippedByteIsNoticed(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long, and shares nothing that shorter tests do not")
	}
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "db.parquet")
	want := randomRows(1, 60)
	writeDB(t, path, want, Options{Meta: Meta{Command: "bgtrain test"}})
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	noticed, tried := 0, 0
	for i := range whole {
		flip := []byte{0xFF, 0x10}[i%2]
		tried++
		broken := slices.Clone(whole)
		broken[i] ^= flip
		if err := os.WriteFile(path, broken, 0o644); err != nil {
			t.Fatal(err)
		}
		got, err := readAll(path)
		if err != nil {
			if noticed++; !strings.Contains(err.Error(), path) {
				t.Errorf("byte %d: the error does not name the file: %v", i, err)
			}
			continue
		}
		if !slices.Equal(got, want) {
			t.Fatalf("byte %d of %d ^ %#x: other rows without an error", i, len(whole), flip)
		}
		db, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		var damage *DamageError
		if err := db.CheckBytes(t.Context()); !errors.As(err, &damage) {
			t.Errorf("byte %d of %d ^ %#x: no row shows it, and CheckBytes says %v", i, len(whole), flip, err)
		}
	}
	// The rest are fields of the footer and of page headers that nothing reads.
	t.Logf("%d of %d flips noticed in a file of %d bytes", noticed, tried, len(whole))
	if noticed < tried*3/4 {
		t.Errorf("only %d of %d flips noticed", noticed, tried)
	}
}

// TestEveryCutIsNoticed cuts a file off at each length.
func TestEveryCutIsNoticed(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long, and shares nothing that shorter tests do not")
	}
	t.Parallel()
	path := filepath.Join(t.TempDir(), "db.parquet")
	writeDB(t, path, randomRows(2, 60), Options{})
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := range whole {
		if err := os.WriteFile(path, whole[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		var damage *DamageError
		if _, err := readAll(path); !errors.As(err, &damage) || damage.Part != path || damage.RowGroup != -1 {
			t.Fatalf("cut off at %d of %d bytes: %v", n, len(whole), err)
		}
	}
}

// TestDamageNamesPartAndRowGroup alters a byte in the middle of each row group of
// a part.
func TestDamageNamesPartAndRowGroup(t *testing.T) {
	dir, groups := filepath.Join(t.TempDir(), "db"), 2
	if testing.Short() {
		groups = 1
	}
	rows := randomRows(3, groups*RowGroupRows+20)
	writeDB(t, dir, rows, Options{RowsPerPart: int64(groups*RowGroupRows + 10)})
	path := filepath.Join(dir, PartName(1))
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	db, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for g := range groups + 1 {
		m, err := db.parts[0].footer.RowGroup(g).ColumnChunk(2)
		if err != nil {
			t.Fatal(err)
		}
		broken := slices.Clone(whole)
		broken[m.DataPageOffset()+m.TotalCompressedSize()/2] ^= 0x20
		if err := os.WriteFile(path, broken, 0o644); err != nil {
			t.Fatal(err)
		}
		read := 0
		var failed error
		for b, err := range db.Batches(context.Background(), Filter{}) {
			if err != nil {
				failed = err
				break
			}
			for i := range b.Len() {
				if b.Row(i) != rows[read] {
					t.Fatalf("row %d before the damage differs", read)
				}
				read++
			}
		}
		want := fmt.Sprintf("database %s: row group %d: column win", path, g)
		if failed == nil || !strings.HasPrefix(failed.Error(), want) {
			t.Errorf("error %v, want %s…", failed, want)
		}
		if read != g*RowGroupRows {
			t.Errorf("%d rows were handed out before row group %d", read, g)
		}
	}
}

// TestReplacedFileIsNoticed reads a file that changed after it was opened.
func TestReplacedFileIsNoticed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "db.parquet")
	writeDB(t, path, randomRows(4, 1000), Options{})
	db, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	writeDB(t, path, randomRows(5, 1000), Options{})
	var damage *DamageError
	if err := new(groupReader).read(db, 0, &Filter{}, new(Batch)); !errors.As(err, &damage) {
		t.Errorf("error %v", err)
	}
}

// Every page that is written has a checksum, by which a reader of any column finds
// damage before it unpacks the page: here in the first byte of the keys' Zstandard.
func TestPagesHaveChecksums(t *testing.T) {
	path := filepath.Join(t.TempDir(), "db.parquet")
	writeDB(t, path, randomRows(1, 60), Options{})
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	zstandard := []byte{0x28, 0xB5, 0x2F, 0xFD}
	pages := 0
	for from := 0; ; pages++ {
		at := bytes.Index(data[from:], zstandard)
		if at < 0 {
			break
		}
		from += at + len(zstandard)
		data[from] ^= 1 // the header of the frame
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := readAll(path); err == nil || !strings.Contains(err.Error(), "the checksum of a page") {
			t.Errorf("page %d, byte %d flipped: %v", pages, from, err)
		}
		data[from] ^= 1
	}
	if pages != fileSchema().NumFields()+3 { // a dictionary for class, method and source
		t.Errorf("%d pages", pages)
	}
}
