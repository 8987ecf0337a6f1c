package encode

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bgtrain/dataset"
	"bgtrain/features"
	"bgtrain/internal/bg"
	"bgtrain/internal/bgtest"

	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/parquet/file"
)

// database has rows with outputs, some with standard errors, and rows without.
func database(t *testing.T, n int) (*dataset.DB, []dataset.Row) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "db.parquet")
	w, err := dataset.Create(path, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[bg.Key]bool{}
	var rows []dataset.Row
	for i, b := range bgtest.Positions(n) {
		r := dataset.Row{Key: b.Key(), Class: dataset.ClassOf(&b)}
		if seen[r.Key] {
			continue
		}
		seen[r.Key] = true
		if i%7 > 0 {
			r.HasOutputs, r.Outputs = true, bg.Outputs{0.5 + float32(i%100)/1000, 0.1, 0.01, 0.2, 0.02}
			if b.Opp.Off()+b.Me.Off() > 0 {
				r.Outputs = bg.Outputs{0.25}
			}
			if i%2 == 0 {
				r.EquitySE, r.HasSE = float32(i)/1e6, true
			}
			rows = append(rows, r)
		}
		if err := w.Write(&r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := dataset.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return db, rows
}

// npy reads what an array holds: shape, and the bytes.
func npy(t *testing.T, path string) (string, []byte) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	n := int(binary.LittleEndian.Uint16(data[8:]))
	if !bytes.HasPrefix(data, []byte("\x93NUMPY\x01\x00")) || (10+n)%64 != 0 || data[9+n] != '\n' {
		t.Fatalf("%s begins with %q", path, data[:10])
	}
	return strings.TrimSpace(string(data[10 : 10+n])), data[10+n:]
}

// Every format holds the inputs and the targets of every row with outputs.
func TestFormatsHoldTheSame(t *testing.T) {
	db, want := database(t, 20000)
	set := features.Tesauro
	x := make([]float32, set.Size)
	check := func(name string, n int, row func(i int) (bg.Key, []float32, bg.Outputs, float32)) {
		t.Helper()
		if n != len(want) {
			t.Fatalf("%s: %d rows, want %d", name, n, len(want))
		}
		for i := range want {
			key, inputs, targets, se := row(i)
			b, _ := want[i].Key.Board()
			set.Encode(&b, x)
			if key != want[i].Key || targets != want[i].Outputs || (se == se) != want[i].HasSE || want[i].HasSE &&
				se != want[i].EquitySE {
				t.Fatalf("%s: row %d is %v %v %v, want %+v", name, i, key, targets, se, want[i])
			}
			for k := range x {
				if inputs[k] != x[k] {
					t.Fatalf("%s: row %d, input %d is %v, want %v", name, i, k, inputs[k], x[k])
				}
			}
		}
	}
	for _, format := range Formats {
		path := filepath.Join(t.TempDir(), "out")
		r, err := Database(context.Background(), db, path, Settings{Format: format, Inputs: set})
		if err != nil || r.Rows != len(want) || r.Inputs != set.Size || r.Without == 0 {
			t.Fatalf("%s: %+v, %v", format, r, err)
		}
		switch format {
		case NPY:
			float := func(b []byte, i int) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])) }
			shape, inputs := npy(t, filepath.Join(path, "inputs.npy"))
			if want := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }", len(want),
				set.Size); shape != want {
				t.Errorf("%s, want %s", shape, want)
			}
			_, targets := npy(t, filepath.Join(path, "targets.npy"))
			_, se := npy(t, filepath.Join(path, "equity_se.npy"))
			_, keys := npy(t, filepath.Join(path, "positions.npy"))
			_, classes := npy(t, filepath.Join(path, "classes.npy"))
			check("npy", len(classes), func(i int) (k bg.Key, v []float32, o bg.Outputs, e float32) {
				copy(k[:], keys[10*i:])
				for j := range set.Size {
					v = append(v, float(inputs, i*set.Size+j))
				}
				for j := range o {
					o[j] = float(targets, i*bg.NumOutputs+j)
				}
				if bg.Class(classes[i]) != want[i].Class {
					t.Errorf("row %d: class %d", i, classes[i])
				}
				return k, v, o, float(se, i)
			})
		case Parquet:
			f, err := file.OpenParquetFile(path, false)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if v := f.MetaData().KeyValueMetadata().FindValue(inputsKey); v == nil || *v != set.Name {
				t.Errorf("metadata %v", v)
			}
			group, n := f.RowGroup(0), int(f.NumRows())
			columns := make([][]float32, set.Size+bg.NumOutputs+1)
			for c := range columns {
				r, err := group.Column(2 + c)
				if err != nil {
					t.Fatal(err)
				}
				columns[c] = make([]float32, n)
				if _, _, err := r.(*file.Float32ColumnChunkReader).ReadBatch(int64(n), columns[c], nil,
					nil); err != nil {
					t.Fatal(err)
				}
			}
			check("parquet", n, func(i int) (k bg.Key, v []float32, o bg.Outputs, e float32) {
				for j := range set.Size {
					v = append(v, columns[j][i])
				}
				for j := range o {
					o[j] = columns[set.Size+j][i]
				}
				return want[i].Key, v, o, columns[set.Size+bg.NumOutputs][i]
			})
		case Arrow:
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			r, err := ipc.NewFileReader(f)
			if err != nil {
				t.Fatal(err)
			}
			at := 0
			total := 0
			for k := range r.NumRecords() {
				rec, err := r.Record(k)
				if err != nil {
					t.Fatal(err)
				}
				values := rec.Column(2).(*array.FixedSizeList).ListValues().(*array.Float32).Float32Values()
				for i := range int(rec.NumRows()) {
					row := want[at]
					b, _ := row.Key.Board()
					set.Encode(&b, x)
					if string(rec.Column(0).(*array.FixedSizeBinary).Value(i)) != string(row.Key[:]) ||
						rec.Column(3).(*array.Float32).Value(i) != row.Outputs[0] ||
						rec.Column(8).IsValid(i) != row.HasSE ||
						rec.Column(1).(*array.String).Value(i) != row.Class.String() {
						t.Fatalf("arrow: row %d", at)
					}
					for j := range x {
						if values[i*set.Size+j] != x[j] {
							t.Fatalf("arrow: row %d, input %d", at, j)
						}
					}
					at++
				}
				total += int(rec.NumRows())
			}
			if total != len(want) {
				t.Errorf("arrow: %d rows, want %d", total, len(want))
			}
		}
	}
}

// A failed or interrupted run leaves nothing under the name.
func TestNothingIsLeft(t *testing.T) {
	db, _ := database(t, 500)
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, format := range Formats {
		if _, err := Database(ctx, db, filepath.Join(dir, "out"),
			Settings{Format: format, Inputs: features.Tesauro}); err == nil {
			t.Errorf("%s: no error", format)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}
