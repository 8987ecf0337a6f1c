package opponents

import (
	"fmt"

	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/player"
)

// ScoreMover is a Mover whose plays follow the cube and the score of a match.
type ScoreMover interface {
	// PlayAt is Play for a state of the cube and the match, as the player on roll
	// sees it, with what follows judged by a cube model.
	PlayAt(b *bg.Board, d1, d2 int, s *cube.State, model cube.Model) (bg.Board, error)
}

// CubeMover is a Mover that makes cube decisions in a way of its own.
type CubeMover interface {
	// Decide judges the decision of the player on roll.
	Decide(b *bg.Board, s *cube.State, model cube.Model) (cube.Decision, error)
}

// Decide lets a mover judge a cube decision by a model: in its own way if it has
// one, else by its outputs.
func Decide(m Mover, b *bg.Board, s *cube.State, model cube.Model) (cube.Decision, error) {
	if c, ok := m.(CubeMover); ok {
		return c.Decide(b, s, model)
	}
	return decideByOutputs(m, b, s, model)
}

func decideByOutputs(m Mover, b *bg.Board, s *cube.State, model cube.Model) (cube.Decision, error) {
	e, ok := m.(Evaluator)
	if !ok {
		return cube.Decision{}, fmt.Errorf("a player that gives no chances to win makes no cube decisions")
	}
	if cube.UsesVolatility(model) {
		return cube.Decision{}, fmt.Errorf("cube model %s is for nets", model)
	}
	o, err := e.Evaluate(b)
	if err != nil {
		return cube.Decision{}, err
	}
	p := cube.PositionOf(b, &o)
	return cube.Decide(model, &p, s), nil
}

// Decide implements CubeMover.
func (m *netMover) Decide(b *bg.Board, s *cube.State, model cube.Model) (cube.Decision, error) {
	p := cube.PositionAt(m.e, b, m.p.Ply, model)
	return cube.Decide(model, &p, s), nil
}

// PlayAt implements ScoreMover: with the objective Match it chooses the play after
// which the opponent's best cube decision leaves the most, by the model; with
// others it is Play. Models that measure volatility do so only for decisions, and
// look-ahead beyond 0-ply only preselects plays.
func (m *netMover) PlayAt(b *bg.Board, d1, d2 int, s *cube.State, model cube.Model) (bg.Board, error) {
	if m.p.Objective != Match {
		return m.Play(b, d1, d2)
	}
	cs := m.e.Plays(b, d1, d2, m.p.Ply)
	return cs[BestAt(cs, s, model)].Result, nil
}

// BestAt returns the number of the play, among those that went through all move
// filters, that leaves the opponent the least, see Leaves. s is the state as the
// player who makes the play sees it.
func BestAt(cs []player.Candidate, s *cube.State, model cube.Model) int {
	after := s.Swapped()
	best, least := 0, 0.0
	for i := range cs {
		if cs[i].Ply != cs[0].Ply {
			continue // a filter dropped it
		}
		v := Leaves(&cs[i], &after, model)
		if i == 0 || v < least {
			best, least = i, v
		}
	}
	return best
}

// Leaves is what a play leaves the opponent, who is on roll, if the cube is used by
// the model, or never turned again where that is nil: an equity normalized to the
// cube. s is the state as the opponent sees it.
func Leaves(c *player.Candidate, s *cube.State, model cube.Model) float64 {
	return leaves(nil, c, s, model)
}

// LeavesExactly is Leaves with the exact values of an evaluator's bearoff database, where
// it has some.
func LeavesExactly(e *player.Evaluator, c *player.Candidate, s *cube.State, model cube.Model) float64 {
	return leaves(e.Player().Bearoff(), c, s, model)
}

func leaves(db *bearoff.DB, c *player.Candidate, s *cube.State, model cube.Model) float64 {
	o := c.Outputs.Inverted()
	h := cube.Handling{Model: model}
	return h.Leaves(db, &c.Result, &o, s)
}
