package match

import (
	"math/rand/v2"

	"bgtrain/internal/cube"
	"bgtrain/internal/splitmix"
)

// playMatch plays a match to a number of points, with the Crawford rule: the game
// after a side has come within one point of the match is played without doubling.
// first is who makes the first play of the first game; in later ones chance says.
// Each game has rolls of its own.
func (g *game) playMatch(o Options, sequence uint64, first int) (Outcome, error) {
	var all Outcome
	chance := rand.New(rand.NewPCG(splitmix.Seed(^o.Seed), splitmix.Seed(sequence)))
	crawford, played := false, false
	for all.Score[0] < o.Length && all.Score[1] < o.Length {
		g.start = cube.State{
			Cube: 1, Table: o.Table,
			Away: o.Length - all.Score[0], Opponent: o.Length - all.Score[1],
			Crawford: crawford,
		}
		begins := first
		if all.Games > 0 {
			begins = first ^ chance.IntN(2)
			if g.luck != nil {
				all.Luck += g.luck.beginning(begins, &g.start)
			}
		}
		out, err := g.play(NewDice(splitmix.Seed(o.Seed+uint64(all.Games)+1), sequence), begins)
		if err != nil {
			return all, err
		}
		all.Games++
		all.Turns += out.Turns
		all.Luck += out.Luck
		all.Cube = max(all.Cube, out.Cube)
		if out.Points > 0 {
			all.Score[0] += out.Points
		} else {
			all.Score[1] -= out.Points
		}
		played = played || crawford
		crawford = !played && (all.Score[0] == o.Length-1 || all.Score[1] == o.Length-1)
	}
	all.Points = 1
	if all.Score[1] >= o.Length {
		all.Points = -1
	}
	return all, nil
}
