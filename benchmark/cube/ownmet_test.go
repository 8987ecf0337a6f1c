package cube

import (
	"math"
	"strings"
	"testing"

	"bgtrain/benchmark/cube/met"
)

// Without gammons and with a dead cube every game is one point: the chances are
// those of a fair coin.
func TestNewTableIsACoin(t *testing.T) {
	s := TableSettings{Length: 2, Model: Dead{}}
	table, err := NewTable(s)
	if err != nil {
		t.Fatal(err)
	}
	if p := table.Pre(2, 1); math.Abs(p-0.25) > 1e-9 {
		t.Errorf("2 away against 1 away: %v", p) // wins this game, then an even one
	}
	if p := table.Post(2); math.Abs(p-0.5) > 1e-9 {
		t.Errorf("2 away against 1 after the Crawford game: %v", p) // doubles at once
	}
}

func TestNewTableNearPublished(t *testing.T) {
	table, err := NewTable(TableSettings{Length: 15, Gammons: 0.27, Backgammons: 0.01, Spread: 0.03,
		Model: Janowski{0.7, 0.7}})
	if err != nil {
		t.Fatal(err)
	}
	if d := met.Compare(table, defaultTable(t), 15); d.Scores != 105 || d.Mean > 0.006 || d.Largest > 0.02 ||
		d.PostMean > 0.02 {
		t.Errorf("%+v", d)
	}
	// More gammons help the trailer.
	more, err := NewTable(TableSettings{Length: 15, Gammons: 0.4, Spread: 0.03, Model: Janowski{0.7, 0.7}})
	if err != nil {
		t.Fatal(err)
	}
	for away := 2; away <= 15; away++ {
		if more.Pre(away, 1) <= table.Pre(away, 1) {
			t.Errorf("%d away against 1: %v with more gammons, %v", away, more.Pre(away, 1), table.Pre(away, 1))
		}
	}
}

func TestTableSettings(t *testing.T) {
	good := TableSettings{Length: 5, Gammons: 0.2, Backgammons: 0.01, Spread: 0.03, Model: Dead{}}
	for want, change := range map[string]func(*TableSettings){
		"2 to 64": func(s *TableSettings) { s.Length = 1 }, "2 to 64 ": func(s *TableSettings) { s.Length = 65 },
		"from 0 to 1": func(s *TableSettings) { s.Gammons = 1.1 }, "among the gammons": func(s *TableSettings) { s.Backgammons = 0.3 },
		"spread": func(s *TableSettings) { s.Spread = math.NaN() }, "no cube model": func(s *TableSettings) { s.Model = nil },
	} {
		s := good
		change(&s)
		if _, err := NewTable(s); err == nil || !strings.Contains(err.Error(), strings.TrimSpace(want)) {
			t.Errorf("%v, %q expected", err, want)
		}
	}
}
