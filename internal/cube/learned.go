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

// indices are those that nets told of a position at a score, whoever holds the cube.
type indices struct {
	by   *life.Set // nil before
	at   State
	dead float64
	span span
	x    [life.Indices]float64
}

// Equity implements Model.
func (m *Learned) Equity(p *Position, s *State) float64 {
	if p.Exact != nil && s.Table == nil && p.Class == bg.Bearoff {
		return p.Exact.of(s.Owner)
	}
	if p.Board == (bg.Board{}) {
		return Janowski{ContactLife, ContactLife}.Equity(p, s)
	}
	t := p.tell(m.nets, s)
	if s.dead() {
		return t.dead
	}
	j := t.of(s.Owner)
	return t.dead + j.within(&t.span, min(max(float64(p.Outputs[bg.Win]), 0), 1), s.Owner)
}

// of is Janowski's model with the indices for a holder of the cube.
func (t *indices) of(h Holder) Janowski {
	switch h {
	case Owned:
		return Janowski{t.x[life.Own], t.x[life.Own]}
	case OpponentOwned:
		return Janowski{t.x[life.Theirs], t.x[life.Theirs]}
	}
	return Janowski{t.x[life.Mine], t.x[life.Opponents]}
}

// tell returns the indices that nets tell of the position at a score, and keeps them.
func (p *Position) tell(nets *life.Set, s *State) *indices {
	at := *s
	if at.Table == nil {
		at.Cube = 1
	}
	if !at.Jacoby {
		at.Owner = Centered
	}
	t := &p.told
	if t.by == nets && t.at == at {
		return t
	}
	t.by, t.at = nets, at
	var a life.Active
	a.Set(&p.Board, t.odds(p, s))
	var units [life.MaxHidden]float32
	t.x = nets.Nets[life.KindOf(p.Class)].Of(&a, units[:])
	return t
}

// odds sets what does not depend on nets and returns their inputs but the board.
func (t *indices) odds(p *Position, s *State) *life.Odds {
	r := ratesOf(&p.Outputs)
	t.dead, t.span = s.Normalized(deadValue(&r, s)), windowOf(&r, s)
	o := &life.Odds{Win: r.win, Take: t.span.take, Cash: t.span.cash, Won: t.span.won, Lost: t.span.lost,
		Volatility: p.Volatility}
	if s.Table != nil {
		o.Dead = [4]bool{s.Away <= s.Cube, s.Opponent <= s.Cube, s.Away <= 2*s.Cube, s.Opponent <= 2*s.Cube}
	}
	return o
}

// Taught is what a net learns of a position at a state: its inputs, and that the equity is
// Dead + Mine·x + Theirs·y with the indices x of the player on roll and y of the opponent.
type Taught struct {
	Inputs             life.Active
	Dead, Mine, Theirs float64
}

// Teach returns what a net learns of a position.
func Teach(p *Position, s *State) (l Taught) {
	var t indices
	l.Inputs.Set(&p.Board, t.odds(p, s))
	if l.Dead = t.dead; !s.dead() {
		win := min(max(float64(p.Outputs[bg.Win]), 0), 1)
		l.Mine = Janowski{1, 0}.within(&t.span, win, s.Owner)
		l.Theirs = Janowski{0, 1}.within(&t.span, win, s.Owner)
	}
	return l
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
