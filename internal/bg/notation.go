package bg

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Step is one checker moved by one die, or in a play as people write it by several. Points are counted from 1 as
// the player who moves counts them: 25 is the bar, 0 off.
type Step struct {
	From, To int
	Hit      bool
}

// Notation writes the play that leads from before to after, a result of Plays.Generate for the roll d1, d2: "13/11
// 6/5", "24/18*/13", "bar/22 6/4(2)", "6/off". A star marks a hit, a number in brackets several checkers alike; a
// checker that moves on without a hit is written as one move. A player who cannot move gives "cannot move", a
// position that no play leads to "illegal play".
//
// It searches for the play and is meant for people, not for inner loops.
func Notation(before, after *Board, d1, d2 int) string {
	if *before == after.Swapped() {
		return "cannot move"
	}
	steps, found := Steps(before, after, d1, d2)
	if !found {
		return "illegal play"
	}
	return formatPaths(joinSteps(steps))
}

// Steps returns the play that leads from before to after, as Notation, one step for each die in an order in which
// they can be made: none for a player who cannot move. It reports false when no play leads there.
func Steps(before, after *Board, d1, d2 int) ([]Step, bool) {
	target := after.Swapped()
	if d1 == d2 {
		return findPlay(*before, target, []int{d1, d1, d1, d1}, Bar+1, nil)
	}
	hi, lo := max(d1, d2), min(d1, d2)
	steps, found := findPlay(*before, target, []int{hi, lo}, 0, nil)
	if !found {
		steps, found = findPlay(*before, target, []int{lo, hi}, 0, nil)
	}
	return steps, found
}

// findPlay looks for steps that lead from b to target, playing the dice in the order given. Of doubles, which are
// played from the rear forward, last is the point of the step before; else it is 0.
func findPlay(b, target Board, dice []int, last int, made []Step) ([]Step, bool) {
	if b == target {
		return made, true
	}
	if len(dice) == 0 {
		return nil, false
	}
	src := sources(b.Me.occupied(), madeBy(&b.Opp)^pointSet, dice[0])
	for from := Bar; from >= 0; from-- {
		if src>>from&1 == 0 || last > 0 && from >= last {
			continue
		}
		s := Step{From: from + 1, To: max(0, from+1-dice[0])}
		s.Hit = s.To > 0 && b.Opp[Bar-s.To] > 0
		next := b.Swapped()
		move(&next, from, dice[0])
		bound := last
		if last > 0 {
			bound = from + 1
		}
		if steps, ok := findPlay(next.Swapped(), target, dice[1:], bound, append(made, s)); ok {
			return steps, true
		}
	}
	return nil, false
}

// path is the way of one checker: where it starts, where it hits on the way, and where it ends.
type path struct {
	from, to int
	via      []int
	hit      bool // at its end
	n        int  // checkers that go the same way
}

// joinSteps makes one path of the steps of each checker, rearmost first.
func joinSteps(steps []Step) []path {
	steps = slices.Clone(steps)
	slices.SortStableFunc(steps, func(a, b Step) int {
		return cmp.Or(b.From-a.From, b.To-a.To)
	})
	var paths []path
	for len(steps) > 0 {
		p := path{from: steps[0].From, to: steps[0].To, hit: steps[0].Hit, n: 1}
		steps = slices.Delete(steps, 0, 1)
		for p.to > 0 {
			i := slices.IndexFunc(steps, func(s Step) bool { return s.From == p.to })
			if i < 0 {
				break
			}
			if p.hit {
				p.via = append(p.via, p.to)
			}
			p.to, p.hit = steps[i].To, steps[i].Hit
			steps = slices.Delete(steps, i, i+1)
		}
		// The second checker to reach a point does not hit there.
		if i := slices.IndexFunc(paths, func(q path) bool {
			return q.from == p.from && q.to == p.to && slices.Equal(q.via, p.via)
		}); i >= 0 {
			paths[i].n++
			paths[i].hit = paths[i].hit || p.hit
			continue
		}
		paths = append(paths, p)
	}
	return paths
}

func formatPaths(paths []path) string {
	var t strings.Builder
	for i, p := range paths {
		if i > 0 {
			t.WriteByte(' ')
		}
		if p.from == Bar+1 {
			t.WriteString("bar")
		} else {
			fmt.Fprint(&t, p.from)
		}
		for _, v := range p.via {
			fmt.Fprintf(&t, "/%d*", v)
		}
		if p.to == 0 {
			t.WriteString("/off")
		} else {
			fmt.Fprintf(&t, "/%d", p.to)
		}
		if p.hit {
			t.WriteByte('*')
		}
		if p.n > 1 {
			fmt.Fprintf(&t, "(%d)", p.n)
		}
	}
	return t.String()
}
