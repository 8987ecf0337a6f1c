package match

import (
	"context"
	"testing"

	"bgtrain/benchmark/opponents"
	"bgtrain/data"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/cube"
	"bgtrain/internal/player"
	"bgtrain/internal/stats"
)

// BenchmarkTrailer plays games of the net fast against itself after the Crawford
// game, the trailer 4 points away having doubled at once, so that a gammon wins the
// match and costs the leader nothing more than the game, and games for money without
// a cube. It reports the share of gammons among player A's wins, A being the trailer,
// in percent with its standard error. docs/cube.md has the figures.
func BenchmarkTrailer(b *testing.B) {
	n, table := fastPlayer(b), defaultTable(b)
	var err error
	for name, start := range map[string]cube.State{
		"post-Crawford": {Cube: 2, Owner: cube.OpponentOwned, Table: table, Away: 4, Opponent: 1},
		"money":         cube.Money,
	} {
		b.Run(name, func(b *testing.B) {
			g := game{start: start}
			for seat := range g.movers {
				if g.movers[seat], err = n.NewMover(); err != nil {
					b.Fatal(err)
				}
			}
			if start.Table != nil {
				g.cube = &[2]cube.Model{cube.Dead{}, cube.Dead{}}
			}
			var wins, gammons stats.Tally
			for i := 0; b.Loop(); i++ {
				o, err := g.play(NewDice(1, uint64(i)), i&1)
				if err != nil {
					b.Fatal(err)
				}
				wins.Add(share(o.Points > 0))
				if o.Points > 0 {
					gammons.Add(share(o.Points > 1))
				}
			}
			b.ReportMetric(100*gammons.Mean, "%gammons")
			b.ReportMetric(100*gammons.Stat().SE, "±gammons")
			b.ReportMetric(100*wins.Mean, "%wins")
			b.ReportMetric(100*wins.Stat().SE, "±wins")
		})
	}
}

// fastPlayer is the net fast, which plays by the score.
func fastPlayer(b *testing.B) *opponents.NetPlayer {
	db, err := bearoff.Open(context.Background(), bearoff.Options{})
	if err != nil {
		b.Fatal(err)
	}
	set, ok, err := data.Net("fast")
	if err != nil || !ok {
		b.Fatal(ok, err)
	}
	p, err := player.New(set, db, player.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return &opponents.NetPlayer{Net: p, Objective: opponents.Match}
}

// BenchmarkObjective plays games of the net fast at scores twice with the same rolls: player A
// plays by the score and the cube model learned, and for money, against plays for money. It
// reports what A gains by the former, as an equity normalized to the cube, with its standard
// error. docs/cube.md has the figures.
func BenchmarkObjective(b *testing.B) {
	match, table := fastPlayer(b), defaultTable(b)
	money := *match
	money.Objective = opponents.Equity
	m, err := cube.ParseModel("learned")
	if err != nil {
		b.Fatal(err)
	}
	dmp := cube.State{Cube: 1, Table: table, Away: 1, Opponent: 1}
	trailer := cube.State{Cube: 2, Owner: cube.OpponentOwned, Table: table, Away: 4, Opponent: 1}
	for _, at := range []struct {
		name  string
		start cube.State
	}{{"double match point", dmp}, {"gammon-go", trailer}, {"gammon-save", trailer.Swapped()},
		{"3 away against 3", cube.State{Cube: 1, Table: table, Away: 3, Opponent: 3}}} {
		b.Run(at.name, func(b *testing.B) {
			var games [2]game
			for i, a := range []*opponents.NetPlayer{match, &money} {
				games[i] = game{start: at.start, cube: &[2]cube.Model{m, m}}
				for seat, p := range []*opponents.NetPlayer{a, &money} {
					if games[i].movers[seat], err = p.NewMover(); err != nil {
						b.Fatal(err)
					}
				}
			}
			var gained stats.Tally
			for i := 0; b.Loop(); i++ {
				var equity [2]float64
				for k := range games {
					o, err := games[k].play(NewDice(1, uint64(i)), i&1)
					if err != nil {
						b.Fatal(err)
					}
					equity[k] = at.start.Normalized(at.start.MWC(o.Points))
				}
				gained.Add(equity[0] - equity[1])
			}
			b.ReportMetric(gained.Mean, "equity")
			b.ReportMetric(gained.Stat().SE, "±equity")
		})
	}
}

// share is 1 for yes and 0 for no.
func share(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
