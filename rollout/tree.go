package rollout

import (
	"sync"

	"bgtrain/internal/bg"
)

// tree holds the positions that all trials of a rollout go through first: the
// start, what the 21 rolls lead to, and, with enough trials to be worth it, what
// the 441 pairs of rolls lead to. There a play is chosen once for all trials, and
// luck is measured one ply deeper, since the mean of the position after a roll is
// known: the value of a roll is that mean.
type tree struct {
	start node
	first [numRolls]node           // after the first roll
	pairs [numRolls][numRolls]node // after two rolls; unused in a tree of depth 1
	depth int                      // 1 or 2: how many rolls deep the tree goes
}

// node is a position of a tree.
type node struct {
	board bg.Board
	over  bool       // the trial ends here
	value bg.Outputs // then: as the player on roll here sees it
	mean  values     // otherwise: mean value after the 21 rolls, to the player on roll

	mu   sync.Mutex // guards luck, deep and the children until deep is set
	deep bool       // the children are set and luck is one ply deeper
	luck luck
}

// minTreeTrials is the number of trials from which on pairs of rolls are held.
const minTreeTrials = 216

// plant fills a tree for trials from b. What the trials reach of its second level
// is filled in by the way.
func (x *expander) plant(t *tree, b *bg.Board) {
	t.depth = 1
	if x.o.Luck != LuckNone && x.o.Trials >= minTreeTrials {
		t.depth = 2
	}
	t.start.board, t.start.over, t.start.deep = *b, false, false
	x.deepen(&t.start, &t.first, 0)
}

// set puts a position into a node after a number of plies. The node is ready
// then, as one without children.
func (x *expander) set(n *node, p *play, ply int) {
	n.board, n.deep = p.next, false
	if n.over = x.ends(p, ply, &n.value); !n.over {
		x.measure(&n.board, -1, 0, &n.luck)
		n.mean = n.luck.mean
	}
}

// ends reports whether a trial ends after a play, when so many plies have been
// played, and with what value to the player now on roll.
func (x *expander) ends(p *play, ply int, out *bg.Outputs) bool {
	if x.known(&p.next) {
		*out = p.out
		return true
	}
	if ply == x.o.Truncate {
		*out = p.out
		if x.o.LeafPly > 0 {
			*out = x.eval.Evaluate(&p.next, x.o.LeafPly)
		}
		return true
	}
	return false
}

// known reports whether the value of a position is exact without playing on.
func (x *expander) known(b *bg.Board) bool {
	c := x.eval.Class(b)
	return c == bg.Over || c == bg.Bearoff && !x.o.playOn
}

// deepen sets the children of a node after a number of plies.
func (x *expander) deepen(n *node, children *[numRolls]node, ply int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.deep {
		return
	}
	var plays [numRolls]play
	x.chooseAll(&n.board, x.o.plyAt(ply), &plays)
	for r := range children {
		c := &children[r]
		x.set(c, &plays[r], ply+1)
		if c.over {
			n.luck.value[r] = c.value.Inverted()
			continue
		}
		mean := c.mean.inverted()
		for k := range mean {
			n.luck.value[r][k] = float32(mean[k])
		}
	}
	n.luck.setMean()
	n.deep = true
}
