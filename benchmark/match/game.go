package match

import (
	"fmt"
	"math/rand/v2"

	"bgtrain/benchmark/opponents"
	"bgtrain/dataset/matchfile"
	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/splitmix"
)

// maxTurns is when a game is given up as endless. Random players need some
// hundreds of turns.
const maxTurns = 20000

// Dice is the sequence of rolls of a game.
type Dice struct{ rng *rand.Rand }

// NewDice returns the rolls of one sequence of a run.
func NewDice(seed, sequence uint64) Dice {
	return Dice{rand.New(rand.NewPCG(splitmix.Seed(seed), splitmix.Seed(splitmix.Seed(seed)+sequence)))}
}

// Roll is the next roll.
func (d Dice) Roll() (d1, d2 int) { return d.rng.IntN(6) + 1, d.rng.IntN(6) + 1 }

// Opening is the first roll of a game, never a double.
func (d Dice) Opening() (d1, d2 int) {
	for {
		if d1, d2 = d.Roll(); d1 != d2 {
			return d1, d2
		}
	}
}

// game plays games between player A (0) and player B (1).
type game struct {
	movers [2]opponents.Mover
	cube   *[2]cube.Model      // how each handles the cube; nil: no cube
	luck   *luckMeter          // nil: luck is not measured
	record *matchfile.Recorder // nil: games are not written down

	// start is the state at the beginning, as player A sees it: for money, or at the
	// score of a match. At a score players that can, play by it.
	start cube.State
}

// Outcome is how a game ended, as player A sees it.
type Outcome struct {
	Points int     // won or lost, cube included
	Cube   int     // final value of the cube, 1 without one
	Passed bool    // it ended by a pass
	Luck   float64 // A's less B's, in points, in a match in its chance; 0 where it was not measured
	Turns  int     // rolls of both

	// Of a match to a number of points instead, Points is 1 or -1, Cube the largest
	// cube, Turns the rolls of all its games, and these are their number and the
	// score at the end.
	Games int
	Score [2]int
}

// play plays a game; first, 0 or 1, is who makes the first play.
func (g *game) play(d Dice, first int) (Outcome, error) {
	o := Outcome{Cube: 1}
	b := bg.Start
	if g.record != nil {
		if err := g.record.BeginGame(); err != nil {
			return o, err
		}
	}
	s := g.start
	if first == 1 {
		s = s.Swapped()
	}
	for turn := first; ; turn, s = turn^1, s.Swapped() {
		sign := 1 - 2*turn // from the player on turn to A
		if g.cube != nil && o.Turns > 0 && s.MayDouble() {
			action, err := g.offer(&b, turn, &s)
			if err == nil {
				err = g.recordCube(action, turn)
			}
			if err != nil {
				return o, err
			}
			switch action {
			case passed:
				o.Points, o.Passed = sign*o.Cube, true
				return o, nil
			case taken:
				s = s.Doubled()
				o.Cube = s.Cube
			}
		}
		var d1, d2 int
		if o.Turns == 0 {
			d1, d2 = d.Opening()
		} else {
			d1, d2 = d.Roll()
		}
		if g.luck != nil {
			o.Luck += float64(sign) * g.luck.measure(&b, d1, d2, o.Turns == 0, &s)
		}
		after, err := g.move(&b, d1, d2, turn, &s)
		if err == nil && g.record != nil {
			err = g.record.Roll(turn, d1, d2, after)
		}
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

// move plays a roll: in a match by the score, and with the cube, where the player can.
func (g *game) move(b *bg.Board, d1, d2, turn int, s *cube.State) (bg.Board, error) {
	if m, ok := g.movers[turn].(opponents.ScoreMover); ok && g.cube != nil {
		return m.PlayAt(b, d1, d2, s, g.cube[turn])
	}
	return g.movers[turn].Play(b, d1, d2)
}

// offer lets the player on turn double and the other answer, each by its own
// model, and its own outputs or way.
func (g *game) offer(b *bg.Board, turn int, s *cube.State) (cubeAction, error) {
	mine, err := opponents.Decide(g.movers[turn], b, s, g.cube[turn])
	if err != nil || !mine.Action.Doubles() {
		return notOffered, err
	}
	theirs, err := opponents.Decide(g.movers[turn^1], b, s, g.cube[turn^1])
	switch {
	case err != nil:
		return notOffered, err
	case theirs.Action.Takes():
		return taken, nil
	}
	return passed, nil
}

// recordCube writes down what happened to the cube before the roll of the player on turn.
func (g *game) recordCube(action cubeAction, turn int) error {
	if g.record == nil || action == notOffered {
		return nil
	}
	if err := g.record.Double(turn); err != nil {
		return err
	}
	if action == taken {
		return g.record.Take(1 - turn)
	}
	return g.record.Drop(1 - turn)
}
