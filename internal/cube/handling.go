package cube

import (
	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/player"
)

// Handling is how both sides of a game handle the cube.
type Handling struct {
	Model Model

	// Beavers: for money, a player who is doubled and not behind turns the cube once
	// more and keeps it.
	Beavers bool
}

// PositionAt is what a model is told of a position by an evaluator: the outputs at a
// ply, and the volatility and exact values if the model asks for them.
func PositionAt(e *player.Evaluator, b *bg.Board, ply int, m Model) Position {
	o := e.Evaluate(b, ply)
	p := PositionOf(b, &o)
	p.Class = e.Class(b)
	if UsesVolatility(m) {
		p.Volatility = LocalVolatility(e, b)
	}
	if UsesPosition(m) && p.Class == bg.Bearoff {
		p.Exact = exactOf(e.Player().Bearoff(), b)
	}
	return p
}

// UsesPosition reports whether a model looks at more of a Position than outputs and
// volatility, and takes exact values from it.
func UsesPosition(m Model) bool {
	_, ok := m.(*Learned)
	return ok || m == Model(GNUbg{})
}

func exactOf(db *bearoff.DB, b *bg.Board) *Exact {
	if db == nil {
		return nil
	}
	if x, ok := db.Cubeful(b); ok {
		return (*Exact)(&x)
	}
	return nil
}

// judged returns what a position is judged by: for money the exact values where a
// database, which may be nil, has them, else the model.
func (h *Handling) judged(db *bearoff.DB, b *bg.Board, o *bg.Outputs, s *State) (p Position, m Model) {
	p, m = PositionOf(b, o), h.Model
	if p.Class != bg.Bearoff || s.Table != nil && m != Model(GNUbg{}) {
		return p, m
	}
	if p.Exact = exactOf(db, b); p.Exact != nil {
		m = GNUbg{}
	}
	return p, m
}

// Decide judges the decision of the player on roll of a position with outputs o: by
// the exact values of the evaluator's databases for money, else by the model. A
// double that would be beavered counts as such, and beaver is true then.
func (h *Handling) Decide(e *player.Evaluator, b *bg.Board, o *bg.Outputs, s *State) (d Decision, beaver bool) {
	p, m := h.judged(e.Player().Bearoff(), b, o, s)
	if UsesVolatility(m) {
		p.Volatility = LocalVolatility(e, b)
	}
	return h.decide(m, &p, s)
}

func (h *Handling) decide(m Model, p *Position, s *State) (d Decision, beaver bool) {
	d = Decide(m, p, s)
	if beaver = d.Available && h.Beavered(d.DoubleTake, s); beaver {
		d = Judge(d.NoDouble, 2*d.DoubleTake, d.DoublePass, s, p.Outputs[bg.WinGammon] > 0)
	}
	return d, beaver
}

// Beavered reports whether a double that is worth so much if taken would be beavered.
func (h *Handling) Beavered(doubleTake float64, s *State) bool {
	return h.Beavers && s.Table == nil && doubleTake < 0 && 4*s.Cube <= MaxCube
}

// Leaves is the equity of the player on roll of a position with outputs o whose
// decision is due, both sides deciding best; without a model the cube is never
// turned again. db may be nil, see Decide. Of models that ask for the volatility,
// which takes long, it is the value without.
func (h *Handling) Leaves(db *bearoff.DB, b *bg.Board, o *bg.Outputs, s *State) float64 {
	p, m := h.judged(db, b, o, s)
	switch {
	case p.Class == bg.Over || m == nil:
		return Cubeless(o, s)
	case !s.MayDouble():
		return m.Equity(&p, s)
	}
	d, _ := h.decide(m, &p, s)
	return d.Best()
}

// Beavered is the state after the player on roll has doubled and the opponent has
// turned the cube once more.
func (s State) Beavered() State {
	s.Cube *= 4
	s.Owner = OpponentOwned
	return s
}
