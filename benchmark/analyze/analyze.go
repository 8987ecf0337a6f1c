package analyze

import (
	"context"
	"errors"
	"fmt"

	"bgtrain/benchmark/bm"
	"bgtrain/benchmark/cube"
	"bgtrain/benchmark/cube/met"
	"bgtrain/benchmark/engine"
	"bgtrain/benchmark/opponents"
	"bgtrain/benchmark/score"
	"bgtrain/dataset/match"
	"bgtrain/internal/bg"
	"bgtrain/internal/parallel"
	"bgtrain/internal/player"
)

// Settings say how a match is judged.
type Settings struct {
	Ply        int
	Candidates int        // of a decision that are kept, besides the play made
	Model      cube.Model // nil: cube decisions are not judged
	Table      *met.Table
	Money      bool // judge plays at a score, too, by the equity for money
	Workers    int  // goroutines, 0: one a processor; the result does not depend on it

	Progress func(done, total int) // cube actions and plays; may be nil
}

// Played is the name of the player of all scores.
const Played = "as played"

// Player is how one player of a match did.
type Player struct {
	Name   string
	Forced int          // rolls with one legal play, which are no decisions
	Score  *score.Score // of the checker plays that leave a choice; its records' lines are game·1000 + move
	Cube   CubeErrors
}

// CubeErrors are the cube decisions of a player. Losses are in points per cube as
// it lay, in a match normalized.
type CubeErrors struct {
	Decisions int     // doubles, rolls that could have been doubles, answers
	Wrong     int     // that lost more than CubeHair
	Loss      float64 // in all
	Worst     []CubeError
}

// CubeError is a wrong cube decision.
type CubeError struct {
	Game, Move int
	Position   bg.Key // of the player who doubled or did not
	Did        string // double, no double, take or drop
	Right      cube.Action
	Loss       float64
}

// CubeHair is the loss in points from which a cube decision counts as wrong.
const CubeHair = 1e-4

// job is an action to judge.
type job struct {
	game   int
	action *match.Action
	answer match.Kind // Take or Drop, of a Double that was answered
}

// jobs returns what is to judge in a match.
func jobs(m *match.Match) []job {
	var all []job
	for i := range m.Games {
		g := &m.Games[i]
		for k := range g.Actions {
			a := &g.Actions[k]
			if a.Kind != match.Play && a.Kind != match.Double {
				continue
			}
			j := job{game: i, action: a}
			if a.Kind == match.Double && k+1 < len(g.Actions) {
				j.answer = g.Actions[k+1].Kind
			}
			all = append(all, j)
		}
	}
	return all
}

// Work is how much Progress will count.
func Work(m *match.Match) int { return len(jobs(m)) }

// judged is what came of a job.
type judged struct {
	record *bm.Record // nil where the play was forced
	doer   *CubeError // of the player on roll; nil where there was no cube decision
	other  *CubeError // of the answer
}

// Match judges the plays and the cube actions of both players of a match.
func Match(ctx context.Context, p *player.Player, m *match.Match, s Settings) ([2]Player, error) {
	var out [2]Player
	work := jobs(m)
	results := make([]judged, len(work))
	brains := make([]*engine.Brain, parallel.Workers(s.Workers))
	count := parallel.NewCounter(len(work), s.Progress)
	err := parallel.For(ctx, s.Workers, len(work), func(worker, i int) error {
		if brains[worker] == nil {
			brains[worker] = &engine.Brain{Evaluator: p.NewEvaluator(), Ply: s.Ply, Model: s.Model, Table: s.Table}
		}
		r, err := judge(brains[worker], m, &work[i], &s)
		results[i] = r
		count.Add(1)
		return err
	})
	if err != nil {
		return out, err
	}
	for i := range out {
		name := m.Players[i]
		if name == "" {
			name = fmt.Sprintf("player %d", i+1)
		}
		out[i] = Player{Name: name, Score: &score.Score{File: &bm.File{Name: name}, Player: Played}}
	}
	for i := range work {
		out[work[i].action.Player].add(&work[i], &results[i])
		if results[i].other != nil {
			out[1-work[i].action.Player].Cube.add(results[i].other)
		}
	}
	return out, nil
}

// add takes in what came of a job of the player.
func (p *Player) add(j *job, r *judged) {
	if r.doer != nil {
		p.Cube.add(r.doer)
	}
	switch {
	case j.action.Kind != match.Play:
	case r.record == nil:
		p.Forced++
	default:
		d := score.Decision{Chosen: j.action.After.Key()}
		d.Loss = r.record.Candidates[index(r.record, &j.action.After)].Loss
		p.Score.File.Records = append(p.Score.File.Records, *r.record)
		p.Score.Decisions = append(p.Score.Decisions, d)
	}
}

func (c *CubeErrors) add(e *CubeError) {
	c.Decisions++
	c.Loss += e.Loss
	if e.Loss > CubeHair {
		c.Wrong++
		c.Worst = append(c.Worst, *e)
	}
}

// judge judges one action: a play of a match by what it leaves the opponent at the
// score, see opponents.Leaves, one for money by the cubeless equity.
func judge(b *engine.Brain, m *match.Match, j *job, o *Settings) (judged, error) {
	var out judged
	a, g := j.action, &m.Games[j.game]
	s, err := stateOf(b, m, g, a)
	if err != nil && (b.Model != nil || m.Length > 0 && !o.Money) {
		return out, fmt.Errorf("game %d move %d: %w", g.Number, a.Move, err)
	}
	if a.Kind == match.Play {
		var plays bg.Plays
		if len(plays.Generate(&a.Board, a.Dice[0], a.Dice[1])) > 1 {
			var value func(*player.Candidate) float64
			if m.Length > 0 && !o.Money {
				after := s.Swapped()
				value = func(c *player.Candidate) float64 { return -opponents.Leaves(c, &after, b.Model) }
			}
			r := Record(b.Evaluator, a, b.Ply, o.Candidates, value)
			r.Line = 1000*(j.game+1) + a.Move
			out.record = &r
		}
	}
	if b.Model == nil || a == &g.Actions[0] || a.Kind == match.Play && (answered(g, a) || !s.MayDouble()) {
		return out, nil
	}
	d := b.Decide(&a.Board, &s)
	e := CubeError{Game: g.Number, Move: a.Move, Position: a.Board.Key(), Right: d.Action, Did: "no double"}
	if a.Kind == match.Double {
		e.Did = "double"
	}
	if d.Action.Doubles() != (a.Kind == match.Double) {
		e.Loss = d.DoubleError()
	}
	out.doer = &e
	if j.answer == match.Take || j.answer == match.Drop {
		o := e
		o.Did, o.Loss = j.answer.String(), 0
		if d.Action.Takes() != (j.answer == match.Take) {
			o.Loss = d.AnswerError()
		}
		out.other = &o
	}
	return out, nil
}

// answered tells whether a roll comes right after its player's double was taken.
func answered(g *match.Game, a *match.Action) bool {
	for i := range g.Actions {
		if &g.Actions[i] == a {
			return i > 0 && g.Actions[i-1].Kind != match.Play && g.Actions[i-1].Kind != match.Roll
		}
	}
	return false
}

// stateOf returns cube and score before an action as its player sees them.
func stateOf(b *engine.Brain, m *match.Match, g *match.Game, a *match.Action) (cube.State, error) {
	owner := cube.Centered
	switch a.Cube.Owner {
	case a.Player:
		owner = cube.Owned
	case 1 - a.Player:
		owner = cube.OpponentOwned
	}
	away := [2]int{}
	if m.Length > 0 {
		away = [2]int{m.Length - g.Score[a.Player], m.Length - g.Score[1-a.Player]}
		if away[0] < 1 || away[1] < 1 {
			return cube.State{}, fmt.Errorf("a game at %d to %d of a match to %d", g.Score[0], g.Score[1], m.Length)
		}
	}
	return b.State(away[0], away[1], a.Cube.Value, owner, g.Crawford)
}

// AsPlayed is the player of the scores, for the report. It cannot play.
type AsPlayed struct{}

// Name implements opponents.Player.
func (AsPlayed) Name() string { return Played }

// NewMover implements opponents.Player.
func (AsPlayed) NewMover() (opponents.Mover, error) {
	return nil, errors.New("what was played cannot be asked for another play")
}
