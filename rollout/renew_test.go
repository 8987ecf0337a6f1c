package rollout

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"bgtrain/dataset"
	"bgtrain/internal/player"
)

// writeTrials writes followed trials with their ends.
func writeTrials(t *testing.T, path string, rows []dataset.Row) *dataset.DB {
	t.Helper()
	w, err := dataset.Create(path, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		if err := w.Write(&rows[i]); err != nil {
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
	return db
}

// Labels made anew by the player that made them, with the same lambda, are the same; with
// another, those that the same trials give with it, as the dice and plays are the same. By
// another player they are those of its values, and the luck stays.
func TestRenewal(t *testing.T) {
	old := randomPlayer(t, 1, 8, nil, player.Options{})
	follow := func(p *player.Player, lambda float64) []dataset.Row {
		f := newEngine(t, p, Options{Trials: 36, Truncate: 4, Seed: 3}).NewFollow(lambda, true)
		var starts []dataset.Row
		for _, b := range append(contactPositions(5, 40), race(1), race(2)) {
			starts = append(starts, dataset.Row{Key: b.Key(), Source: "here"})
		}
		rows, err := f(t.Context(), starts)
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	made := follow(old, 0.75)
	dir := t.TempDir()
	db := writeTrials(t, filepath.Join(dir, "trials.parquet"), made)
	renewed := func(by *player.Player, lambda float64, workers int) []dataset.Row {
		t.Helper()
		path := filepath.Join(t.TempDir(), "renewed.parquet")
		w, err := dataset.Create(path, dataset.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r := Renewal{Old: old, New: by, Lambda: lambda, Workers: workers}
		report, err := r.Database(t.Context(), db, w, nil)
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		out, err := dataset.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if report.Rows != out.NumRows() {
			t.Errorf("%d rows reported, %d there", report.Rows, out.NumRows())
		}
		var rows []dataset.Row
		for row, err := range out.Rows(t.Context(), dataset.Filter{}) {
			if err != nil {
				t.Fatal(err)
			}
			rows = append(rows, row)
		}
		return rows
	}
	for _, lambda := range []float64{0.75, 0.3, 1} {
		var want []dataset.Row
		for _, row := range follow(old, lambda) {
			if row.HasOutputs {
				want = append(want, row)
			}
		}
		got := renewed(old, lambda, 3)
		if len(got) != len(want) {
			t.Fatalf("lambda %g: %d rows, %d expected", lambda, len(got), len(want))
		}
		clamped := 0
		for i := range got {
			if got[i].Key != want[i].Key || got[i].Source != "here" {
				t.Fatalf("lambda %g: row %d is %s, not %s", lambda, i, got[i].Key, want[i].Key)
			}
			if d := math.Abs(float64(got[i].Outputs.Equity() - want[i].Outputs.Equity())); d > 2e-5 {
				clamped++ // labels that were moved into range keep that much of their luck
			}
		}
		if clamped > len(got)/10 {
			t.Errorf("lambda %g: %d of %d labels differ", lambda, clamped, len(got))
		}
	}
	other := randomPlayer(t, 2, 8, nil, player.Options{})
	one, two := renewed(other, 0, 1), renewed(other, 0, 2)
	moved := 0
	for i := range one {
		if one[i].Outputs != two[i].Outputs {
			t.Fatalf("row %d: %v by one worker, %v by two", i, one[i].Outputs, two[i].Outputs)
		}
		if one[i].Outputs != made[i].Outputs {
			moved++
		}
	}
	if moved == 0 {
		t.Error("another player's values change no label")
	}
}

// What are no trials with their ends are refused by row.
func TestRenewalRefuses(t *testing.T) {
	p := randomPlayer(t, 1, 8, nil, player.Options{})
	b := contactPositions(5, 1)[0]
	row := dataset.Row{Key: b.Key(), Class: dataset.ClassOf(&b), HasOutputs: true, Method: "x follow lambda=0.5"}
	end, label, odd := row, row, row
	end.HasOutputs, end.Method = false, ""
	label.Method, odd.Method = "eval ply=0", "x follow lambda=2"
	for name, c := range map[string]struct {
		rows []dataset.Row
		want string
	}{
		"no end":       {[]dataset.Row{row, end, row}, "row 2: a trial without an end"},
		"no beginning": {[]dataset.Row{row, end, end}, "row 2: the end of a trial without a beginning"},
		"no trial":     {[]dataset.Row{label, end}, `row 0: method "eval ply=0"`},
		"lambda":       {[]dataset.Row{row, odd, end}, "row 1: method"},
	} {
		db := writeTrials(t, filepath.Join(t.TempDir(), "trials.parquet"), c.rows)
		w, err := dataset.Create(filepath.Join(t.TempDir(), "renewed.parquet"), dataset.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r := Renewal{Old: p, New: p, Lambda: 1}
		if _, err := r.Database(t.Context(), db, w, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, %q expected", name, err, c.want)
		}
		w.Abort()
	}
}
