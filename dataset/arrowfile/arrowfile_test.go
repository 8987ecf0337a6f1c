package arrowfile

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/bgtest"

	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
)

// rowsOf returns rows in all states that rows have; some positions come twice if
// repeats is set.
func rowsOf(n int, repeats bool) []dataset.Row {
	rng := rand.New(rand.NewPCG(3, 4))
	seen := map[bg.Key]bool{}
	var rows []dataset.Row
	for i, b := range bgtest.Positions(n) {
		r := dataset.Row{Key: b.Key(), Class: dataset.ClassOf(&b), Source: []string{"", "selfplay", "a, b"}[i%3]}
		if bg.Classify(&b) == bg.Over || seen[r.Key] && !repeats {
			continue
		}
		seen[r.Key] = true
		if i%5 > 0 {
			win := rng.Float32()
			r.Outputs, r.HasOutputs, r.Method = bg.Outputs{win, 0, 0, 0, 0}, true, "eval ply=2"
		}
		if i%5 > 2 {
			r.EquitySE, r.HasSE, r.Trials, r.HasTrials = rng.Float32(), true, int32(36*(1+i%9)), true
			r.Method = fmt.Sprintf("rollout trials=%d", r.Trials)
		}
		rows = append(rows, r)
	}
	return rows
}

// writeDB writes a database, which describes how it was made.
func writeDB(t testing.TB, path string, rows []dataset.Row) *dataset.DB {
	t.Helper()
	w, err := dataset.Create(path, dataset.Options{Meta: dataset.Meta{Command: "bgtrain test", Seed: "7", Net: "abc",
		Extra: map[string]string{"ply": "2"}}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for i := range rows {
		if err := w.Write(&rows[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return openDB(t, path)
}

func openDB(t testing.TB, path string) *dataset.DB {
	t.Helper()
	db, err := dataset.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// readFile returns the rows of a file as the Arrow library reads them, and the schema's metadata.
func readFile(t testing.TB, path string) (rows []dataset.Row, meta map[string]string) {
	t.Helper()
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	r, err := ipc.NewFileReader(in)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	m := r.Schema().Metadata()
	for i := range r.NumRecords() {
		rec, err := r.Record(i)
		if err != nil {
			t.Fatal(err)
		}
		for k := range int(rec.NumRows()) {
			var row dataset.Row
			copy(row.Key[:], rec.Column(0).(*array.FixedSizeBinary).Value(k))
			if row.Class, err = dataset.ParseClass(rec.Column(1).(*array.String).Value(k)); err != nil {
				t.Fatal(err)
			}
			for n := range row.Outputs {
				row.Outputs[n] = rec.Column(2 + n).(*array.Float32).Value(k)
			}
			row.HasOutputs = rec.Column(2).IsValid(k)
			row.EquitySE, row.HasSE = rec.Column(7).(*array.Float32).Value(k), rec.Column(7).IsValid(k)
			row.Trials, row.HasTrials = rec.Column(8).(*array.Int32).Value(k), rec.Column(8).IsValid(k)
			row.Method, row.Source = rec.Column(9).(*array.String).Value(k), rec.Column(10).(*array.String).Value(k)
			if rec.Column(9).IsNull(k) != (row.Method == "") || rec.Column(10).IsNull(k) != (row.Source == "") {
				t.Fatalf("row %d: an empty text where a null is expected", k)
			}
			rows = append(rows, row)
		}
	}
	return rows, m.ToMap()
}

// What is written is read by the Arrow library: rows and metadata of the database, also of several record batches, of
// rows that repeat a position, and of none; to a writer go the same bytes.
func TestExport(t *testing.T) {
	large := rowsOf(2000, true)
	for len(large) <= dataset.RowGroupRows {
		large = append(large, large...)
	}
	for name, rows := range map[string][]dataset.Row{"some": rowsOf(500, false), "repeats": rowsOf(900, true),
		"batches": large[:dataset.RowGroupRows+5], "none": nil} {
		dir := t.TempDir()
		db := writeDB(t, filepath.Join(dir, "in.parquet"), rows)
		out := filepath.Join(dir, "x.arrow")
		last := 0
		report, err := Export(t.Context(), db, out, ExportOptions{Progress: func(done, total int) {
			if last = done; done > total {
				t.Errorf("%s: %d of %d done", name, done, total)
			}
		}})
		if err != nil || report.Rows != int64(len(rows)) || last != len(rows) {
			t.Fatalf("%s: %+v, %v; progress to %d", name, report, err, last)
		}
		got, meta := readFile(t, out)
		if !slices.Equal(got, rows) {
			t.Errorf("%s: %d rows are read as %d others", name, len(rows), len(got))
		}
		if meta["bgtrain.command"] != "bgtrain test" || meta["bgtrain.seed"] != "7" || meta["bgtrain.net"] != "abc" ||
			meta["bgtrain.x.ply"] != "2" {
			t.Errorf("%s: metadata %v", name, meta)
		}
		var buffer bytes.Buffer
		if _, err := ExportTo(t.Context(), db, &buffer, ExportOptions{}); err != nil {
			t.Fatal(err)
		}
		file, err := os.ReadFile(out)
		if err != nil || !bytes.Equal(file, buffer.Bytes()) {
			t.Errorf("%s: a writer gets other bytes than a file, %v", name, err)
		}
	}
}

// Filters choose rows.
func TestExportFilters(t *testing.T) {
	dir := t.TempDir()
	rows := rowsOf(500, false)
	db := writeDB(t, filepath.Join(dir, "in.parquet"), rows)
	const method = "rollout trials="
	report, err := Export(t.Context(), db, filepath.Join(dir, "x.arrow"), ExportOptions{
		Filter: dataset.Filter{Classes: []bg.Class{bg.Contact}, Method: method},
		Keep:   func(k bg.Key) bool { return k[0]%2 == 0 }})
	if err != nil {
		t.Fatal(err)
	}
	var want []dataset.Row
	for _, r := range rows {
		if r.Class == bg.Contact && r.Key[0]%2 == 0 && strings.HasPrefix(r.Method, method) {
			want = append(want, r)
		}
	}
	if got, _ := readFile(t, filepath.Join(dir, "x.arrow")); !slices.Equal(got, want) || len(want) == 0 ||
		report.Classes[bg.Contact] != int64(len(want)) {
		t.Errorf("%d rows, %d expected; %+v", len(got), len(want), report)
	}
}
