package features

import "bgtrain/internal/bg"

// The slow second version of bgtrain-contact: hits by playing each roll, points made
// by going through the checkers that may come.

func refContactRolls(b *bg.Board) []float32 {
	x := refContact(b, false)
	for _, s := range [2][2]*bg.Side{{&b.Me, &b.Opp}, {&b.Opp, &b.Me}} {
		own, other := s[0], s[1]
		x = append(x, refHitsOn(own, other)...)
		for p := range bg.Bar {
			x = append(x, refRollsThat(func(d1, d2 int) bool { return refMakes(own, other, d1, d2, p) }))
		}
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

func refRollsThat(does func(d1, d2 int) bool) float32 {
	n := 0
	for d1 := 1; d1 <= 6; d1++ {
		for d2 := 1; d2 <= 6; d2++ {
			if does(d1, d2) {
				n++
			}
		}
	}
	return float32(n) / 12
}

// refSteps are the numbers to play, in one order.
func refSteps(d1, d2 int) []int {
	if d1 == d2 {
		return []int{d1, d1, d1, d1}
	}
	return []int{d1, d2}
}

// refHitsOn counts the rolls that can hit on each point.
func refHitsOn(own, other *bg.Side) []float32 {
	var rolls [bg.Bar]int
	for d1 := 1; d1 <= 6; d1++ {
		for d2 := 1; d2 <= 6; d2++ {
			var hit [bg.Bar]bool
			refPlay(*own, other, refSteps(d1, d2), bg.Bar, &hit)
			if d1 != d2 {
				refPlay(*own, other, refSteps(d2, d1), bg.Bar, &hit)
			}
			for p := range hit {
				if hit[p] {
					rolls[p]++
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

// refMakes says whether a roll makes point p, as nextRoll means it.
func refMakes(own, other *bg.Side, d1, d2, p int) bool {
	open := func(i int) bool { return i >= 0 && i < bg.Bar && other[23-i] < 2 }
	if own[p] > 1 || !open(p) {
		return false
	}
	spare := func(i int) bool { return i < bg.Bar && (own[i] == 1 || own[i] > 2) }
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
		// arrivals are the steps that it takes a checker to come to p, with 0 for one
		// that enters there.
		var spares, pairs []int
		for _, at := range e.entered {
			if at == p {
				spares = append(spares, 0)
			}
		}
		var places []int
		for i := range bg.Bar {
			if spare(i) && i != p {
				places = append(places, i)
			}
		}
		if len(e.entered) > 0 && e.entered[0] != p {
			if own[p] == 1 {
				places = append(places, e.entered[0]) // it may go on to cover
			}
		}
		for _, i := range places {
			if n := refArrives(i, p, e.left, open); n > 0 {
				spares = append(spares, n)
			}
		}
		for i := range bg.Bar {
			if n := refArrives(i, p, e.left, open); double && own[i] > 1 && n > 0 {
				pairs = append(pairs, n)
			}
		}
		if own[p] == 1 {
			if len(spares) > 0 {
				return true
			}
			continue
		}
		for k, n := range spares {
			for _, m := range spares[k+1:] {
				if n+m <= len(e.left) {
					return true
				}
			}
		}
		for _, n := range pairs {
			if 2*n <= len(e.left) {
				return true
			}
		}
	}
	return false
}

// refArrives returns how many of the steps left a checker needs from i to p, or 0 if
// it cannot come.
func refArrives(i, p int, left []int, open func(int) bool) int {
	try := func(order []int) int {
		at := i
		for n, d := range order {
			if at -= d; !open(at) {
				return 0
			}
			if at == p {
				return n + 1
			}
		}
		return 0
	}
	if n := try(left); n > 0 {
		return n
	}
	if len(left) == 2 {
		return try([]int{left[1], left[0]})
	}
	return 0
}
