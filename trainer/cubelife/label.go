package cubelife

import (
	"fmt"
	"math"

	"bgtrain/benchmark/cubestudy"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
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
}

// value returns the equities of a position by the model, or exactly; points, of the player
// on roll, if the game is over.
func (l *labeler) value(b *bg.Board, o *bg.Outputs) (v equities) {
	if points := b.Points(); points != 0 {
		for h := range v {
			v[h] = float64(-points)
		}
		return v
	}
	p := cube.PositionOf(b, o)
	if p.Class == bg.Bearoff && l.exact != nil {
		if x, ok := l.exact.Of(b); ok {
			return equities{cube.Centered: x.Centered, cube.Owned: x.Owned, cube.OpponentOwned: x.OpponentOwned}
		}
	}
	for h := range v {
		v[h] = l.model.Equity(&p, &holders[h])
	}
	return v
}

// game labels the turns of a game, last first.
func (l *labeler) game(g *cubestudy.Game, labels []equities) error {
	var next, corrected equities // of the turn after: by the model, by its label
	for k := len(g.Turns) - 1; k >= 0; k-- {
		t := &g.Turns[k]
		if t.Rolls == nil {
			return fmt.Errorf("turns without what the rolls lead to: 'cube record --rolls' keeps it")
		}
		var mean equities
		for r := range t.Rolls {
			a := &t.Rolls[r]
			b, err := a.Key.Board()
			if err != nil {
				return err
			}
			o := a.Of()
			v := l.value(&b, &o)
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
		labels[k] = mean
		next, corrected = l.value(&b, &o), mean
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
