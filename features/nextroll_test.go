package features

import "bgtrain/internal/bg"

// The slow second version of bgtrain-contact: hits by playing each roll, points made
// by going through the checkers that may come.

func refContactRolls(b *bg.Board) []float32 {
	x := refContact(b, false)
	for _, s := range [2][2]*bg.Side{{&b.Me, &b.Opp}, {&b.Opp, &b.Me}} {
		own, other := s[0], s[1]
		x = append(x, refRollsThat(own, other, refHitsOn)...)
		x = append(x, refRollsThat(own, other, refMakes)...)
		for i := 6; i <= bg.Bar; i++ {
			n := 0
			if own[i] > 0 {
				n = refEscapes(other, i, false)
			}
			x = append(x, float32(n)/12)
		}
	}
	return x
}

// refRollsThat counts the rolls that do something on each point.
func refRollsThat(own, other *bg.Side, does func(own, other *bg.Side, d1, d2 int) [bg.Bar]bool) []float32 {
	var rolls [bg.Bar]int
	for d1 := 1; d1 <= 6; d1++ {
		for d2 := 1; d2 <= d1; d2++ {
			for p, yes := range does(own, other, d1, d2) {
				if yes && d1 == d2 {
					rolls[p]++
				} else if yes {
					rolls[p] += 2
				}
			}
		}
	}
	x := make([]float32, bg.Bar)
	for p, n := range rolls {
		x[p] = float32(n) / 12
	}
	return x
}

// refSteps are the numbers to play, in one order.
func refSteps(d1, d2 int) []int {
	if d1 == d2 {
		return []int{d1, d1, d1, d1}
	}
	return []int{d1, d2}
}

// refHitsOn states where a roll can hit.
func refHitsOn(own, other *bg.Side, d1, d2 int) (hit [bg.Bar]bool) {
	refPlay(*own, other, refSteps(d1, d2), bg.Bar, &hit)
	if d1 != d2 {
		refPlay(*own, other, refSteps(d2, d1), bg.Bar, &hit)
	}
	return hit
}

// refPlay plays steps in this order, in every way, and notes where they hit. Those of
// a double go on from no further back than the one before, which changes nothing.
func refPlay(own bg.Side, other *bg.Side, steps []int, from int, hit *[bg.Bar]bool) {
	if len(steps) == 0 {
		return
	}
	for i := from; i >= 0; i-- {
		if to := i - steps[0]; own[i] > 0 && to >= 0 && other[23-to] < 2 {
			if other[23-to] == 1 {
				hit[to] = true
			}
			next := own
			next[i]--
			next[to]++
			from := bg.Bar
			if len(steps) > 1 && steps[1] == steps[0] {
				from = i
			}
			refPlay(next, other, steps[1:], from, hit)
		}
		if i == bg.Bar && own[i] > 0 {
			return // the others may not move
		}
	}
}

// refMakes states which points a roll makes, as nextRoll means it.
func refMakes(own, other *bg.Side, d1, d2 int) (makes [bg.Bar]bool) {
	open := func(i int) bool { return i >= 0 && i < bg.Bar && other[23-i] < 2 }
	bar := int(own[bg.Bar])
	double := d1 == d2
	// entered is where a checker from the bar stands, if any, and left the steps that
	// remain to be played.
	type entry struct {
		entered []int
		left    []int
	}
	var entries []entry
	switch {
	case bar == 0:
		entries = []entry{{nil, refSteps(d1, d2)}}
	case double && open(bg.Bar-d1):
		e := entry{left: refSteps(d1, d1)[min(bar, 4):]}
		for range min(bar, 4) {
			e.entered = append(e.entered, bg.Bar-d1)
		}
		entries = []entry{e}
	case !double:
		for _, d := range [2][2]int{{d1, d2}, {d2, d1}} {
			if !open(bg.Bar - d[0]) {
				continue
			}
			e := entry{entered: []int{bg.Bar - d[0]}}
			if bar == 1 {
				e.left = []int{d[1]}
			}
			entries = append(entries, e)
		}
	}
	for _, e := range entries {
		// came says in how many steps checkers have come to each point so far, 0 for one
		// that enters there.
		var came [bg.Bar][5]bool
		come := func(p, n int) {
			switch own[p] {
			case 0:
				for other, yes := range came[p] {
					if yes && other+n <= len(e.left) {
						makes[p] = true
					}
				}
				came[p][n] = true
			case 1:
				makes[p] = true
			}
		}
		for _, at := range e.entered {
			come(at, 0)
		}
		for i := range bg.Bar {
			enters := len(e.entered) > 0 && e.entered[0] == i
			if own[i] == 0 && !enters {
				continue
			}
			for p, n := range refReach(i, e.left, open) {
				switch {
				case n == 0:
				case own[i] == 1 || own[i] > 2:
					come(p, n)
				case enters && own[p] == 1:
					makes[p] = true // it goes on to cover
				}
				if double && n > 0 && own[i] > 1 && own[p] == 0 && 2*n <= len(e.left) {
					makes[p] = true
				}
			}
		}
	}
	return makes
}

// refReach returns for each point how many of the steps left a checker needs to come
// there from i, or 0 if it cannot.
func refReach(i int, left []int, open func(int) bool) (steps [bg.Bar]int) {
	try := func(order ...int) {
		at := i
		for n, d := range order {
			if at -= d; !open(at) {
				return
			}
			steps[at] = n + 1
		}
	}
	try(left...)
	if len(left) == 2 {
		try(left[1], left[0])
	}
	return steps
}
