package job

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"bgtrain/dataset"
	"bgtrain/internal/bgtest"
	"bgtrain/internal/identity"
)

// One file holds what the directory of parts holds, in the same order; nothing is
// there under its name before it is whole, it goes on from the parts, and they are
// gone when it is done.
func TestOneFile(t *testing.T) {
	boards := bgtest.Distinct(5, 100)
	dir := t.TempDir()
	in := writeDB(t, filepath.Join(dir, "in.parquet"), boards)
	d := Database{Input: in, Output: filepath.Join(dir, "out.parquet"), Chunk: 10, Command: "test"}
	parts := d.Output + partsSuffix
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
	if _, err := os.Stat(d.Output); err == nil {
		t.Error("there is a file after an interrupted run")
	}
	made := func(step string, rows, earlier int64) {
		t.Helper()
		damaged, last := 0, 0
		rep, err := d.Make(t.Context(), j, Local{2}, Hooks{Damaged: func(string, error) { damaged++ },
			Progress: func(done, _ int) { last = done }})
		if err != nil {
			t.Fatalf("%s: %v", step, err)
		}
		if rep.Rows+rep.Earlier != 100 || rows >= 0 && (rep.Rows != rows || rep.Earlier != earlier) || last != 100 {
			t.Errorf("%s: %+v, progress to %d", step, rep, last)
		}
		checkMarked(t, d.Output, boards)
		if _, err := os.Stat(parts); err == nil {
			t.Errorf("%s: the parts are still there", step)
		}
		m := openDB(t, d.Output).Meta()
		if m.Part != 0 || m.Parts != 0 || m.Seed != "1" || m.Command != "test" || m.Extra["settings"] != "a" ||
			m.Extra[MetaInput] == "" {
			t.Errorf("%s: metadata %+v", step, m)
		}
	}
	made("goes on", -1, 0)
	first, err := os.ReadFile(d.Output)
	if err != nil {
		t.Fatal(err)
	}
	made("again", 0, 100)

	// Killed while the parts were removed: what is left of them goes too.
	if err := os.Mkdir(parts, 0o777); err != nil {
		t.Fatal(err)
	}
	writeDB(t, filepath.Join(parts, dataset.PartName(7)), boards[:3])
	made("parts left", 0, 100)

	// Damage is made again.
	if err := os.Truncate(d.Output, 500); err != nil {
		t.Fatal(err)
	}
	made("damaged", 100, 0)
	if again, err := os.ReadFile(d.Output); err != nil || !slices.Equal(again, first) {
		t.Errorf("made again it is another file; %v", err)
	}

	// What was made in another way is refused, and stays.
	for name, change := range map[string]func(d *Database, j *Job){
		"seed":     func(_ *Database, j *Job) { j.ID = identity.ID{"seed": "2", "settings": "a"} },
		"settings": func(_ *Database, j *Job) { j.ID = identity.ID{"seed": "1"} },
		"chunk":    func(d *Database, _ *Job) { d.Chunk = 20 },
	} {
		d2, j2 := d, *j
		change(&d2, &j2)
		_, err := d2.Make(t.Context(), &j2, Local{1}, Hooks{})
		if !errors.Is(err, identity.ErrOther) || !strings.Contains(err.Error(), "choose another name") {
			t.Errorf("%s: error %v, %v expected", name, err, identity.ErrOther)
		}
	}
	if again, err := os.ReadFile(d.Output); err != nil || !slices.Equal(again, first) {
		t.Errorf("refused, it is another file; %v", err)
	}
	d.Shards = 2
	if _, err := d.Make(t.Context(), j, Local{1}, Hooks{}); err == nil || !strings.Contains(err.Error(), "shards") {
		t.Errorf("shards of a file: %v", err)
	}
	d.Shards, d.Output = 0, filepath.Join(dir, "dir.parquet")
	if err := os.Mkdir(d.Output, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Make(t.Context(), j, Local{1}, Hooks{}); err == nil ||
		!strings.Contains(err.Error(), "it is a directory") {
		t.Errorf("a directory of that name: %v", err)
	}
	d.Output += "/"
	if _, err := d.Make(t.Context(), j, Local{1}, Hooks{}); err != nil {
		t.Error(err)
	}
	checkMarked(t, strings.TrimRight(d.Output, "/"), boards)
}

// With Replace, the database of another run gives way, in either form; without, it is
// refused and stays.
func TestReplace(t *testing.T) {
	boards := bgtest.Distinct(6, 60)
	for _, name := range []string{"out.parquet", "out"} {
		dir := t.TempDir()
		in := writeDB(t, filepath.Join(dir, "in.parquet"), boards)
		d := Database{Input: in, Output: filepath.Join(dir, name), Chunk: 10}
		one, two := markJob(identity.ID{"seed": "1"}, 1), markJob(identity.ID{"seed": "2"}, 1)
		if _, err := d.Make(t.Context(), one, Local{1}, Hooks{}); err != nil {
			t.Fatal(err)
		}
		d.Chunk = 20 // fewer parts
		if _, err := d.Make(t.Context(), two, Local{1}, Hooks{}); !errors.Is(err, identity.ErrOther) ||
			!strings.Contains(err.Error(), "--force replaces it") {
			t.Errorf("%s: error %v", name, err)
		}
		d.Replace = true
		rep, err := d.Make(t.Context(), two, Local{1}, Hooks{})
		if err != nil || rep.Rows != 60 {
			t.Fatalf("%s: %+v, %v", name, rep, err)
		}
		checkMarked(t, d.Output, boards)
		if m := openDB(t, d.Output).Meta(); m.Seed != "2" {
			t.Errorf("%s: of seed %s", name, m.Seed)
		}
		if rep, err := d.Make(t.Context(), two, Local{1}, Hooks{}); err != nil || rep.Rows != 0 {
			t.Errorf("%s, again: %+v, %v", name, rep, err)
		}
	}
}
