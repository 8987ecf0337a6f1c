package match

import (
	"fmt"
	"math/rand/v2"

	"bgtrain/benchmark/cube"
	"bgtrain/benchmark/opponents"
	"bgtrain/internal/bg"
	"bgtrain/internal/splitmix"
)

// maxTurns is when a game is given up as endless. Random players need some
// hundreds of turns.
const maxTurns = 20000

// maxCube is where doubling ends.
const maxCube = 1 << 10

// dice is the sequence of rolls of a game.
type dice struct{ rng *rand.Rand }

// newDice returns the rolls of one sequence of a run.
func newDice(seed, sequence uint64) dice {
	return dice{rand.New(rand.NewPCG(splitmix.Seed(seed), splitmix.Seed(splitmix.Seed(seed)+sequence)))}
}

func (d dice) roll() (d1, d2 int) { return d.rng.IntN(6) + 1, d.rng.IntN(6) + 1 }

// opening is the first roll of a game, never a double.
func (d dice) opening() (d1, d2 int) {
	for {
		if d1, d2 = d.roll(); d1 != d2 {
			return d1, d2
		}
	}
}

// game plays games between player A (0) and player B (1).
type game struct {
	movers [2]opponents.Mover
	cube   *[2]cube.Janowski // how each handles the cube; nil: no cube
	luck   *luckMeter        // nil: luck is not measured
}

// Outcome is how a game ended, as player A sees it.
type Outcome struct {
	Points int     // won or lost, cube included
	Cube   int     // final value of the cube, 1 without one
	Passed bool    // it ended by a pass
	Luck   float64 // A's less B's, in points; 0 where it was not measured
	Turns  int     // rolls of both
}

// play plays a game; first, 0 or 1, is who makes the first play.
func (g *game) play(d dice, first int) (Outcome, error) {
	o := Outcome{Cube: 1}
	b := bg.Start
	holder := -1 // of the cube: A, B, or -1 both
	for turn := first; ; turn ^= 1 {
		sign := 1 - 2*turn // from the player on turn to A
		if g.cube != nil && o.Turns > 0 && holder != turn^1 && o.Cube < maxCube {
			action, err := g.offer(&b, turn, holder)
			if err != nil {
				return o, err
			}
			switch action {
			case passed:
				o.Points, o.Passed = sign*o.Cube, true
				return o, nil
			case taken:
				o.Cube *= 2
				holder = turn ^ 1
			}
		}
		var d1, d2 int
		if o.Turns == 0 {
			d1, d2 = d.opening()
		} else {
			d1, d2 = d.roll()
		}
		if g.luck != nil {
			o.Luck += float64(sign*o.Cube) * g.luck.measure(&b, d1, d2, o.Turns == 0)
		}
		after, err := g.movers[turn].Play(&b, d1, d2)
		if err != nil {
			return o, err
		}
		o.Turns++
		if p := after.Points(); p > 0 {
			o.Points = sign * p * o.Cube
			return o, nil
		}
		if o.Turns == maxTurns {
			return o, fmt.Errorf("game not over after %d turns", o.Turns)
		}
		b = after
	}
}

// cubeAction is what happens to the cube before a roll.
type cubeAction uint8

const (
	notOffered cubeAction = iota
	taken
	passed
)

// offer lets the player on turn double and the other answer, each by its own
// outputs and cube life.
func (g *game) offer(b *bg.Board, turn, holder int) (cubeAction, error) {
	h := cube.Centred
	if holder == turn {
		h = cube.Owned
	}
	mine, err := g.movers[turn].(opponents.Evaluator).Evaluate(b)
	if err != nil {
		return notOffered, err
	}
	if e := g.cube[turn].Equities(&mine, h); !e.Double() {
		return notOffered, nil
	}
	theirs, err := g.movers[turn^1].(opponents.Evaluator).Evaluate(b)
	if err != nil {
		return notOffered, err
	}
	if e := g.cube[turn^1].Equities(&theirs, h); e.Take() {
		return taken, nil
	}
	return passed, nil
}
