package cube

import (
	"math"
	"strings"
	"testing"

	"bgtrain/internal/cube/met"
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

// What explains the difference from the published table after the Crawford game: the
// leader drops at the first chance, whose distance from one half is that of recorded
// games, and the trailer wins more gammons than for money. Each half explains a part,
// where it should.
func TestPostCrawfordExplained(t *testing.T) {
	published := defaultTable(t)
	compute := func(trailer, first float64) (*met.Table, met.Difference) {
		t.Helper()
		table, err := NewTable(TableSettings{Length: 15, Gammons: 0.27, Backgammons: 0.01, Spread: 0.03,
			Model: Jump{Volatility: AverageVolatility}, TrailerGammons: trailer, FirstChance: first})
		if err != nil {
			t.Fatal(err)
		}
		return table, met.Compare(table, published, 15)
	}
	_, neither := compute(0, 0)
	drop, withDrop := compute(0, 0.0283)
	gammons, withGammons := compute(0.29, 0)
	both, withBoth := compute(0.29, 0.0283)
	if !(withDrop.PostMean < 0.5*neither.PostMean && withGammons.PostMean < 0.9*neither.PostMean &&
		withBoth.PostMean < 0.2*withDrop.PostMean && withBoth.PostMean < 0.001 && withBoth.PostLargest < 0.0025) {
		t.Errorf("neither %+v, drop %+v, gammons %+v, both %+v", neither, withDrop, withGammons, withBoth)
	}
	for away := 3; away <= 13; away++ {
		// An odd number of points is missing: nobody drops, gammons alone tell.
		off := math.Abs(gammons.Post(away) - both.Post(away))
		if away%2 == 1 && off > 0.004 || away%2 == 0 && off < 0.001 {
			t.Errorf("%d away: %v with the free drop, %v without", away, both.Post(away), gammons.Post(away))
		}
		if both.Post(away) <= drop.Post(away) {
			t.Errorf("%d away: %v with more gammons, %v", away, both.Post(away), drop.Post(away))
		}
	}
	// 2 away the leader's gain is half the mean distance, and gammons are no use.
	if v := drop.Post(2); math.Abs(v-(0.5-0.0283/2)) > 1e-4 || both.Post(2) != v {
		t.Errorf("2 away: %v, with gammons %v", v, both.Post(2))
	}
	// 3 away, of games that nobody drops: one half of (1 + share of gammons) / 2.
	if v := both.Post(3); math.Abs(v-0.25*1.29) > 1e-4 {
		t.Errorf("3 away: %v", v)
	}
	// Without a leader's chance to drop on a good roll, the coin again.
	coin, err := NewTable(TableSettings{Length: 5, Model: Dead{}, FirstChance: 1e-9})
	if err != nil || math.Abs(coin.Post(2)-0.5) > 1e-6 || math.Abs(coin.Post(4)-0.25) > 1e-6 {
		t.Errorf("%v %v, %v", coin.Post(2), coin.Post(4), err)
	}
}

func TestTableSettings(t *testing.T) {
	good := TableSettings{Length: 5, Gammons: 0.2, Backgammons: 0.01, Spread: 0.03, Model: Dead{}}
	for want, change := range map[string]func(*TableSettings){
		"2 to 64": func(s *TableSettings) { s.Length = 1 }, "length 65": func(s *TableSettings) { s.Length = 65 },
		"gammons 1.1": func(s *TableSettings) { s.Gammons = 1.1 }, "among the gammons": func(s *TableSettings) { s.Backgammons = 0.3 },
		"spread": func(s *TableSettings) { s.Spread = math.NaN() }, "no cube model": func(s *TableSettings) { s.Model = nil },
		"trailer-gammons 1.1":   func(s *TableSettings) { s.TrailerGammons = 1.1 },
		"gammons 0.2 and 0.005": func(s *TableSettings) { s.TrailerGammons = 0.005 },
		"first-chance -0.1":     func(s *TableSettings) { s.FirstChance = -0.1 },
	} {
		s := good
		change(&s)
		if _, err := NewTable(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, %q expected", err, want)
		}
	}
}
