package match

import (
	"math"
	"reflect"
	"testing"

	"bgtrain/benchmark/opponents"
	"bgtrain/data"
	"bgtrain/internal/bgtest"
	"bgtrain/internal/cube"
	"bgtrain/internal/cube/met"
	"bgtrain/internal/player"
	"bgtrain/internal/stats"
)

func TestNetMatchDoesNotDependOnWorkers(t *testing.T) {
	a, b := bgtest.Player(t, 1), bgtest.Player(t, 2)
	var first []Game
	games, numbers := 12, []int{1, 2, 7}
	if testing.Short() {
		games, numbers = 4, []int{1, 3}
	}
	for _, workers := range numbers {
		m := play(t, &opponents.NetPlayer{Net: a, Label: "a"}, &opponents.NetPlayer{Net: b, Label: "b"}, Options{
			Games: games, Seed: 4, Workers: workers, Cube: &[2]cube.Model{cube.Janowski{Life: 0.7, Opponent: 0.7},
				cube.Janowski{Life: 0.5, Opponent: 0.5}}, Luck: a})
		if first == nil {
			first = m.Games
		} else if !reflect.DeepEqual(first, m.Games) {
			t.Errorf("%d workers play other games", workers)
		}
	}
}

// The luck of a roll, averaged over the rolls, is zero.
func TestLuckIsFair(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long, and shares nothing that shorter tests do not")
	}
	l := newLuckMeter(bgtest.Player(t, 1), nil)
	cubeful := newLuckMeter(bgtest.Player(t, 1), &[2]cube.Model{cube.GNUbg{}, cube.GNUbg{}})
	at := cube.State{Cube: 2, Owner: cube.OpponentOwned, Table: defaultTable(t), Away: 3, Opponent: 5}
	for i, b := range bgtest.Positions(200) {
		for _, opening := range []bool{false, true} {
			sum, atScore := 0.0, 0.0
			for d1 := 1; d1 <= 6; d1++ {
				for d2 := 1; d2 <= 6; d2++ {
					if !opening || d1 != d2 {
						sum += l.measure(&b, d1, d2, opening, &cube.Money)
						if i < 20 {
							atScore += cubeful.measure(&b, d1, d2, opening, &at)
						}
					}
				}
			}
			if math.Abs(sum) > 1e-5 || math.Abs(atScore) > 1e-9 {
				t.Fatalf("position %d: luck %v, at a score %v", i, sum, atScore)
			}
		}
	}
}

// Points less luck have the mean of points, and where the luck is measured by
// what the players aim at, a smaller variance.
func TestLuckAdjustment(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long, and shares nothing that shorter tests do not")
	}
	p := bgtest.Player(t, 1)
	n := &opponents.NetPlayer{Net: p, Label: "a"}
	s := play(t, n, n, Options{Games: 60, Seed: 4, Luck: p}).Summary()
	if s.Adjusted == nil || math.Abs(s.Adjusted.Mean-s.Points.Mean) > 5*(s.Adjusted.SE+s.Points.SE) {
		t.Errorf("points %+v, adjusted %+v", s.Points, s.Adjusted)
	}
	// An exchange of seats turns it round.
	d := play(t, n, n, Options{Games: 10, Seed: 4, Luck: p, Duplicate: true}).Summary()
	if math.Abs(d.Adjusted.Mean) > 1e-12 || d.Adjusted.SE > 1e-12 {
		t.Errorf("duplicate dice: adjusted %+v", d.Adjusted)
	}
}

func BenchmarkPubEvalGame(b *testing.B) {
	m, _ := opponents.PubEval{}.NewMover()
	g := game{movers: [2]opponents.Mover{m, m}}
	b.ReportAllocs()
	for i := uint64(0); b.Loop(); i++ {
		if _, err := g.play(NewDice(1, i), 0); err != nil {
			b.Fatal(err)
		}
	}
}

// Match-winning chances less luck have the mean of the results, whoever measures the luck,
// as points with the cube do; measured by a player that knows the game, most of the
// variance is gone.
func TestLuckOfMatches(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long, and shares nothing that shorter tests do not")
	}
	a := &opponents.NetPlayer{Net: bgtest.Player(t, 1), Label: "a"}
	b := &opponents.NetPlayer{Net: bgtest.Player(t, 2), Label: "b"}
	models := &[2]cube.Model{cube.Janowski{Life: 0.7, Opponent: 0.7}, cube.Live{}}
	for _, length := range []int{0, 2} {
		o := Options{Games: 100, Seed: 4, Length: length, Cube: models, Luck: a.Net}
		if length > 0 {
			o.Games, o.Table = 40, defaultTable(t)
		}
		var luck stats.Tally
		for _, g := range play(t, a, b, o).Games {
			luck.Add(g.Luck)
		}
		if l := luck.Stat(); !(l.SE > 0) || math.Abs(l.Mean) > 4*l.SE {
			t.Errorf("length %d: the luck of %d games is %+v", length, o.Games, l)
		}
	}
	f, err := data.OpenNet("td")
	if err != nil {
		t.Fatal(err)
	}
	p, err := player.New(f, nil, player.Options{CacheMB: 1})
	if err != nil {
		t.Fatal(err)
	}
	td := &opponents.NetPlayer{Net: p, Label: "td", Objective: opponents.Match}
	s := play(t, td, td, Options{Games: 8, Seed: 4, Length: 2, Table: defaultTable(t), Cube: models, Luck: p}).Summary()
	if s.Adjusted != nil || s.AdjustedWins == nil || s.AdjustedWins.SE > 0.6*s.Wins.SE ||
		math.Abs(s.AdjustedWins.Mean-s.Wins.Mean) > 4*s.Wins.SE || math.Abs(s.AdjustedWins.Mean-0.5) > 0.25 {
		t.Errorf("won %+v, less luck %+v", s.Wins, s.AdjustedWins)
	}
}

func defaultTable(t testing.TB) *met.Table {
	t.Helper()
	table, err := met.Open("")
	if err != nil {
		t.Fatal(err)
	}
	return table
}
