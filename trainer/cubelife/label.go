package cubelife

import (
	"fmt"
	"math"
	"math/rand/v2"

	"bgtrain/benchmark/cubestudy"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/cube/met"
)

// holders are the states of the cube for money, by their holder.
var holders = [3]cube.State{
	cube.Centered:      cube.Money,
	cube.Owned:         {Cube: 2, Owner: cube.Owned},
	cube.OpponentOwned: {Cube: 2, Owner: cube.OpponentOwned},
}

// equities are those of the player on roll without doubling now, by the holder of the cube.
type equities [3]float64

// decided are the equities after the cube decision of the player on roll, both sides
// deciding best by e itself; in the second, what follows is worth actual.
func (e *equities) decided(actual *equities) (v equities) {
	doubled := min(2*e[cube.OpponentOwned], 1)
	for h := range v {
		switch {
		case cube.Holder(h) == cube.OpponentOwned || doubled < e[h]:
			v[h] = actual[h]
		case 2*e[cube.OpponentOwned] < 1:
			v[h] = 2 * actual[cube.OpponentOwned]
		default:
			v[h] = 1
		}
	}
	return v
}

// before turns values of the opponent, on roll after a play, round: what the play is worth
// to the player who made it, by the holder of the cube as that one sees it.
func (e *equities) before() equities {
	return equities{cube.Centered: -e[cube.Centered], cube.Owned: -e[cube.OpponentOwned],
		cube.OpponentOwned: -e[cube.Owned]}
}

// labeler labels games, for one goroutine.
type labeler struct {
	model  cube.Model
	exact  *bearoff.Cubeful // nil: none
	lambda float64

	table   *met.Table
	matches float64 // share of the turns that are labeled in a match too
}

// value returns the equities of a position by the model, or exactly; points, of the player
// on roll, if the game is over.
func (l *labeler) value(b *bg.Board, p *cube.Position) (v equities) {
	if points := b.Points(); points != 0 {
		for h := range v {
			v[h] = float64(-points)
		}
		return v
	}
	if p.Class == bg.Bearoff && l.exact != nil {
		if x, ok := l.exact.Of(b); ok {
			return equities{cube.Centered: x.Centered, cube.Owned: x.Owned, cube.OpponentOwned: x.OpponentOwned}
		}
	}
	for h := range v {
		v[h] = l.model.Equity(p, &holders[h])
	}
	return v
}

// label is what a turn is worth.
type label struct {
	money equities
	// And in a match, at a state drawn by chance; not drawn where Cube is 0.
	state cube.State
	match float64
}

// mostAway is how many points a side needs at most in matches that are trained on.
const mostAway = 11

// draw draws a state of a match in which one of the sides has a use for the cube.
func draw(rng *rand.Rand, t *met.Table) cube.State {
	for {
		s := cube.State{Table: t, Away: 1 + rng.IntN(mostAway), Opponent: 1 + rng.IntN(mostAway)}
		if s.Cube = []int{1, 1, 2, 2, 4}[rng.IntN(5)]; s.Cube > 1 {
			s.Owner = []cube.Holder{cube.Owned, cube.OpponentOwned}[rng.IntN(2)]
		}
		if s.Away > s.Cube || s.Opponent > s.Cube {
			return s
		}
	}
}

// left returns what a position after a play is worth to the opponent, on roll there, at a
// state as that one sees it: both sides decide best.
func (l *labeler) left(p *cube.Position, s *cube.State) float64 {
	if p.Class == bg.Over {
		return cube.Cubeless(&p.Outputs, s)
	}
	if !s.MayDouble() {
		return l.model.Equity(p, s)
	}
	d := cube.Decide(l.model, p, s)
	return d.Best()
}

// game labels the turns of a game, last first; rng draws scores for some of them.
func (l *labeler) game(g *cubestudy.Game, labels []label, rng *rand.Rand) error {
	var next, corrected equities // of the turn after: by the model, by its label
	for k := len(g.Turns) - 1; k >= 0; k-- {
		t := &g.Turns[k]
		if t.Rolls == nil {
			return fmt.Errorf("turns without what the rolls lead to: 'cube record --rolls' keeps it")
		}
		var mean equities
		labels[k] = label{}
		if rng.Float64() < l.matches {
			labels[k].state = draw(rng, l.table)
		}
		at := labels[k].state.Swapped()
		for r := range t.Rolls {
			a := &t.Rolls[r]
			b, err := a.Key.Board()
			if err != nil {
				return err
			}
			o := a.Of()
			p := cube.PositionOf(&b, &o)
			v := l.value(&b, &p)
			if at.Cube > 0 {
				labels[k].match -= l.left(&p, &at) * float64(bg.Rolls[r].Weight) / 36
			}
			v = v.decided(&v)
			v = v.before()
			for h := range mean {
				mean[h] += v[h] * float64(bg.Rolls[r].Weight) / 36
			}
		}
		// What came later counts where it is known by how much the model was wrong then.
		if k+1 < len(g.Turns) && l.lambda > 0 {
			was, is := next.decided(&next), next.decided(&corrected)
			was, is = was.before(), is.before()
			for h := range mean {
				mean[h] += l.lambda * (is[h] - was[h])
			}
		}
		b, err := t.Key.Board()
		if err != nil {
			return err
		}
		o := t.Of()
		labels[k].money = mean
		if l.lambda > 0 {
			p := cube.PositionOf(&b, &o)
			next, corrected = l.value(&b, &p), mean
		}
	}
	return nil
}

// volatility is the mean absolute change of the chance to win by the next roll, as
// cube.LocalVolatility has it.
func volatility(t *cubestudy.Turn) float64 {
	var after [len(bg.Rolls)]float64
	mean := 0.0
	for r := range t.Rolls {
		after[r] = 1 - float64(t.Rolls[r].Of()[bg.Win])
		mean += after[r] * float64(bg.Rolls[r].Weight) / 36
	}
	sum := 0.0
	for r, p := range after {
		sum += math.Abs(p-mean) * float64(bg.Rolls[r].Weight) / 36
	}
	return sum
}
