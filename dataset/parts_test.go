package dataset

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"bgtrain/internal/bg"
	"bgtrain/internal/cpu"
)

func TestDirectoryOfParts(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	rows := randomRows(3, 2500)
	writeDB(t, dir, rows, Options{RowsPerPart: 1000, Meta: Meta{Seed: "7"}})
	db, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i, p := range db.Parts() {
		got = append(got, filepath.Base(p.Path))
		if p.Meta.Part != i+1 || p.Meta.Seed != "7" || !p.Digested {
			t.Errorf("part %+v", p)
		}
	}
	if want := []string{"part-00001.parquet", "part-00002.parquet", "part-00003.parquet"}; !slices.Equal(got, want) {
		t.Errorf("parts %v, want %v", got, want)
	}
	if missing, total := db.Missing(); len(missing) != 0 || total != 3 {
		t.Errorf("missing %v of %d", missing, total)
	}
	sameRows(t, readDB(t, dir, Filter{}), rows)
}

func TestMissingPartsAreAnError(t *testing.T) {
	rows := randomRows(4, 2500)
	for lost, want := range map[string]string{
		"part-00002.parquet": "parts are missing: [2] of 3",
		"part-00003.parquet": "parts are missing: [3]",
	} {
		dir := filepath.Join(t.TempDir(), "db")
		writeDB(t, dir+"/", rows, Options{RowsPerPart: 1000})
		if err := os.Remove(filepath.Join(dir, lost)); err != nil {
			t.Fatal(err)
		}
		db, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range db.Rows(context.Background(), Filter{}) {
			if !errors.Is(err, ErrMissingParts) || !strings.Contains(err.Error(), want) {
				t.Errorf("without %s: error %v", lost, err)
			}
		}
		info, err := Describe(context.Background(), db)
		if err != nil || len(info.Missing) != 1 {
			t.Errorf("without %s: info %+v, %v", lost, info, err)
		}
		kept := slices.Concat(rows[:1000], rows[2000:])
		if lost == "part-00003.parquet" {
			kept = rows[:2000]
		}
		sameRows(t, readDB(t, dir, Filter{Partial: true}), kept)
	}
}

func TestWriterKeepsNothingWithoutClose(t *testing.T) {
	for _, name := range []string{"db.parquet", "db/"} {
		dir := t.TempDir()
		w, err := Create(filepath.Join(dir, "")+"/"+name, Options{})
		if err != nil {
			t.Fatal(err)
		}
		rows := randomRows(5, 10)
		for i := range rows {
			if err := w.Write(&rows[i]); err != nil {
				t.Fatal(err)
			}
		}
		w.Abort()
		if err := w.Write(&rows[0]); err == nil {
			t.Errorf("%s: wrote after Abort", name)
		}
		if left, _ := os.ReadDir(dir); len(left) != 0 {
			t.Errorf("%s: left %v", name, left)
		}
	}
}

func TestCreateRefuses(t *testing.T) {
	dir := t.TempDir()
	full := filepath.Join(dir, "full")
	if err := os.MkdirAll(filepath.Join(full, "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		full:                                   "it is a directory",
		full + "/":                             "exists and is not empty",
		filepath.Join(dir, "none", "db"):       "no such file",
		filepath.Join(dir, "none", "db") + "/": "no such file",
		"/":                                    "no file name",
	} {
		if _, err := Create(path, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Create(%s): %v, want %q", path, err, want)
		}
	}
}

func TestWriterRefusesRows(t *testing.T) {
	good := randomRows(6, 1)[0]
	good.HasOutputs = true
	for want, spoil := range map[string]func(r *Row){
		"class over has no place":    func(r *Row) { r.Class = bg.Over },
		"class unknown has no place": func(r *Row) { r.Class = bg.NumClasses },
		"lose_gammon is NaN":         func(r *Row) { r.Outputs[bg.LoseGammon] = nan32 },
		"equity_se is NaN":           func(r *Row) { r.HasSE, r.EquitySE = true, nan32 },
		"trials is -3":               func(r *Row) { r.HasTrials, r.Trials = true, -3 },
	} {
		path := filepath.Join(t.TempDir(), "db")
		w, err := Create(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		bad := good
		spoil(&bad)
		if err := errors.Join(w.Write(&good), w.Write(&bad)); err == nil ||
			!strings.Contains(err.Error(), "row 2: "+want) {
			t.Errorf("error %v, want %q", err, want)
		}
		if err := w.Close(); err == nil {
			t.Error("Close after a bad row")
		}
		if _, err := os.Stat(path); err == nil {
			t.Error("a file is there after a bad row")
		}
		w.Abort()
	}
}

func TestSameRowsMakeTheSameFile(t *testing.T) {
	dir := t.TempDir()
	rows := randomRows(8, 3000)
	m := Meta{Command: "bgtrain test", Seed: "1", Net: "abc", Extra: map[string]string{"b": "2", "a": "1"}}
	var files [2][]byte
	for i := range files {
		path := filepath.Join(dir, "db")
		writeDB(t, path, rows, Options{Meta: m})
		var err error
		if files[i], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
		db, err := Open(path)
		if err != nil || !reflect.DeepEqual(db.Meta(), m) {
			t.Fatalf("meta %+v, %v", db.Meta(), err)
		}
	}
	if string(files[0]) != string(files[1]) {
		t.Error("two files with the same rows differ")
	}
}

func TestFilterAndColumns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "db")
	rows := randomRows(9, RowGroupRows+5000)
	writeDB(t, path, rows, Options{})
	var want []Row
	for _, r := range rows {
		if r.Class == bg.Race || r.Class == bg.Crashed {
			want = append(want, r)
		}
	}
	classes := []bg.Class{bg.Crashed, bg.Race}
	sameRows(t, readDB(t, path, Filter{Classes: classes}), want)

	for i := range want {
		want[i] = Row{Key: want[i].Key, Class: want[i].Class, Outputs: want[i].Outputs, HasOutputs: want[i].HasOutputs}
	}
	sameRows(t, readDB(t, path, Filter{Classes: classes, Columns: ColOutputs}), want)
}

func TestReadRowGroupsInAnyOrder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "db")
	rows := randomRows(10, RowGroupRows+100)
	writeDB(t, path, rows, Options{})
	db, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	var b Batch
	for _, g := range []int{1, 0, 1} {
		if err := new(groupReader).read(db, g, &Filter{}, &b); err != nil {
			t.Fatal(err)
		}
		if b.Len() != db.RowGroupRows(g) || b.RowGroup != g || b.FirstRow != int64(g*RowGroupRows) {
			t.Fatalf("batch of %d rows from row %d, group %d", b.Len(), b.FirstRow, b.RowGroup)
		}
		if got, want := b.Row(50), rows[g*RowGroupRows+50]; got != want {
			t.Fatalf("row %+v, want %+v", got, want)
		}
	}
}

func TestReadingStops(t *testing.T) {
	path := filepath.Join(t.TempDir(), "db")
	writeDB(t, path, randomRows(11, RowGroupRows+1), Options{})
	db, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range db.Batches(context.Background(), Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		break
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var last error
	for _, err := range db.Batches(ctx, Filter{}) {
		last = err
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("after a cancel: %v", last)
	}
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	if err := os.WriteFile(text, []byte("KEY 1 2 3 4 5\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		filepath.Join(dir, "none"): "no such file",
		dir:                        "has no part-*.parquet",
		text:                       "not a Parquet file",
	} {
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), path) {
			t.Errorf("Open(%s): %v, want %q", path, err, want)
		}
		if IsDatabase(path) {
			t.Errorf("IsDatabase(%s)", path)
		}
	}
}

// TestStrayPartsAreRefused puts a copy of a part under another name, and a part of
// another run under a right name, into a directory.
func TestStrayPartsAreRefused(t *testing.T) {
	dir := t.TempDir()
	var extra map[string]string
	part := func(name, seed string, number int) {
		writeDB(t, filepath.Join(dir, name), goodRows(uint64(number), 20),
			Options{Meta: Meta{Seed: seed, Part: number, Parts: 2, Extra: extra}})
	}
	part(PartName(1), "1", 1)
	part(PartName(2), "1", 2)
	if _, err := Open(dir); err != nil {
		t.Fatal(err)
	}
	part("part-00001 (1).parquet", "1", 1)
	if _, err := Open(dir); !errors.Is(err, ErrStrayPart) || !strings.Contains(err.Error(), "it is part 1") {
		t.Errorf("a copy: %v", err)
	}
	if err := os.Remove(filepath.Join(dir, "part-00001 (1).parquet")); err != nil {
		t.Fatal(err)
	}
	part(PartName(2), "2", 2)
	if _, err := Open(dir); !errors.Is(err, ErrStrayPart) || !strings.Contains(err.Error(), "merge joins databases") {
		t.Errorf("of another seed: %v", err)
	}
	extra = map[string]string{cpu.RoundingName: "vector"}
	part(PartName(2), "1", 2)
	if _, err := Open(dir); err != nil {
		t.Errorf("beside a part that does not name its kernels: %v", err)
	}
	extra = map[string]string{cpu.RoundingName: "portable"}
	part(PartName(1), "1", 1)
	if _, err := Open(dir); !errors.Is(err, ErrStrayPart) || !strings.Contains(err.Error(), "portable") {
		t.Errorf("of other kernels: %v", err)
	}
	extra = map[string]string{"settings": "a"}
	part(PartName(1), "1", 1)
	if _, err := Open(dir); !errors.Is(err, ErrStrayPart) {
		t.Errorf("of other settings: %v", err)
	}
}
