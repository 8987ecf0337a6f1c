package analyze

import (
	"context"
	"fmt"

	"bgtrain/benchmark/bm"
	"bgtrain/benchmark/score"
	"bgtrain/dataset/matchfile"
	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/cube/met"
	"bgtrain/internal/parallel"
	"bgtrain/internal/player"
)

// Analysis is how the players of a match did.
type Analysis struct {
	Match    *matchfile.Match
	Settings // by which they were judged

	Players   [2]Player
	Turns     []Turn     // all actions that are no answers, in order
	Decisions []Decision // of both players, in order
	Games     [][2]Sum   // by game and player
}

// Player is how one player of a match did.
type Player struct {
	Name string
	Sum
	Score *score.Score // of the plays that leave a choice; its records' lines are game·1000 + move
}

// Turn is an action of a match with what it was worth and how lucky it was.
type Turn struct {
	Game   int // its index
	Action *matchfile.Action

	// Value is what the match is worth to the first player before the action, if both make
	// their cube decisions right: the chance to win it, for money the points won so far and
	// expected. Known reports whether that was evaluated.
	Value float64
	Known bool

	// Luck of the roll: what the best play leaves less the mean over all rolls, at 0-ply, in
	// points of who rolls, in a match normalized; LuckCost is in the units of Value.
	Luck, LuckCost float64

	Decisions []int // of Analysis.Decisions, those about this action
}

// CubeHair is the loss in points from which a cube decision counts as wrong.
const CubeHair = 1e-4

// job is an action to judge.
type job struct {
	game   int
	number int // of the action in its game
	action *matchfile.Action
	answer matchfile.Kind // Take, Drop or Beaver, of a Double that was answered
}

// jobs returns what is to judge in a match.
func jobs(m *matchfile.Match) []job {
	var all []job
	for i := range m.Games {
		g := &m.Games[i]
		for k := range g.Actions {
			a := &g.Actions[k]
			switch a.Kind {
			case matchfile.Play, matchfile.Roll, matchfile.Double:
			default:
				continue
			}
			j := job{game: i, number: k, action: a, answer: matchfile.Look}
			if a.Kind == matchfile.Double && k+1 < len(g.Actions) {
				j.answer = g.Actions[k+1].Kind
			}
			all = append(all, j)
		}
	}
	return all
}

// Work is how much Progress will count.
func Work(m *matchfile.Match) int { return len(jobs(m)) }

// judged is what came of a job.
type judged struct {
	turn      Turn
	forced    bool
	decisions []Decision
}

// Match judges the plays and the cube actions of both players of a match.
func Match(ctx context.Context, p *player.Player, m *matchfile.Match, s Settings) (*Analysis, error) {
	work := jobs(m)
	results := make([]judged, len(work))
	evaluators := make([]*player.Evaluator, parallel.Workers(s.Workers))
	count := parallel.NewCounter(len(work), s.Progress)
	err := parallel.For(ctx, s.Workers, len(work), func(worker, i int) error {
		if evaluators[worker] == nil {
			evaluators[worker] = p.NewEvaluator()
		}
		j := &judge{Settings: &s, match: m, e: evaluators[worker]}
		err := j.judge(&work[i], &results[i])
		count.Add(1)
		return err
	})
	if err != nil {
		return nil, err
	}
	a := &Analysis{Match: m, Settings: s}
	for i := range results {
		r := &results[i]
		for k := range r.decisions {
			r.turn.Decisions = append(r.turn.Decisions, len(a.Decisions)+k)
		}
		a.Turns, a.Decisions = append(a.Turns, r.turn), append(a.Decisions, r.decisions...)
	}
	if err := a.rollOut(ctx, p); err != nil {
		return nil, err
	}
	a.sumUp(results)
	return a, nil
}

// sumUp gives the players their sums and their records.
func (a *Analysis) sumUp(results []judged) {
	a.Games = make([][2]Sum, len(a.Match.Games))
	for i := range a.Players {
		name := a.Match.Players[i]
		if name == "" {
			name = fmt.Sprintf("player %d", i+1)
		}
		a.Players[i] = Player{Name: name, Score: &score.Score{File: &bm.File{Name: name}, Player: name}}
	}
	each := func(game, who int, add func(s *Sum)) {
		add(&a.Games[game][who])
		add(&a.Players[who].Sum)
	}
	for i := range a.Turns {
		t := &a.Turns[i]
		for _, k := range t.Decisions {
			d := &a.Decisions[k]
			each(t.Game, d.Player, func(s *Sum) { s.add(d) })
			if d.Kind != Play {
				continue
			}
			sc := a.Players[d.Player].Score
			r := record(&d.Board, d.Dice, d.Candidates)
			r.Line = 1000*(t.Game+1) + d.Move
			sc.File.Records = append(sc.File.Records, r)
			sc.Decisions = append(sc.Decisions, score.Decision{Chosen: t.Action.After.Key(), Loss: d.Loss})
		}
		each(t.Game, t.Action.Player, func(s *Sum) {
			if results[i].forced {
				s.Forced++
			}
			if t.Action.Kind != matchfile.Double {
				s.Rolls++
				s.Luck, s.LuckCost = s.Luck+t.Luck, s.LuckCost+t.LuckCost
			}
		})
	}
}

// judge judges actions of a match; it serves one goroutine.
type judge struct {
	*Settings
	match *matchfile.Match
	e     *player.Evaluator
}

// judge judges one action.
func (j *judge) judge(w *job, out *judged) error {
	a, g := w.action, &j.match.Games[w.game]
	out.turn = Turn{Game: w.game, Action: a}
	s, err := stateOf(j.match, g, a, j.Table)
	if err != nil {
		if j.Model != nil || j.by(j.match) == byMatch {
			return fmt.Errorf("game %d move %d: %w", g.Number, a.Move, err)
		}
		s = cube.Money // cubeless points are asked for
	}
	known := err == nil
	value := j.value(j.match, &s, j.e)
	if a.Kind != matchfile.Double {
		j.luck(w, &s, value, &out.turn)
	}
	if a.Kind == matchfile.Play {
		var plays bg.Plays
		if out.forced = len(plays.Generate(&a.Board, a.Dice[0], a.Dice[1])) == 1; !out.forced {
			d := j.decision(w, &s, Play, a.Player)
			d.Dice, d.Close = a.Dice, true
			d.Candidates = candidates(j.e, a, j.Ply, j.Candidates, value)
			d.setPlays()
			out.decisions = append(out.decisions, d)
		}
	}
	j.cube(w, &s, out)
	out.turn.Known = known
	return nil
}

// decision begins a decision about an action.
func (j *judge) decision(w *job, s *cube.State, kind Kind, who int) Decision {
	return Decision{Kind: kind, Player: who, Game: j.match.Games[w.game].Number, Move: w.action.Move,
		Board: w.action.Board, State: *s}
}

// cube judges the cube decisions about an action, and what the position is worth. They come
// before a play.
func (j *judge) cube(w *job, s *cube.State, out *judged) {
	a, g := w.action, &j.match.Games[w.game]
	first := w.number == 0 // the first roll decides who begins: nobody was on roll before it
	if first {
		out.turn.Value = atStart(g, s, a.Player)
		return
	}
	model := j.Model
	if model == nil {
		model = cube.Dead{}
	}
	p := cube.PositionAt(j.e, &a.Board, j.Ply, model)
	d := cube.Decide(model, &p, s)
	best := d.Best()
	if j.Model == nil {
		best = d.NoDouble
	}
	out.turn.Value = valueOf(g, s, a.Player, best)
	if j.Model == nil || a.Kind != matchfile.Double && (answered(g, w.number) || !s.MayDouble()) {
		return
	}
	did := func(kind Kind, who int, word string) Decision {
		c := j.decision(w, s, kind, who)
		c.Did = word
		c.setCube(d)
		return c
	}
	var about []Decision
	if a.Kind == matchfile.Double {
		about = append(about, did(Double, a.Player, didDouble))
	} else {
		about = append(about, did(Double, a.Player, didNoDouble))
	}
	switch w.answer {
	case matchfile.Take, matchfile.Beaver:
		about = append(about, did(Answer, 1-a.Player, didTake))
	case matchfile.Drop:
		about = append(about, did(Answer, 1-a.Player, didPass))
	}
	out.decisions = append(about, out.decisions...)
}

// answered reports whether an action comes right after its player's double was taken.
func answered(g *matchfile.Game, number int) bool {
	switch g.Actions[number-1].Kind {
	case matchfile.Play, matchfile.Roll:
		return false
	}
	return true
}

// valueOf is what a match is worth to the first player, where a game is worth an equity to
// who is on roll; see Turn.Value.
func valueOf(g *matchfile.Game, s *cube.State, onRoll int, equity float64) float64 {
	v := s.Value(equity)
	switch {
	case s.Table == nil && onRoll == 0:
		return float64(g.Score[0]-g.Score[1]) + v
	case s.Table == nil:
		return float64(g.Score[0]-g.Score[1]) - v
	case onRoll == 0:
		return v
	}
	return 1 - v
}

// atStart is valueOf before a game.
func atStart(g *matchfile.Game, s *cube.State, onRoll int) float64 {
	if s.Table == nil {
		return float64(g.Score[0] - g.Score[1])
	}
	mwc := s.Table.At(s.Away, s.Opponent, !s.Crawford && (s.Away == 1 || s.Opponent == 1))
	if onRoll == 0 {
		return mwc
	}
	return 1 - mwc
}

// stateOf returns cube and score before an action as who is on roll sees them.
func stateOf(m *matchfile.Match, g *matchfile.Game, a *matchfile.Action, t *met.Table) (cube.State, error) {
	s := cube.State{Cube: a.Cube.Value}
	switch a.Cube.Owner {
	case a.Player:
		s.Owner = cube.Owned
	case 1 - a.Player:
		s.Owner = cube.OpponentOwned
	}
	if m.Length > 0 {
		s.Away, s.Opponent = m.Length-g.Score[a.Player], m.Length-g.Score[1-a.Player]
		if s.Away < 1 || s.Opponent < 1 {
			return s, fmt.Errorf("a game at %d to %d of a match to %d", g.Score[0], g.Score[1], m.Length)
		}
		s.Table, s.Crawford = t, g.Crawford
	}
	return s, s.Check()
}
