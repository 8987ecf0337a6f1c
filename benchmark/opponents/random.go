package opponents

import (
	"math/rand/v2"

	"bgtrain/internal/bg"
	"bgtrain/internal/splitmix"
)

// Random plays each distinct result of a roll with equal chance.
type Random struct{}

// Name returns "random".
func (Random) Name() string { return "random" }

// NewMover returns a mover.
func (Random) NewMover() (Mover, error) { return &randomMover{chance: newChance()}, nil }

type randomMover struct {
	plays bg.Plays
	chance
}

// Play draws a play.
func (m *randomMover) Play(b *bg.Board, d1, d2 int) (bg.Board, error) {
	plays := m.plays.Generate(b, d1, d2)
	return plays[m.rand.IntN(len(plays))], nil
}

// chance is the generator of a mover that draws, seeded anew for each game.
type chance struct {
	source *rand.PCG
	rand   *rand.Rand
}

func newChance() chance {
	s := rand.NewPCG(0, 0)
	return chance{s, rand.New(s)}
}

// StartGame seeds the draws of a game.
func (c *chance) StartGame(seed uint64) { c.source.Seed(seed, splitmix.Seed(seed)) }
