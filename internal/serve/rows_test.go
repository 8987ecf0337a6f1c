package serve

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/bgtest"
)

// The pages of a database of several row groups are its positions in order, also of a class,
// and in whatever order they are asked for.
func TestPagesOfSeveralRowGroups(t *testing.T) {
	path := filepath.Join(t.TempDir(), "db")
	w, err := dataset.Create(path, dataset.Options{RowsPerPart: 20})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	want := map[string][]string{}
	for _, b := range bgtest.Positions(100) {
		row := dataset.Row{Key: b.Key(), Class: dataset.ClassOf(&b)}
		if slices.Contains(want[""], row.Key.PositionID()) || row.Class == bg.Over {
			continue
		}
		for _, class := range []string{"", row.Class.String()} {
			want[class] = append(want[class], row.Key.PositionID())
		}
		if err := w.Write(&row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	v, err := New(Settings{Player: testPlayer(t), Files: []string{path}})
	if err != nil {
		t.Fatal(err)
	}
	db, err := dataset.Open(path)
	if err != nil || db.RowGroups() < 3 {
		t.Fatalf("%d row groups, %v", db.RowGroups(), err)
	}
	for class, ids := range want {
		pages := (len(ids) + boardsShown - 1) / boardsShown
		for page := pages - 1; page >= 0; page-- {
			wanted, err := wantedOf(map[string][]string{"class": {class}})
			if err != nil {
				t.Fatal(err)
			}
			at, err := (&source{path: path}).modified()
			if err != nil {
				t.Fatal(err)
			}
			var view databaseView
			more, err := v.fill(t.Context(), &view, db, at, wanted, page)
			var got []string
			for i := range view.Positions {
				got = append(got, view.Positions[i].ID)
			}
			part := ids[page*boardsShown : min((page+1)*boardsShown, len(ids))]
			if fmt.Sprint(got) != fmt.Sprint(part) || more != (page < pages-1) || err != nil {
				t.Errorf("%q, page %d: %q, more %v, %v; want %q", class, page+1, got, more, err, part)
			}
		}
	}
}
