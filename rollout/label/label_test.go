package label

import (
	"testing"

	"bgtrain/data"
	"bgtrain/dataset"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/bgtest"
	"bgtrain/internal/player"
)

// A block of rows gets, to the bit, what its positions get one by one.
func TestBlocksAreLabeledAsSingleRows(t *testing.T) {
	set, _, err := data.Net("fast")
	if err != nil {
		t.Fatal(err)
	}
	db, err := bearoff.Open(t.Context(), bearoff.Options{Dir: t.TempDir(), TwoSidedCheckers: 2})
	if err != nil {
		t.Fatal(err)
	}
	p, err := player.New(set, db, player.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for ply := range 2 {
		var rows []dataset.Row
		for _, b := range bgtest.Positions(700 / (1 + 20*ply)) {
			rows = append(rows, dataset.Row{Key: b.Key()})
		}
		exact := bg.Board{Me: bg.Side{1}, Opp: bg.Side{1}}
		rows = append(rows, dataset.Row{Key: exact.Key()})
		if rows, err = New(p, ply).Rows(t.Context(), rows); err != nil {
			t.Fatal(err)
		}
		ev := p.NewEvaluator()
		for i := range rows {
			b, err := rows[i].Key.Board()
			if err != nil {
				t.Fatal(err)
			}
			if want := ev.Evaluate(&b, ply); rows[i].Outputs != want || !rows[i].HasOutputs {
				t.Fatalf("%d-ply, row %d: %v, alone %v", ply, i, rows[i].Outputs, want)
			}
		}
		if m := rows[len(rows)-1].Method; m != "exact bearoff" {
			t.Errorf("%d-ply: a bearoff position by %s", ply, m)
		}
	}
}
