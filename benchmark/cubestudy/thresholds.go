package cubestudy

import (
	"math"
	"sync/atomic"

	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
)

// decider answers the cube decisions of a model for money quickly. A model that
// looks at nothing but the chance to win and what won and lost games count (W and
// L) doubles, and takes, within ranges of the chance; their ends are computed once
// on a grid of W and L and are straight in between, within about 1e-5.
type decider struct {
	model cube.Model
	exact *bearoff.Cubeful         // for models that look at positions; nil: none
	table []atomic.Pointer[ranges] // nil for a model that looks at more
}

// ranges are the chances to win between which a player doubles, with a centered
// cube and with its own, and up to which the opponent takes.
type ranges struct {
	from, to [2]float64
	take     float64
}

const (
	gridStep = 1.0 / 64
	gridMax  = 1.75 // W and L beyond are rare and decided one by one
	gridSide = int((gridMax-1)/gridStep) + 1
)

func newDecider(m cube.Model) *decider {
	d := &decider{model: m}
	if !cube.UsesVolatility(m) && !cube.UsesPosition(m) {
		d.table = make([]atomic.Pointer[ranges], gridSide*gridSide)
	}
	return d
}

// centered and owned are the states of the cube in which one may double.
var centered, owned = cube.Money, cube.State{Cube: 2, Owner: cube.Owned}

// actions are the decisions at one position: whether to double a centered cube and
// one's own, and whether to take.
type actions uint8

const (
	doubles actions = 1 << iota
	redoubles
	takes
	decided // set in all that a handler has seen
)

// spot is where a turn lies among the ranges of any decider.
type spot struct {
	p, x, y float64 // the chance to win, and the place in its square of the grid
	i, j    int16   // the square; i is behind where the player on roll is not ahead
}

const (
	behind  = -1 // nobody doubles what is worse than even without the cube
	outside = -2 // of the grid
)

// spotOf finds the place of a turn.
func spotOf(t *Turn) (s spot) {
	o := t.Of()
	if o.Equity() <= 0 {
		s.i = behind
		return s
	}
	s.p = float64(o[bg.Win])
	w := 1 + float64(o[bg.WinGammon]+o[bg.WinBackgammon])/s.p
	l := 1.0
	if s.p < 1 {
		l += float64(o[bg.LoseGammon]+o[bg.LoseBackgammon]) / (1 - s.p)
	}
	if w >= gridMax-gridStep || l >= gridMax-gridStep {
		s.i = outside
		return s
	}
	x, y := (w-1)/gridStep, (l-1)/gridStep
	s.i, s.j = int16(x), int16(y)
	s.x, s.y = x-float64(s.i), y-float64(s.j)
	return s
}

// decideAt returns the actions at a turn, whose place is s.
func (d *decider) decideAt(t *Turn, s *spot) (a actions) {
	if s.i == behind {
		return takes
	}
	if d.table == nil || s.i == outside {
		return d.askAt(t)
	}
	p, x, y, i, j := s.p, s.x, s.y, int(s.i), int(s.j)
	r00, r01 := d.at(i, j), d.at(i, j+1)
	r10, r11 := d.at(i+1, j), d.at(i+1, j+1)
	mix := func(a, b, c, d float64) float64 { return (1-x)*((1-y)*a+y*b) + x*((1-y)*c+y*d) }
	for k, action := range [2]actions{doubles, redoubles} {
		if p >= mix(r00.from[k], r01.from[k], r10.from[k], r11.from[k]) &&
			p <= mix(r00.to[k], r01.to[k], r10.to[k], r11.to[k]) {
			a |= action
		}
	}
	if p < mix(r00.take, r01.take, r10.take, r11.take) {
		a |= takes
	}
	return a
}

// askAt decides at a turn by the model itself.
func (d *decider) askAt(t *Turn) actions {
	o := t.Of()
	p := cube.Position{Outputs: o, Class: bg.Contact}
	if b, err := t.Key.Board(); err == nil && cube.UsesPosition(d.model) {
		p = cube.PositionOf(&b, &o)
		if x, ok := d.exactOf(&b, &p); ok {
			p.Exact = (*cube.Exact)(&x)
		}
	}
	p.Volatility = float64(t.Volatility) / one
	return d.ask(&p)
}

func (d *decider) exactOf(b *bg.Board, p *cube.Position) (bearoff.CubeEquities, bool) {
	if d.exact == nil || p.Class != bg.Bearoff {
		return bearoff.CubeEquities{}, false
	}
	return d.exact.Of(b)
}

// ask decides by the model itself.
func (d *decider) ask(p *cube.Position) (a actions) {
	first := cube.Decide(d.model, p, &centered)
	if first.Action.Doubles() {
		a |= doubles
	}
	if second := cube.Decide(d.model, p, &owned); second.Action.Doubles() {
		a |= redoubles
	}
	if first.Action.Takes() {
		a |= takes
	}
	return a
}

// at returns the ranges of a point of the grid.
func (d *decider) at(i, j int) *ranges {
	slot := &d.table[i*gridSide+j]
	r := slot.Load()
	if r == nil {
		r = d.compute(1+float64(i)*gridStep, 1+float64(j)*gridStep)
		slot.Store(r)
	}
	return r
}

// compute finds the ends of the ranges by halving.
func (d *decider) compute(w, l float64) *ranges {
	at := func(p float64, s *cube.State) cube.Decision {
		o := bg.Outputs{float32(p), float32(p * (w - 1)), 0, float32((1 - p) * (l - 1)), 0}
		return cube.Decide(d.model, &cube.Position{Outputs: o, Class: bg.Contact}, s)
	}
	// halve returns where ok, true at from, ceases to be on the way to to.
	halve := func(from, to float64, ok func(p float64) bool) float64 {
		if ok(to) {
			return to
		}
		for math.Abs(to-from) > 1e-6 {
			if m := (from + to) / 2; ok(m) {
				from = m
			} else {
				to = m
			}
		}
		return (from + to) / 2
	}
	r := &ranges{take: halve(0, 1, func(p float64) bool { x := at(p, &centered); return x.DoubleTake < x.DoublePass })}
	for k, s := range [2]*cube.State{&centered, &owned} {
		// Up to the cash point the question is to double or to wait; beyond it, to cash
		// or to play on.
		double := func(p float64) bool { x := at(p, s); return x.Action.Doubles() }
		inside := max(r.take-2e-6, 0)
		if !double(inside) {
			inside = min(r.take+2e-6, 1)
		}
		if !double(inside) {
			r.from[k], r.to[k] = 2, -1
			continue
		}
		r.from[k] = halve(inside, 0, double)
		r.to[k] = halve(inside, 1, double)
		if r.to[k] == 1 {
			r.to[k] = 2
		}
	}
	return r
}
