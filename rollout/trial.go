package rollout

import "bgtrain/internal/bg"

// trial plays one game from the start of t. It returns the result as the player
// who starts sees it, with luck taken off where variance is to be reduced; and
// the residual, whose spread over the trials gives the standard error: the
// result without that luck too which the balance of the dice takes off the mean.
func (x *expander) trial(t *tree, d *trialDice) (result, residual values) {
	vr := x.o.Luck != LuckNone
	var lucky values // sum of luck, as the player who starts sees it
	value, plies := bg.Outputs{}, 0

	// In the tree.
	n := &t.start
	var rolls [2]int
	for plies < t.depth && !n.over {
		children := &t.first
		if plies == 1 {
			children = &t.pairs[rolls[0]]
		}
		x.deepen(n, children, plies)
		rolls[plies] = d.roll(plies)
		l := n.luck.of(rolls[plies])
		lucky.addLuck(&l, plies == 1)
		n = &children[rolls[plies]]
		plies++
	}
	if n.over {
		value = n.value
	} else {
		// A leaf of the tree: its luck is known, its plays are not.
		roll := d.roll(plies)
		l := n.luck.of(roll)
		switch {
		case vr:
			lucky.addLuck(&l, plies&1 == 1)
		case x.o.balanced():
			lucky.addLuck(&l, true)
		default:
			lucky.addLuck(&t.secondLuck[roll], false)
		}
		p := x.choose(&n.board, roll, x.o.plyAt(plies))
		plies++
		for !x.ends(&p, plies, &value) {
			b, roll := p.next, d.roll(plies)
			if vr {
				p = x.measure(&b, roll, x.o.plyAt(plies), &x.scratch)
				l := x.scratch.of(roll)
				lucky.addLuck(&l, plies&1 == 1)
			} else {
				p = x.choose(&b, roll, x.o.plyAt(plies))
			}
			plies++
		}
	}

	result = toValues(&value)
	if plies&1 == 1 {
		result = result.inverted()
	}
	residual = result.sub(&lucky)
	if vr {
		result = residual
	}
	return result, residual
}

// balanced tells whether every pair of first rolls comes equally often.
func (o *Options) balanced() bool { return o.TargetSE == 0 && o.Trials%(36*36) == 0 }
