package protocol

import (
	"errors"
	"strconv"
	"strings"

	"bgtrain/benchmark/opponents"
	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/cube/met"
	"bgtrain/internal/player"
)

// Brain decides: plays, and with a cube model doubles, takes and resignations. It
// serves one goroutine.
type Brain struct {
	Evaluator *player.Evaluator
	Ply       int
	Model     cube.Model // nil: never doubles
	Table     *met.Table // of matches
}

// State returns the state of a game as a player sees it who needs away points,
// and the opponent theirs; away 0 is money.
func (b *Brain) State(away, opponent, value int, owner cube.Holder, crawford bool) (cube.State, error) {
	s := cube.State{Cube: value, Owner: owner}
	if away > 0 {
		s.Table, s.Away, s.Opponent, s.Crawford = b.Table, away, opponent, crawford
	}
	return s, s.Check()
}

// Play returns the result of the best play of a roll, the opponent on roll: in a
// match the one with the best chance to win it, the cube used by the model, or never
// turned again where there is none.
func (b *Brain) Play(board *bg.Board, d1, d2 int, s *cube.State) bg.Board {
	if s.Table == nil {
		after, _ := b.Evaluator.BestPlay(board, d1, d2, b.Ply)
		return after
	}
	plays := b.Evaluator.Plays(board, d1, d2, b.Ply)
	return plays[opponents.BestAt(plays, s, b.Model)].Result
}

// Position evaluates a position, the player on roll to decide about the cube.
func (b *Brain) Position(board *bg.Board) cube.Position {
	out := b.Evaluator.Evaluate(board, b.Ply)
	p := cube.PositionOf(board, &out)
	if b.Model != nil && cube.UsesVolatility(b.Model) {
		p.Volatility = cube.LocalVolatility(b.Evaluator, board)
	}
	return p
}

// Decide judges the cube of a position: whether the player on roll doubles and
// the opponent takes. Without a model nobody doubles, and a player takes with a
// cubeless equity of -1/2 or more.
func (b *Brain) Decide(board *bg.Board, s *cube.State) cube.Decision {
	p := b.Position(board)
	if b.Model != nil {
		return cube.Decide(b.Model, &p, s)
	}
	d := cube.Decide(cube.Dead{}, &p, s)
	if d.Action.Takes() {
		d.Action = cube.NoDoubleTake
	} else {
		d.Action = cube.NoDoublePass
	}
	return d
}

// Act returns the best action of the player on roll, or, of a double that waits for an
// answer, of the opponent: a play as in "bar/20 8/5", "" where there is none, or before
// the roll roll or double, or take or drop.
func (b *Brain) Act(board *bg.Board, dice [2]int, doubled bool, s *cube.State) (string, error) {
	switch {
	case board.Me.Back() < 0 || board.Opp.Back() < 0:
		return "", errors.New("the game is over")
	case doubled && b.Decide(board, s).Action.Takes():
		return "take", nil
	case doubled:
		return "drop", nil
	case dice == [2]int{} && s.MayDouble() && b.Decide(board, s).Action.Doubles():
		return "double", nil
	case dice == [2]int{}:
		return "roll", nil
	}
	after := b.Play(board, dice[0], dice[1], s)
	steps, _ := bg.Steps(board, &after, dice[0], dice[1])
	return formatSteps(steps), nil
}

// formatSteps writes steps one by one, without marks of hits.
func formatSteps(steps []bg.Step) string {
	words := make([]string, len(steps))
	for i, s := range steps {
		from, to := strconv.Itoa(s.From), strconv.Itoa(s.To)
		if s.From == bg.Bar+1 {
			from = "bar"
		}
		if s.To == 0 {
			to = "off"
		}
		words[i] = from + "/" + to
	}
	return strings.Join(words, " ")
}
