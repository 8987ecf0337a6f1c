package dataset

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// parseAll parses a text, and checks what must hold for every row accepted: that
// it is written and read as the same row.
func parseAll(t *testing.T, f Format, data []byte) {
	lines, err := newLineReader(bytes.NewReader(data))
	if err != nil {
		return
	}
	defer lines.close()
	p := newParser(f)
	var im importer
	for {
		line, err := lines.next()
		if err != nil {
			return
		}
		var row Row
		ok, bad := p.parse(line, &row)
		if !ok || bad != nil || im.check(&row) != nil {
			continue
		}
		if bad := CheckRow(&row); bad != nil {
			t.Fatalf("accepted a bad row %q: %v", line, bad)
		}
		again := newParser(f)
		if f == WildbgCSV {
			again = &csvParser{column: []int{0, 1, 2, 3, 4, 5}}
		}
		var back Row
		text := bytes.TrimSuffix(appendRow(nil, f, row.Key, &row.Outputs), []byte("\n"))
		if ok, bad := again.parse(text, &back); !ok || bad != nil || back.Key != row.Key || back.Outputs != row.Outputs {
			t.Fatalf("%q became %q, then %+v (%v)", line, text, back, bad)
		}
	}
}

func FuzzGNUbgText(f *testing.F) {
	f.Add([]byte("# comment\n" + startKey + " 0.52518 0.14851 0.00713 0.12419 0.00559\n"))
	f.Add([]byte(bearoffKey + "\t1e0 -0 0x0p0 0 .0\r\n\n" + offKey + " 0.5 0 0 0"))
	f.Add([]byte{0x1F, 0x8B, 8, 0, 0})
	f.Add([]byte("BZh9"))
	f.Add([]byte{0x28, 0xB5, 0x2F, 0xFD, 4})
	f.Fuzz(func(t *testing.T, data []byte) { parseAll(t, GNUbgText, data) })
}

func FuzzWildbgCSV(f *testing.F) {
	f.Add([]byte("position_id,win,win_g,win_bg,lose_g,lose_bg\n4HPwATDgc/ABMA,0.5,0.2,0.01,0.1,0.005\n"))
	f.Add([]byte("position_id,lose_g,win_g,win_bg,win,lose_bg\r\n\"4HPwATDgc/ABMA\",0.5,,,\n"))
	f.Fuzz(func(t *testing.T, data []byte) { parseAll(t, WildbgCSV, data) })
}

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
		path := filepath.Join(t.TempDir(), "fuzz")
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		db, err := Open(path)
		if err != nil {
			return
		}
		var b Batch
		for i := range db.NumRowGroups() {
			if err := db.ReadRowGroup(i, Filter{}, &b); err != nil {
				return
			}
		}
	})
}
