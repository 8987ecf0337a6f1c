package cube

import (
	"sync"

	"bgtrain/internal/bg"
	"bgtrain/internal/cube/life"
)

// Learned is Janowski's model with indices that nets tell from the position, see package
// life: for each holder of the cube, and for each side where it is centered. For money it has
// exact values where the two-sided bearoff database has them. A position without a board gets
// the usual index.
type Learned struct {
	nets *life.Set
	name string
}

// NewLearned is the model with some nets; name is what ParseModel reads it as.
func NewLearned(nets *life.Set, name string) *Learned { return &Learned{nets, name} }

// indices are those that nets told of a position.
type indices struct {
	by *life.Set // nil before
	x  [life.Indices]float64
}

// Equity implements Model.
func (m *Learned) Equity(p *Position, s *State) float64 {
	if p.Exact != nil && s.Table == nil && p.Class == bg.Bearoff {
		return p.Exact.of(s.Owner)
	}
	return m.At(p, s.Owner).Equity(p, s)
}

// At is Janowski's model with the indices of a position for a holder of the cube.
func (m *Learned) At(p *Position, h Holder) Janowski {
	if p.Board == (bg.Board{}) {
		return Janowski{ContactLife, ContactLife}
	}
	if p.told.by != m.nets {
		var a life.Active
		var units [life.MaxHidden]float32
		a.Set(&p.Board, &p.Outputs, p.Volatility)
		p.told = indices{m.nets, m.nets.Nets[life.KindOf(p.Class)].Of(&a, units[:])}
	}
	x := &p.told.x
	switch h {
	case Owned:
		return Janowski{x[life.Own], x[life.Own]}
	case OpponentOwned:
		return Janowski{x[life.Theirs], x[life.Theirs]}
	}
	return Janowski{x[life.Mine], x[life.Opponents]}
}

// String implements Model.
func (m *Learned) String() string { return m.name }

// shipped is the model with the nets that ship: one value, so that models compare.
var shipped = sync.OnceValues(func() (*Learned, error) {
	nets, err := life.Shipped()
	return &Learned{nets, "learned"}, err
})

// learned reads the nets of a model: the shipped ones, or those of a file.
func learned(path string) (*Learned, error) {
	if path == "" {
		return shipped()
	}
	nets, err := life.ReadFile(path)
	return &Learned{nets, "learned=" + path}, err
}

// Terms are the equity of a dead cube, and what a whole index of the player on roll and of
// the opponent adds to it by Janowski's model.
func Terms(p *Position, s *State) (dead, mine, theirs float64) {
	r := ratesOf(&p.Outputs)
	dead = s.Normalized(deadValue(&r, s))
	if s.dead() {
		return dead, 0, 0
	}
	return dead, Janowski{1, 0}.cubeValue(&r, s), Janowski{0, 1}.cubeValue(&r, s)
}
