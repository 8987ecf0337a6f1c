package analyze

import (
	"bgtrain/dataset/matchfile"
	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/player"
)

// Plays judges the legal plays of a roll while a match is played, best first: as many as the
// settings keep, and the one that the action makes, if it makes one. at is the state as the
// player sees it.
func (s *Settings) Plays(e *player.Evaluator, m *matchfile.Match, a *matchfile.Action, at *cube.State) []Candidate {
	return candidates(e, a, s.Ply, s.Candidates, s.value(m, at, e))
}

// Cube judges the cube of a position while a match is played, and what somebody did: double,
// no double, take or pass. b and at are as the player on roll sees them. Without a model the
// cube is taken to be turned once at most.
func (s *Settings) Cube(e *player.Evaluator, b *bg.Board, at *cube.State, did string) (Decision, cube.Position) {
	model := s.Model
	if model == nil {
		model = cube.Dead{}
	}
	p := cube.PositionAt(e, b, s.Ply, model)
	d := Decision{Kind: Double, Board: *b, State: *at, Did: did}
	if did == didTake || did == didPass {
		d.Kind = Answer
	}
	d.setCube(cube.Decide(model, &p, at))
	return d, p
}

// Merge adds what other decisions come to.
func (s *Sum) Merge(o *Sum) {
	s.Plays, s.Forced, s.PlayLoss = s.Plays+o.Plays, s.Forced+o.Forced, s.PlayLoss+o.PlayLoss
	s.Cubes, s.Close, s.CubeLoss = s.Cubes+o.Cubes, s.Close+o.Close, s.CubeLoss+o.CubeLoss
	s.Errors, s.Blunders, s.Cost = s.Errors+o.Errors, s.Blunders+o.Blunders, s.Cost+o.Cost
	s.Rolls, s.Luck, s.LuckCost = s.Rolls+o.Rolls, s.Luck+o.Luck, s.LuckCost+o.LuckCost
}
