package arrowfile

import (
	"bytes"
	"errors"
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

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
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

func readDB(t testing.TB, db *dataset.DB) (rows []dataset.Row) {
	t.Helper()
	for r, err := range db.Rows(t.Context(), dataset.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	return rows
}

// sealOf returns the digests of a database's rows, with the metadata given.
func sealOf(t testing.TB, db *dataset.DB) map[string]string {
	t.Helper()
	var s dataset.Sealer
	for b, err := range db.Batches(t.Context(), dataset.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		s.Add(b)
	}
	return s.Entries(dataset.Meta{})
}

// A database comes back with the rows, the digests and the metadata that it had, also
// of several record batches, of rows that repeat a position, and of none.
func TestRoundTrip(t *testing.T) {
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
		if err != nil || report.Rows != int64(len(rows)) || last != 2*len(rows) {
			t.Fatalf("%s: %+v, %v; progress to %d", name, report, err, last)
		}
		back := filepath.Join(dir, "back.parquet")
		report, err = Import(t.Context(), []string{out}, back, ImportOptions{
			Write: dataset.Options{Meta: dataset.Meta{Command: "bgtrain import"}}})
		if err != nil || report.Rows != int64(len(rows)) {
			t.Fatalf("%s: %+v, %v", name, report, err)
		}
		again := openDB(t, back)
		if got := readDB(t, again); !slices.Equal(got, rows) {
			t.Errorf("%s: %d rows came back as %d others", name, len(rows), len(got))
		}
		if got, want := fmt.Sprint(sealOf(t, again)), fmt.Sprint(sealOf(t, db)); got != want {
			t.Errorf("%s: digests %s, %s expected", name, got, want)
		}
		m := again.Meta()
		if m.Command != "bgtrain import" || m.Seed != "7" || m.Net != "abc" || m.Extra["ply"] != "2" {
			t.Errorf("%s: metadata %+v", name, m)
		}
		var buffer, second bytes.Buffer
		if _, err := ExportTo(t.Context(), db, &buffer, ExportOptions{}); err != nil {
			t.Fatal(err)
		}
		file, err := os.ReadFile(out)
		if err != nil || !bytes.Equal(file, buffer.Bytes()) {
			t.Errorf("%s: a writer gets other bytes than a file, %v", name, err)
		}
		if _, err := ExportTo(t.Context(), again, &second, ExportOptions{}); err != nil {
			t.Fatal(err)
		}
		if v, err := Validate(t.Context(), out); err != nil || v.Rows != int64(len(rows)) || v.Undigested != 0 {
			t.Errorf("%s: validate %+v, %v", name, v, err)
		}
	}
}

// Filters choose rows; what is kept has its own digests.
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
	if _, err := Import(t.Context(), []string{filepath.Join(dir, "x.arrow")}, filepath.Join(dir, "back"),
		ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := readDB(t, openDB(t, filepath.Join(dir, "back"))); !slices.Equal(got, want) || len(want) == 0 ||
		report.Classes[bg.Contact] != int64(len(want)) {
		t.Errorf("%d rows, %d expected; %+v", len(got), len(want), report)
	}
}

// Damage anywhere is an error, or changes nothing: never other rows.
func TestDamageIsNoticed(t *testing.T) {
	rows := rowsOf(12, false)
	dir := t.TempDir()
	db := writeDB(t, filepath.Join(dir, "in.parquet"), rows)
	var whole bytes.Buffer
	if _, err := ExportTo(t.Context(), db, &whole, ExportOptions{}); err != nil {
		t.Fatal(err)
	}
	read := func(data []byte) (got []dataset.Row, err error) {
		f, err := newReader("import", "x.arrow", bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return nil, err
		}
		err = f.each(t.Context(), func(r *dataset.Row, _ int64) error { got = append(got, *r); return nil })
		return got, err
	}
	noticed := 0
	for i := range whole.Len() {
		data := bytes.Clone(whole.Bytes())
		data[i] ^= byte(1 + i%255)
		got, err := read(data)
		switch {
		case err == nil && !slices.Equal(got, rows):
			t.Errorf("byte %d of %d altered: other rows, and no error", i, whole.Len())
		case err != nil && !strings.Contains(err.Error(), "x.arrow"):
			t.Errorf("byte %d: %v", i, err)
		case err != nil:
			noticed++
		}
	}
	if noticed < whole.Len()/4 {
		t.Errorf("%d of %d altered bytes were noticed", noticed, whole.Len())
	}
	for n := range whole.Len() {
		if _, err := read(whole.Bytes()[:n]); err == nil {
			t.Errorf("cut off after %d of %d bytes: no error", n, whole.Len())
		}
	}
	// Nothing is written of a file that is cut off.
	path, out := filepath.Join(dir, "x.arrow"), filepath.Join(dir, "out.parquet")
	if err := os.WriteFile(path, whole.Bytes()[:whole.Len()-100], 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Import(t.Context(), []string{path}, out, ImportOptions{}); err == nil ||
		!strings.Contains(err.Error(), "cut off") {
		t.Errorf("cut off: %v", err)
	}
	if left, _ := filepath.Glob(out + "*"); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

// foreign writes a file as other programs do.
func foreign(t testing.TB, path string, fields []arrow.Field, add func(b *array.RecordBuilder)) {
	t.Helper()
	s := arrow.NewSchema(fields, nil)
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	w, err := ipc.NewFileWriter(out, ipc.WithSchema(s), ipc.WithZstd())
	if err != nil {
		t.Fatal(err)
	}
	b := array.NewRecordBuilder(memory.DefaultAllocator, s)
	add(b)
	if err := w.Write(b.NewRecord()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// Files of other programs: other types, columns missing, dictionaries, compression.
func TestForeignFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "theirs.feather")
	rows := rowsOf(100, false)
	fields := []arrow.Field{{Name: "extra", Type: arrow.PrimitiveTypes.Int8},
		{Name: "class", Type: &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}}}
	for _, name := range dataset.OutputColumns {
		fields = append(fields, arrow.Field{Name: name, Type: arrow.PrimitiveTypes.Float64, Nullable: true})
	}
	fields = append(fields, arrow.Field{Name: "trials", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
		arrow.Field{Name: "position", Type: arrow.BinaryTypes.Binary})
	write := func(spoil func(i int, r *dataset.Row)) {
		foreign(t, path, fields, func(b *array.RecordBuilder) {
			for i, r := range rows {
				spoil(i, &r)
				b.Field(0).(*array.Int8Builder).Append(1)
				if err := b.Field(1).(*array.BinaryDictionaryBuilder).AppendString(r.Class.String()); err != nil {
					t.Fatal(err)
				}
				for k, v := range r.Outputs {
					if c := b.Field(2 + k).(*array.Float64Builder); r.HasOutputs {
						c.Append(float64(v))
					} else {
						c.AppendNull()
					}
				}
				if c := b.Field(7).(*array.Int64Builder); r.HasTrials {
					c.Append(int64(r.Trials))
				} else {
					c.AppendNull()
				}
				b.Field(8).(*array.BinaryBuilder).Append(r.Key[:])
			}
		})
	}
	write(func(int, *dataset.Row) {})
	out := filepath.Join(dir, "out.parquet")
	if _, err := Import(t.Context(), []string{path}, out, ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	want := slices.Clone(rows)
	for i := range want {
		want[i].EquitySE, want[i].HasSE, want[i].Source = 0, false, "theirs.feather"
		if want[i].Method = ""; want[i].HasOutputs {
			want[i].Method = "import arrow"
		}
	}
	if got := readDB(t, openDB(t, out)); !slices.Equal(got, want) {
		t.Errorf("%d rows came back as %d others", len(want), len(got))
	}
	if v, err := Validate(t.Context(), path); err != nil || v.Undigested != 1 || v.Bad.Total() != 0 {
		t.Errorf("%+v, %v", v, err)
	}
	// Bad rows are named by their number; --skip-bad leaves them out.
	for what, spoil := range map[string]func(r *dataset.Row){
		"was there before":        func(r *dataset.Row) { *r = rows[2] },
		"win is 1.5, not within":  func(r *dataset.Row) { r.HasOutputs, r.Outputs = true, bg.Outputs{1.5} },
		"the position is contact": func(r *dataset.Row) { r.Class = bg.Crashed },
	} {
		write(func(i int, r *dataset.Row) {
			if i == 6 {
				*r = rows[0]
				r.Key = bg.Start.Key()
				r.Class = bg.Contact
				spoil(r)
			}
		})
		_, err := Import(t.Context(), []string{path}, out, ImportOptions{})
		var bad *dataset.BadRowsError
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), "import "+path+": row 7: ") ||
			!strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
		report, err := Import(t.Context(), []string{path}, out, ImportOptions{SkipBad: true})
		if err != nil || report.Rows != int64(len(rows)-1) || report.Bad.Total() != 1 {
			t.Errorf("%s: %+v, %v", what, report, err)
		}
	}
	// No database at all.
	for what, f := range map[string][]arrow.Field{
		"no column position":       {{Name: "x", Type: arrow.PrimitiveTypes.Int8}},
		"some of the columns":      {fields[8], fields[2]},
		"2 columns position":       {fields[8], fields[8]},
		"column win has type bool": slices.Concat([]arrow.Field{fields[8], {Name: "win", Type: arrow.FixedWidthTypes.Boolean}}, fields[3:7]),
	} {
		foreign(t, path, f, func(b *array.RecordBuilder) {
			for _, c := range b.Fields() {
				switch c := c.(type) {
				case *array.BinaryBuilder:
					c.Append(rows[0].Key[:])
				default:
					c.AppendEmptyValue()
				}
			}
		})
		if _, err := Import(t.Context(), []string{path}, out, ImportOptions{}); err == nil ||
			!strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
