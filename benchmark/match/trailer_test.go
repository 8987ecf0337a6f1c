package match

import (
	"context"
	"testing"

	"bgtrain/benchmark/opponents"
	"bgtrain/data"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/cube"
	"bgtrain/internal/cube/met"
	"bgtrain/internal/player"
	"bgtrain/internal/stats"
)

// BenchmarkTrailer plays games of the net fast against itself after the Crawford
// game, the trailer 4 points away having doubled at once, so that a gammon wins the
// match and costs the leader nothing more than the game, and games for money without
// a cube. It reports the share of gammons among player A's wins, A being the trailer,
// in percent with its standard error. docs/cube.md has the figures.
func BenchmarkTrailer(b *testing.B) {
	table, err := met.Open("")
	if err != nil {
		b.Fatal(err)
	}
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
	n := &opponents.NetPlayer{Net: p, Objective: opponents.Match}
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

// share is 1 for yes and 0 for no.
func share(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
