package rollout

import (
	"sync"

	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
)

// cubeNode is a position before a roll, after the cube decision. Equities are normalized
// to the cube at the start of the rollout, and of the player on roll here.
type cubeNode struct {
	board  bg.Board
	state  cube.State // as the player on roll sees it
	parity uint8      // 0 where that player is the one whom the rollout is for
	over   bool       // the trial ends here
	value  float64    // then
	luck   cubeLuck   // otherwise

	mu   sync.Mutex // guards luck, deep and the children until deep is set
	deep bool       // the children are set and luck is one ply deeper
}

// estimate is what the look-ahead takes the node for.
func (n *cubeNode) estimate() float64 {
	if n.over {
		return n.value
	}
	return n.luck.mean
}

// cubeLuck measures the rolls from one position, see luck.
type cubeLuck struct {
	value [numRolls]float64
	mean  float64
}

func (l *cubeLuck) setMean() {
	l.mean = 0
	for r, v := range l.value {
		l.mean += float64(bg.Rolls[r].Weight) * v
	}
	l.mean /= 36
}

func (l *cubeLuck) of(roll int) float64 { return l.value[roll] - l.mean }

// cubeTree holds the positions that all trials go through first, see tree.
type cubeTree struct {
	start cubeNode
	first [numRolls]cubeNode
	pairs [numRolls][numRolls]cubeNode
	depth int
}

// cubeExpander computes what a trial needs of a position. It belongs to one goroutine.
type cubeExpander struct {
	expander
	h     *cube.Handling
	db    *bearoff.DB // may be nil
	start [2]cube.State

	picked     [numRolls + 1]int // where each roll's begin in what is valued
	candidates []*candidates     // by the plies of a trial before them
	node       cubeNode          // of a trial
	next       cubeNode
}

func newCubeExpander(e *CubeEngine, s *cube.State) *cubeExpander {
	return &cubeExpander{expander: *newExpander(e.p, &e.o), h: &e.h, db: e.p.Bearoff(),
		start: [2]cube.State{*s, s.Swapped()}}
}

// normalized turns an equity in a state of the game into one at the start.
func (x *cubeExpander) normalized(equity float64, s *cube.State, parity uint8) float64 {
	if s.Cube == x.start[0].Cube {
		return equity
	}
	return x.start[parity].Normalized(s.Value(equity))
}

// open sets a node to a position whose cube decision has been made.
func (x *cubeExpander) open(n *cubeNode, b *bg.Board, s *cube.State, parity uint8) {
	n.board, n.state, n.parity, n.deep, n.over = *b, *s, parity, false, false
	if s.Table != nil || x.db == nil || x.o.playOn {
		return
	}
	if exact, ok := x.db.Cubeful(b); ok {
		o := x.eval.Evaluate(b, 0)
		p := cube.PositionOf(b, &o)
		p.Exact = (*cube.Exact)(&exact)
		n.over, n.value = true, x.normalized(cube.GNUbg{}.Equity(&p, s), s, parity)
	}
}

// settle sets a node to what a play leads to, after the cube decision of the player then
// on roll. s and parity are those of the player who played, plies have been played.
func (x *cubeExpander) settle(n *cubeNode, p *play, s *cube.State, parity uint8, plies int) {
	state := s.Swapped()
	parity ^= 1
	n.board, n.state, n.parity, n.deep = p.next, state, parity, false
	end := func(equity float64) { n.over, n.value = true, x.normalized(equity, &state, parity) }
	if bg.Classify(&p.next) == bg.Over {
		end(cube.Cubeless(&p.out, &state))
		return
	}
	if x.o.Truncate > 0 && plies == x.o.Truncate {
		if x.o.LeafPly > 0 {
			p.out = x.eval.Evaluate(&p.next, x.o.LeafPly)
		}
		end(x.h.Leaves(x.db, &p.next, &p.out, &state))
		return
	}
	if state.MayDouble() {
		out := p.out
		if ply := x.o.plyAt(plies); ply > 0 {
			out = x.eval.Evaluate(&p.next, ply)
		}
		d, beaver := x.h.Decide(x.eval, &p.next, &out, &state)
		switch {
		case d.Action == cube.DoublePass:
			end(1)
			return
		case d.Action == cube.DoubleTake && beaver:
			state = state.Beavered()
		case d.Action == cube.DoubleTake:
			state = state.Doubled()
		}
	}
	x.open(n, &p.next, &state, parity)
}

// choose returns the play that the player makes with a roll at a ply: that which leaves
// the opponent least.
func (x *cubeExpander) choose(b *bg.Board, s *cube.State, roll, ply int) (p play) {
	r := &bg.Rolls[roll]
	after := s.Swapped()
	if ply > 0 {
		cs := x.eval.Plays(b, r.Hi, r.Lo, ply)
		least := 0.0
		for i := range cs {
			if cs[i].Ply != cs[0].Ply {
				continue // a filter dropped it
			}
			o := cs[i].Outputs.Inverted()
			if v := x.h.Leaves(x.db, &cs[i].Result, &o, &after); i == 0 || v < least {
				p.next, least = cs[i].Result, v
			}
		}
		p.out = x.eval.Evaluate(&p.next, 0)
		return p
	}
	plays := x.plays.Generate(b, r.Hi, r.Lo)
	outs := grow(&x.ownOuts, len(plays))
	x.eval.EvaluateBatch(plays, outs)
	best, _ := x.least(plays, outs, &after)
	return play{plays[best], outs[best]}
}

// least returns the number of the position that is worth least to the player on roll, and
// what, as an equity in that player's state.
func (x *cubeExpander) least(bs []bg.Board, outs []bg.Outputs, s *cube.State) (best int, value float64) {
	for i := range bs {
		if v := x.h.Leaves(x.db, &bs[i], &outs[i], s); i == 0 || v < value {
			best, value = i, v
		}
	}
	return best, value
}

// measure sets the luck of a node after a number of plies of a trial.
func (x *cubeExpander) measure(n *cubeNode, plies int) {
	if x.o.Luck == LuckNone {
		n.luck = cubeLuck{}
		return
	}
	c := x.candidatesOf(&n.board, plies)
	after := n.state.Swapped()
	for r := range n.luck.value {
		from, to := c.first[r], c.first[r+1]
		_, v := x.least(c.boards[from:to], c.outs[from:to], &after)
		n.luck.value[r] = -x.normalized(v, &after, n.parity^1)
	}
	n.luck.setMean()
}

// candidates are the plays of all rolls from a position by which their luck is measured. They
// do not depend on the cube: lines that meet the same dice mostly share them.
type candidates struct {
	of     bg.Board
	first  [numRolls + 1]int // where each roll's begin
	boards []bg.Board
	outs   []bg.Outputs
}

// candidatesOf returns those of a position after a number of plies of a trial, which stay as
// they are until the next one after as many.
func (x *cubeExpander) candidatesOf(b *bg.Board, plies int) *candidates {
	for len(x.candidates) <= plies {
		x.candidates = append(x.candidates, &candidates{})
	}
	c := x.candidates[plies]
	if c.of == *b {
		return c
	}
	c.of = *b
	x.generate(b)
	eval, boards := x.eval, x.all
	x.picked = x.first
	if x.small != nil {
		boards = x.pickAll(b)
		if x.o.Luck == LuckSmall {
			eval = x.small
		}
	}
	c.first = x.picked
	c.boards = append(c.boards[:0], boards...)
	c.outs = grow(&c.outs, len(boards))
	eval.EvaluateDistinct(boards, c.outs)
	return c
}

// pickAll returns the plays of each roll that the small nets like best.
func (x *cubeExpander) pickAll(b *bg.Board) []bg.Board {
	x.rank(b)
	x.own = x.own[:0]
	picks := x.o.Picks
	if x.o.Luck == LuckSmall {
		picks = 1
	}
	var best [maxPicks]int
	for r := range numRolls {
		x.picked[r] = len(x.own)
		for _, i := range best[:x.pick(r, best[:picks])] {
			x.own = append(x.own, x.all[i])
		}
	}
	x.picked[numRolls] = len(x.own)
	return x.own
}

// plant fills a tree whose start is set.
func (x *cubeExpander) plant(t *cubeTree) {
	t.depth = 1
	if x.o.Luck != LuckNone && x.o.Trials >= minTreeTrials {
		t.depth = 2
	}
	if !t.start.over {
		x.deepen(&t.start, &t.first, 0)
	}
}

// deepen sets the children of a node after a number of plies.
func (x *cubeExpander) deepen(n *cubeNode, children *[numRolls]cubeNode, plies int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.deep {
		return
	}
	for r := range children {
		c := &children[r]
		p := x.choose(&n.board, &n.state, r, x.o.plyAt(plies))
		x.settle(c, &p, &n.state, n.parity, plies+1)
		if !c.over {
			x.measure(c, plies+1)
		}
		n.luck.value[r] = -c.estimate()
	}
	n.luck.setMean()
	n.deep = true
}

// trial plays one game from the start of a tree and returns its equity, with variance
// reduction less luck, to the player on roll there.
func (x *cubeExpander) trial(t *cubeTree, d *trialDice) float64 {
	luck, sign := 0.0, 1.0
	plies := 0
	n := &t.start
	for plies < t.depth && !n.over {
		children := &t.first
		if plies == 1 {
			children = &t.pairs[d.roll(0)]
		}
		x.deepen(n, children, plies)
		roll := d.roll(plies)
		luck += sign * n.luck.of(roll)
		n = &children[roll]
		plies, sign = plies+1, -sign
	}
	measured := true // of the leaf
	for !n.over {
		if !measured {
			x.measure(n, plies)
		}
		roll := d.roll(plies)
		luck += sign * n.luck.of(roll)
		p := x.choose(&n.board, &n.state, roll, x.o.plyAt(plies))
		plies, sign = plies+1, -sign
		next := &x.node
		if n == next {
			next = &x.next
		}
		x.settle(next, &p, &n.state, n.parity, plies)
		n, measured = next, false
	}
	if x.o.Luck == LuckNone {
		luck = 0
	}
	return sign*n.value - luck
}
