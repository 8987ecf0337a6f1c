package rollout

import "bgtrain/internal/bg"

// trial plays one game from the start of t. With variance reduction luck is taken
// off its result.
func (x *expander) trial(t *tree, d *trialDice, to *trialResult) {
	vr := x.o.Luck != LuckNone
	var lucky values // sum of luck, as the player who starts sees it
	var value bg.Outputs
	plies := 0
	rolls := [2]int{d.roll(0), d.roll(1)}

	// In the tree.
	n := &t.start
	for plies < t.depth && !n.over {
		children := &t.first
		if plies == 1 {
			children = &t.pairs[rolls[0]]
		}
		x.deepen(n, children, plies)
		l := n.luck.of(rolls[plies])
		lucky.addLuck(&l, plies == 1)
		n = &children[rolls[plies]]
		plies++
	}
	if n.over {
		value = n.value
	} else {
		// A leaf of the tree: its luck is known, its plays are not.
		roll := rolls[1]
		if plies == 2 {
			roll = d.roll(2)
		}
		l := n.luck.of(roll)
		lucky.addLuck(&l, plies == 1)
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
	to.values = toValues(&value)
	if plies&1 == 1 {
		to.values = to.values.inverted()
	}
	if vr {
		to.values = to.values.sub(&lucky)
	}
	to.first, to.second = uint8(rolls[0]), uint8(rolls[1])
}
