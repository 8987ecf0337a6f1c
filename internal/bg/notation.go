package bg

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// step is one checker moved by one die. Points are counted from 1 as players
// count them: 25 is the bar, 0 off.
type step struct {
	from, to int
	hit      bool
}

// Notation writes the play that leads from before to after, a result of
// Plays.Generate for the roll d1, d2: "13/11 6/5", "24/18*/13", "bar/22 6/4(2)",
// "6/off". A star marks a hit, a number in brackets several checkers alike; a
// checker that moves on without a hit is written as one move. A player who
// cannot move gives "cannot move", a position that no play leads to
// "illegal play".
//
// It searches for the play and is meant for people, not for inner loops.
func Notation(before, after *Board, d1, d2 int) string {
	target := after.Swapped()
	if *before == target {
		return "cannot move"
	}
	var steps []step
	found := false
	if d1 == d2 {
		steps, found = findPlay(*before, target, []int{d1, d1, d1, d1}, Bar+1, nil)
	} else {
		hi, lo := max(d1, d2), min(d1, d2)
		if steps, found = findPlay(*before, target, []int{hi, lo}, 0, nil); !found {
			steps, found = findPlay(*before, target, []int{lo, hi}, 0, nil)
		}
	}
	if !found {
		return "illegal play"
	}
	return formatPaths(joinSteps(steps))
}

// findPlay looks for steps that lead from b to target, playing the dice in the
// order given. Of doubles, which are played from the rear forward, last is the
// point of the step before; else it is 0.
func findPlay(b, target Board, dice []int, last int, made []step) ([]step, bool) {
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
		s := step{from: from + 1, to: max(0, from+1-dice[0])}
		s.hit = s.to > 0 && b.Opp[Bar-s.to] > 0
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

// path is the way of one checker: where it starts, where it hits on the way,
// and where it ends.
type path struct {
	from, to int
	via      []int
	hit      bool // at its end
	n        int  // checkers that go the same way
}

// joinSteps makes one path of the steps of each checker, rearmost first.
func joinSteps(steps []step) []path {
	steps = slices.Clone(steps)
	slices.SortStableFunc(steps, func(a, b step) int {
		return cmp.Or(b.from-a.from, b.to-a.to)
	})
	var paths []path
	for len(steps) > 0 {
		p := path{from: steps[0].from, to: steps[0].to, hit: steps[0].hit, n: 1}
		steps = slices.Delete(steps, 0, 1)
		for p.to > 0 {
			i := slices.IndexFunc(steps, func(s step) bool { return s.from == p.to })
			if i < 0 {
				break
			}
			if p.hit {
				p.via = append(p.via, p.to)
			}
			p.to, p.hit = steps[i].to, steps[i].hit
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
