package dataset

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bgtrain/internal/bg"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/schema"
)

// foreignColumn is a column of a file as another program might write it.
type foreignColumn struct {
	node   schema.Node
	write  func(file.ColumnChunkWriter) error
	column string
}

// foreignFile writes a Parquet file with these columns, in two row groups if
// groups is 2 (with the same rows).
func foreignFile(t *testing.T, path string, cols []foreignColumn, groups int, props ...parquet.WriterProperty) {
	t.Helper()
	var fields schema.FieldList
	for _, c := range cols {
		fields = append(fields, c.node)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	root := schema.MustGroup(schema.NewGroupNode("duckdb_schema", parquet.Repetitions.Required, fields, -1))
	w := file.NewParquetWriter(f, root, file.WithWriterProps(parquet.NewWriterProperties(props...)))
	for range groups {
		g := w.AppendRowGroup()
		for _, c := range cols {
			col, err := g.NextColumn()
			if err != nil {
				t.Fatal(err)
			}
			if err := c.write(col); err != nil {
				t.Fatal(err)
			}
			if err := col.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// foreignColumns returns rows as columns in another order and other types than
// ours: positions as BLOBs, floats as doubles, trials as INT64, everything
// nullable, and a column more.
func foreignColumns(rows []Row) []foreignColumn {
	optional := parquet.Repetitions.Optional
	double := func(name string, at func(r *Row) (float32, bool)) foreignColumn {
		return foreignColumn{schema.NewFloat64Node(name, optional, -1), func(w file.ColumnChunkWriter) error {
			var values []float64
			var levels []int16
			for i := range rows {
				v, ok := at(&rows[i])
				levels = append(levels, 0)
				if ok {
					values, levels[i] = append(values, float64(v)), 1
				}
			}
			_, err := w.(*file.Float64ColumnChunkWriter).WriteBatch(values, levels, nil)
			return err
		}, name}
	}
	text := func(name string, at func(r *Row) string) foreignColumn {
		return foreignColumn{schema.NewByteArrayNode(name, optional, -1), func(w file.ColumnChunkWriter) error {
			var values []parquet.ByteArray
			var levels []int16
			for i := range rows {
				levels = append(levels, 0)
				if v := at(&rows[i]); v != "" {
					values, levels[i] = append(values, parquet.ByteArray(v)), 1
				}
			}
			_, err := w.(*file.ByteArrayColumnChunkWriter).WriteBatch(values, levels, nil)
			return err
		}, name}
	}
	cols := []foreignColumn{
		text("source", func(r *Row) string { return r.Source }),
		text("note", func(r *Row) string { return "x" }),
		text("method", func(r *Row) string { return r.Method }),
		{schema.NewInt64Node("trials", optional, -1), func(w file.ColumnChunkWriter) error {
			var values []int64
			var levels []int16
			for i, r := range rows {
				levels = append(levels, 0)
				if r.HasTrials {
					values, levels[i] = append(values, int64(r.Trials)), 1
				}
			}
			_, err := w.(*file.Int64ColumnChunkWriter).WriteBatch(values, levels, nil)
			return err
		}, "trials"},
		double("equity_se", func(r *Row) (float32, bool) { return r.EquitySE, r.HasSE }),
	}
	for k := bg.NumOutputs - 1; k >= 0; k-- {
		cols = append(cols, double(OutputColumns[k], func(r *Row) (float32, bool) {
			return r.Outputs[k],
				r.HasOutputs
		}))
	}
	return append(cols,
		text("class", func(r *Row) string { return r.Class.String() }),
		text("position", func(r *Row) string { return string(r.Key[:]) }))
}

func without(cols []foreignColumn, names ...string) []foreignColumn {
	var out []foreignColumn
	for _, c := range cols {
		if !strings.Contains(strings.Join(names, " "), c.column) {
			out = append(out, c)
		}
	}
	return out
}

// TestReadsForeignFiles reads what other programs may write, in every encoding
// that they use by default.
func TestReadsForeignFiles(t *testing.T) {
	rows := goodRows(31, 3000)
	twice := append(append([]Row{}, rows...), rows...)
	path := filepath.Join(t.TempDir(), "f.parquet")
	for name, props := range map[string][]parquet.WriterProperty{
		"plain":      {parquet.WithDictionaryDefault(false)},
		"dictionary": {parquet.WithDictionaryDefault(true), parquet.WithCompression(compress.Codecs.Snappy)},
		"small pages": {parquet.WithDictionaryDefault(false), parquet.WithDataPageSize(512),
			parquet.WithBatchSize(100), parquet.WithCompression(compress.Codecs.Gzip)},
		"small dictionary": {parquet.WithDictionaryDefault(true), parquet.WithDictionaryPageSizeLimit(512),
			parquet.WithBatchSize(50)},
		"pages v2": {parquet.WithDictionaryDefault(false), parquet.WithDataPageVersion(parquet.DataPageV2),
			parquet.WithCompression(compress.Codecs.Zstd)},
		"dictionary v2": {parquet.WithDictionaryDefault(true), parquet.WithDataPageVersion(parquet.DataPageV2),
			parquet.WithDataPageSize(700), parquet.WithBatchSize(64)},
	} {
		t.Run(name, func(t *testing.T) {
			foreignFile(t, path, foreignColumns(rows), 2, props...)
			sameRows(t, readDB(t, path, Filter{}), twice)
			db, err := Open(path)
			if err != nil || db.Parts()[0].Digested {
				t.Errorf("digested: %v", err)
			}
		})
	}
}

// TestForeignFilesMayLackColumns leaves out all that may be null, and the class.
func TestForeignFilesMayLackColumns(t *testing.T) {
	rows := goodRows(32, 500)
	path := filepath.Join(t.TempDir(), "f.parquet")
	foreignFile(t, path, without(foreignColumns(rows), "source", "method", "trials", "equity_se", "class"), 1)
	want := append([]Row{}, rows...)
	for i := range want {
		want[i].Source, want[i].Method, want[i].HasTrials, want[i].Trials, want[i].HasSE, want[i].EquitySE = "", "", false, 0, false, 0
	}
	sameRows(t, readDB(t, path, Filter{}), want)

	foreignFile(t, path, without(foreignColumns(rows), append([]string{"class"}, OutputColumns[:]...)...), 1)
	for i, r := range readDB(t, path, Filter{}) {
		if r.HasOutputs || r.Key != rows[i].Key || r.Class != rows[i].Class {
			t.Fatalf("row %d: %+v", i, r)
		}
	}
}

func TestForeignFileErrors(t *testing.T) {
	rows := randomRows(33, 100)
	for i := range rows {
		rows[i].HasOutputs, rows[i].Outputs = true, bg.Outputs{0.5}
	}
	path := filepath.Join(t.TempDir(), "f.parquet")
	cols := foreignColumns(rows)
	bytesColumn := func(name string, at func(i int) string) foreignColumn {
		return foreignColumn{schema.NewByteArrayNode(name, parquet.Repetitions.Required, -1),
			func(w file.ColumnChunkWriter) error {
				var values []parquet.ByteArray
				for i := range rows {
					values = append(values, parquet.ByteArray(at(i)))
				}
				_, err := w.(*file.ByteArrayColumnChunkWriter).WriteBatch(values, nil, nil)
				return err
			}, name}
	}
	oneNull := func(name string) foreignColumn {
		return foreignColumn{schema.NewFloat64Node(name, parquet.Repetitions.Optional, -1),
			func(w file.ColumnChunkWriter) error {
				levels := make([]int16, len(rows))
				for i := range levels[:len(levels)-1] {
					levels[i] = 1
				}
				_, err := w.(*file.Float64ColumnChunkWriter).WriteBatch(make([]float64, len(rows)), levels, nil)
				return err
			}, name}
	}
	key := func(i int) string { return string(rows[i].Key[:]) }
	for want, c := range map[string][]foreignColumn{
		"no column position":           without(cols, "position"),
		"some of the columns win, win": without(cols, "win_gammon"),
		"column win has type BYTE_ARRAY, expected FLOAT": append(without(cols, "win"),
			bytesColumn("win", key)),
		"row 100: some of the outputs are null, win or lose_gammon": append(without(cols, "lose_gammon"),
			oneNull("lose_gammon")),
		"column position: a position of 9 bytes, expected 10": append(without(cols, "position"),
			bytesColumn("position", func(i int) string { return key(i)[1:] })),
		// A dictionary holds it once, packed into a few bytes: rows would hold it a million times.
		"a string of 65537 bytes, at most 65536 expected": append(without(cols, "source"),
			bytesColumn("source", func(int) string { return strings.Repeat("x", maxText+1) })),
		`row 3: class "Contact" is none of`: append(without(cols, "class"), bytesColumn("class", func(i int) string {
			if i == 2 {
				return "Contact"
			}
			return rows[i].Class.String()
		})),
	} {
		foreignFile(t, path, c, 1)
		if _, err := readAll(path); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), path) {
			t.Errorf("error %v, want %q", err, want)
		}
	}

	foreignFile(t, path, cols, 1, parquet.WithDictionaryDefault(false),
		parquet.WithEncodingFor("trials", parquet.Encodings.DeltaBinaryPacked))
	if _, err := readAll(path); err == nil || !strings.Contains(err.Error(),
		"column trials: values in encoding 5 are not supported") {
		t.Errorf("error %v", err)
	}
}

// goodRows returns random rows that CheckRow passes.
func goodRows(seed uint64, n int) []Row {
	rng := rand.New(rand.NewPCG(seed, 1))
	rows := make([]Row, 0, n)
	for len(rows) < n {
		if r := randomRow(rng); CheckRow(&r) == nil {
			rows = append(rows, r)
		}
	}
	return rows
}

// TestImpossibleRowsOfOtherProgramsAreRefused has a bad row in a foreign file.
func TestImpossibleRowsOfOtherProgramsAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.parquet")
	for name, spoil := range map[string]func(r *Row){
		"win is +Inf":   func(r *Row) { r.Outputs[bg.Win] = float32(math.Inf(1)) },
		"win is 1e+30":  func(r *Row) { r.Outputs[bg.Win] = 1e30 },
		"win is -0.5":   func(r *Row) { r.Outputs[bg.Win] = -0.5 },
		"class is":      func(r *Row) { r.Class = bg.Contact + bg.Race - r.Class },
		"equity_se is":  func(r *Row) { r.EquitySE, r.HasSE = -1, true },
		"trials is":     func(r *Row) { r.Trials, r.HasTrials = 0, true },
		"lose_gammon":   func(r *Row) { r.Outputs = bg.Outputs{0.5, 0, 0, 0.75} },
		"the game is o": func(r *Row) { r.Key = (&bg.Board{Opp: bg.Side{5: 15}}).Key() },
	} {
		rows := goodRows(34, 50)
		b := bg.Start
		rows[7] = Row{Key: b.Key(), Class: bg.Contact, Outputs: bg.Outputs{0.5, 0.1, 0, 0.1}, HasOutputs: true}
		spoil(&rows[7])
		foreignFile(t, path, foreignColumns(rows), 1)
		if _, err := readAll(path); err == nil || !strings.Contains(err.Error(), "read "+path+": row 8: ") ||
			!strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
		var bad Counts
		if got := readDB(t, path, Filter{SkipBad: true, Bad: &bad}); len(got) != 49 || bad.Total() != 1 {
			t.Errorf("%s: %d rows without the bad one, bad %v", name, len(got), &bad)
		}
		if got := readDB(t, path, Filter{Unchecked: true}); len(got) != 50 {
			t.Errorf("%s: %d rows unchecked", name, len(got))
		}
		if _, err := Merge(t.Context(), openAll(t, path), path+".merged", MergeOptions{}); err == nil {
			t.Errorf("%s: merged", name)
		}
		v, err := Validate(t.Context(), openAll(t, path)[0])
		if err != nil || v.Bad.Total() != 1 {
			t.Errorf("%s: validate %v, %v", name, &v.Bad, err)
		}
	}
}
