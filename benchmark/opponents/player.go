package opponents

import (
	"bgtrain/internal/bg"
	"bgtrain/internal/player"
)

// Player is someone who can play: it hands out as many Movers as there are
// goroutines. It may be shared by them.
type Player interface {
	Name() string
	NewMover() (Mover, error)
}

// Mover plays for one goroutine.
type Mover interface {
	// Play chooses among the legal plays of a roll and returns the position
	// after it, the opponent on roll. b is not changed.
	Play(b *bg.Board, d1, d2 int) (bg.Board, error)
}

// GameStarter is a Mover that is called when a game begins, because its
// plays depend on chance or on what went before. What it plays from here on may
// depend on the seed and the rolls only.
type GameStarter interface {
	StartGame(seed uint64)
}

// Evaluator is a Mover that can also describe what a position is worth to the player
// on roll, as cube decisions need it.
type Evaluator interface {
	Evaluate(b *bg.Board) (bg.Outputs, error)
}

// Closer is a Mover that holds something to be freed, such as a process.
type Closer interface {
	Close() error
}

// StartGame calls a mover that is a GameStarter.
func StartGame(m Mover, seed uint64) {
	if s, ok := m.(GameStarter); ok {
		s.StartGame(seed)
	}
}

// NetPlayer plays by the evaluations of nets.
type NetPlayer struct {
	Net       *player.Player
	Ply       int
	Objective Objective
	Label     string // what Name returns
}

// Name returns the label.
func (p *NetPlayer) Name() string { return p.Label }

// NewMover returns a mover with an evaluator of its own.
func (p *NetPlayer) NewMover() (Mover, error) {
	return &netMover{p, p.Net.NewEvaluator()}, nil
}

type netMover struct {
	p *NetPlayer
	e *player.Evaluator
}

// Play plays the best play at the player's ply. For wins only, it is chosen
// among the plays that went through all move filters.
func (m *netMover) Play(b *bg.Board, d1, d2 int) (bg.Board, error) {
	if m.p.Objective != Wins {
		r, _ := m.e.BestPlay(b, d1, d2, m.p.Ply)
		return r, nil
	}
	cs := m.e.Plays(b, d1, d2, m.p.Ply)
	best := 0
	for i := range cs {
		// Plays that a filter dropped were evaluated less deeply: not comparable.
		if cs[i].Ply == cs[0].Ply && cs[i].Outputs[bg.Win] > cs[best].Outputs[bg.Win] {
			best = i
		}
	}
	return cs[best].Result, nil
}

// Evaluate evaluates at the player's ply.
func (m *netMover) Evaluate(b *bg.Board) (bg.Outputs, error) {
	return m.e.Evaluate(b, m.p.Ply), nil
}
