package job

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/bgtest"
	"bgtrain/internal/identity"
)

// writeDB writes a database of positions without outputs and opens it.
func writeDB(t testing.TB, path string, boards []bg.Board) *dataset.DB {
	t.Helper()
	w, err := dataset.Create(path, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range boards {
		row := dataset.Row{Key: boards[i].Key(), Class: dataset.ClassOf(&boards[i]), Source: "selfplay"}
		if err := w.Write(&row); err != nil {
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

func readAll(t testing.TB, path string) []dataset.Row {
	t.Helper()
	var rows []dataset.Row
	for r, err := range openDB(t, path).Rows(t.Context(), dataset.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	return rows
}

// mark is a Work whose outputs tell which position they belong to.
func mark(_ context.Context, rows []dataset.Row) ([]dataset.Row, error) {
	for i := range rows {
		rows[i].HasOutputs = true
		rows[i].Outputs[bg.Win] = float32(rows[i].Key[0]) / 256
		rows[i].Method = "test"
	}
	return rows, nil
}

func newMark() Work { return mark }

// markJob is a job of newMark with an identity.
func markJob(id identity.ID, block int) *Job { return &Job{ID: id, New: newMark, Block: block} }

func checkMarked(t *testing.T, path string, boards []bg.Board) {
	t.Helper()
	rows := readAll(t, path)
	if len(rows) != len(boards) {
		t.Fatalf("%d rows, %d expected", len(rows), len(boards))
	}
	for i, r := range rows {
		if r.Key != boards[i].Key() || r.Outputs[bg.Win] != float32(r.Key[0])/256 || r.Source != "selfplay" {
			t.Fatalf("row %d is %+v", i, r)
		}
	}
}

func TestPartsAreTheDatabase(t *testing.T) {
	boards := bgtest.Distinct(1, 43)
	for _, tt := range []struct{ chunk, block, workers int }{
		{10, 1, 1}, {10, 3, 2}, {7, 64, 7}, {5, 1, 9}, {200, 5, 3}, {43, 43, 2}, {4, 2, 0},
	} {
		dir := t.TempDir()
		in := writeDB(t, filepath.Join(dir, "in.parquet"), boards)
		d := Database{Input: in, Output: filepath.Join(dir, "out"), Chunk: tt.chunk}
		var last int64
		rep, err := d.Make(t.Context(), markJob(identity.ID{}, tt.block), Local{tt.workers},
			Hooks{Progress: func(done, _ int) { last = int64(done) }})
		if err != nil {
			t.Fatal(err)
		}
		if len(rep.Missing) > 0 || rep.Rows != 43 || rep.Parts != rep.Total || last != 43 {
			t.Errorf("%+v: %+v, progress to %d", tt, rep, last)
		}
		checkMarked(t, d.Output, boards)
	}
}

func TestPartsGoOn(t *testing.T) {
	boards := bgtest.Distinct(2, 100)
	dir := t.TempDir()
	in := writeDB(t, filepath.Join(dir, "in.parquet"), boards)
	d := Database{Input: in, Output: filepath.Join(dir, "out"), Chunk: 10}
	j := markJob(identity.ID{"seed": "1", "settings": "a"}, 1)
	stop := errors.New("stop here")
	var n atomic.Int32
	stopping := *j
	stopping.New = func() Work {
		return func(ctx context.Context, rows []dataset.Row) ([]dataset.Row, error) {
			if n.Add(1) > 55 {
				return nil, stop
			}
			return mark(ctx, rows)
		}
	}
	if _, err := d.Make(t.Context(), &stopping, Local{2}, Hooks{}); !errors.Is(err, stop) {
		t.Fatalf("error %v, %v expected", err, stop)
	}
	// A part cut off by hand, and the leftovers of a killed writer.
	if err := os.Truncate(filepath.Join(d.Output, dataset.PartName(2)), 500); err != nil {
		t.Fatal(err)
	}
	leftover := filepath.Join(d.Output, dataset.PartName(9)+".tmp-123")
	if err := os.WriteFile(leftover, []byte("PAR1"), 0o644); err != nil {
		t.Fatal(err)
	}
	damaged := 0
	rep, err := d.Make(t.Context(), j, Local{2}, Hooks{Damaged: func(string, error) { damaged++ }})
	if err != nil {
		t.Fatal(err)
	}
	if damaged != 1 || rep.Earlier < 30 || rep.Rows+rep.Earlier != 100 {
		t.Errorf("%d damaged, %+v", damaged, rep)
	}
	checkMarked(t, d.Output, boards)
	if _, err := os.Stat(leftover); err == nil {
		t.Error("the leftover is still there")
	}
	if rep, err = d.Make(t.Context(), j, Local{2}, Hooks{}); err != nil || rep.Rows != 0 {
		t.Errorf("third run: %+v, %v", rep, err)
	}

	// Anything else that changes the rows is refused, and changes nothing.
	other := func(change func(d *Database, j *Job)) {
		t.Helper()
		d2, j2 := d, *j
		change(&d2, &j2)
		if _, err := d2.Make(t.Context(), &j2, Local{1}, Hooks{}); !errors.Is(err, identity.ErrOther) {
			t.Errorf("error %v, %v expected", err, identity.ErrOther)
		}
	}
	for _, id := range []identity.ID{{"seed": "2", "settings": "a"}, {"seed": "1", "settings": "a", "net": "x"},
		{"seed": "1", "settings": "b"}, {"seed": "1", "settings": "a", "more": "c"}, {"seed": "1"}} {
		other(func(_ *Database, j *Job) { j.ID = id })
	}
	other(func(d *Database, _ *Job) { d.Chunk = 9 })
	other(func(d *Database, _ *Job) { d.Chunk = 20 })
	boards[50], boards[51] = boards[51], boards[50]
	other(func(d *Database, _ *Job) { d.Input = writeDB(t, filepath.Join(dir, "in2.parquet"), boards) })
}

func TestShards(t *testing.T) {
	boards := bgtest.Distinct(3, 95)
	dir := t.TempDir()
	in := writeDB(t, filepath.Join(dir, "in.parquet"), boards)
	out := filepath.Join(dir, "out")
	var missing [][]int
	for shard := range 3 {
		d := Database{Input: in, Output: out, Chunk: 10, Shard: shard, Shards: 3}
		rep, err := d.Make(t.Context(), markJob(identity.ID{}, 1), Local{2}, Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		missing = append(missing, rep.Missing)
		if shard == 0 {
			if got, total := openDB(t, out).Missing(); !slices.Equal(got, rep.Missing) || total != 10 {
				t.Errorf("the database misses %v of %d, the run says %v", got, total, rep.Missing)
			}
		}
	}
	want := [][]int{{2, 3, 5, 6, 8, 9}, {3, 6, 9}, nil}
	for i := range want {
		if !slices.Equal(missing[i], want[i]) {
			t.Errorf("after shard %d parts %v are missing, %v expected", i, missing[i], want[i])
		}
	}
	checkMarked(t, out, boards)
}

func TestPartsCanceled(t *testing.T) {
	dir := t.TempDir()
	in := writeDB(t, filepath.Join(dir, "in.parquet"), bgtest.Distinct(4, 50))
	ctx, cancel := context.WithCancel(t.Context())
	j := &Job{New: func() Work {
		return func(ctx context.Context, rows []dataset.Row) ([]dataset.Row, error) {
			cancel()
			<-ctx.Done()
			return nil, ctx.Err()
		}
	}}
	d := Database{Input: in, Output: filepath.Join(dir, "out"), Chunk: 10}
	if _, err := d.Make(ctx, j, Local{3}, Hooks{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, %v expected", err, context.Canceled)
	}
}

// Rows in memory come in the same chunks as those of a database, and with
// the same digest but for what keys do not have.
func TestRowsAreAnInput(t *testing.T) {
	boards := bgtest.Distinct(5, 23)
	var keys []bg.Key
	for i := range boards {
		keys = append(keys, boards[i].Key())
	}
	db := databaseInput{writeDB(t, filepath.Join(t.TempDir(), "in.parquet"), boards)}
	want := func(i int) bool { return i != 1 }
	var got, expected []bg.Key
	for c, err := range RowsOf(keys...).Chunks(t.Context(), 5, want) {
		if err != nil {
			t.Fatal(err)
		}
		for i := range c.Rows {
			got = append(got, c.Rows[i].Key)
		}
	}
	for c, err := range db.Chunks(t.Context(), 5, want) {
		if err != nil {
			t.Fatal(err)
		}
		for i := range c.Rows {
			expected = append(expected, c.Rows[i].Key)
		}
	}
	if len(got) != 18 || !slices.Equal(got, expected) {
		t.Errorf("%d positions, %d of the database", len(got), len(expected))
	}
	one, err := Digest(t.Context(), RowsOf(keys...))
	if err != nil {
		t.Fatal(err)
	}
	keys[3], keys[4] = keys[4], keys[3]
	if two, err := Digest(t.Context(), RowsOf(keys...)); err != nil || one == two {
		t.Errorf("another order has the digest %s, too (%v)", two, err)
	}
}
