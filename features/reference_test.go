package features

import "bgtrain/internal/bg"

// This file computes GNU Backgammon's contact inputs a second time, slowly and
// straight from their definitions: no masks, no tables but the dice. The tests
// hold the fast encoders to it, to the last bit.

// refContact returns the 250 inputs of gnubg-contact, or gnubg-crashed.
func refContact(b *bg.Board, crashed bool) []float32 {
	x := refPoints(b)
	mine, theirs := refHalf(&b.Me, &b.Opp), refHalf(&b.Opp, &b.Me)
	me, opp := b.Me.Off(), b.Opp.Off()
	if crashed {
		copy(mine, refOffFives(me))
		copy(theirs, refOffFives(opp))
	} else {
		copy(mine, refOffThrees(opp))
		copy(theirs, refOffThrees(me))
	}
	return append(append(x, mine...), theirs...)
}

// refPoints returns the 200 inputs of gnubg-prune.
func refPoints(b *bg.Board) []float32 {
	var x []float32
	for _, s := range []*bg.Side{&b.Opp, &b.Me} {
		for i, c := range s {
			n := int(c)
			var p [4]float32
			if i == bg.Bar {
				p[0], p[1] = is(n >= 1), is(n >= 2)
			} else {
				p[0], p[1] = is(n == 1), is(n == 2)
			}
			p[2] = is(n >= 3)
			if n > 3 {
				p[3] = float32(n-3) / 2
			}
			x = append(x, p[:]...)
		}
	}
	return x
}

// refRace returns the 214 inputs of gnubg-race.
func refRace(b *bg.Board) []float32 {
	points := refPoints(b)
	var x []float32
	for k, s := range []*bg.Side{&b.Opp, &b.Me} {
		x = append(x, points[100*k:100*k+92]...)
		off, cross := 15, 0
		for i, c := range s[:23] {
			off -= int(c)
			cross += i / 6 * int(c)
		}
		cross += 3 * int(s[23]) // none in a race
		for n := 1; n <= 14; n++ {
			x = append(x, is(off == n))
		}
		x = append(x, over(cross, 10))
	}
	return x
}

// refTesauro returns the 196 inputs of tesauro.
func refTesauro(b *bg.Board) []float32 {
	var x []float32
	for _, s := range []*bg.Side{&b.Me, &b.Opp} {
		for _, c := range s[:24] {
			n := int(c)
			x = append(x, is(n >= 1), is(n >= 2), is(n >= 3), max(0, float32(n-3)/2))
		}
		x = append(x, float32(s[bg.Bar])/2, float32(s.Off())/15)
	}
	return x
}

func is(b bool) float32 {
	if b {
		return 1
	}
	return 0
}

// over is n/d as GNU Backgammon's compiler has it.
func over(n, d int) float32 {
	reciprocal := float32(1) / float32(d)
	return float32(n) * reciprocal
}

func refOffThrees(off int) []float32 {
	switch {
	case off <= 2:
		return []float32{over(off, 3), 0, 0}
	case off <= 5:
		return []float32{1, over(off-3, 3), 0}
	}
	return []float32{1, 1, over(off-6, 3)}
}

func refOffFives(off int) []float32 {
	switch {
	case off <= 5:
		return []float32{over(off, 5), 0, 0}
	case off <= 10:
		return []float32{1, over(off-5, 5), 0}
	}
	return []float32{1, 1, over(off-10, 5)}
}

// refHalf returns the 25 inputs of one side, the first three left out.
func refHalf(s, opp *bg.Side) []float32 {
	x := make([]float32, contactSide)
	front := 23 - opp.Back() // the opponent's rearmost checker
	x[cBreakContact], x[cFreePips] = refPassing(s, front)
	x[cBackChecker] = over(s.Back(), 24)
	x[cBackAnchor], x[cForwardAnchor] = refAnchors(s)

	loss, one, two := 0, 0, 0
	for d1 := 1; d1 <= 6; d1++ {
		for d2 := 1; d2 <= 6; d2++ {
			pips, n := refHit(s, opp, min(d1, d2), max(d1, d2))
			loss += pips
			one += int(is(n > 0))
			two += int(is(n > 1))
		}
	}
	x[cPipLoss], x[cHit1], x[cHit2] = over(loss, 432), over(one, 36), over(two, 36)

	x[cBackEscapes] = over(refEscapes(s, opp.Back(), false), 36)
	x[cBackEscapes1] = over(refEscapes(s, opp.Back(), true), 36)
	back, all := 36, 36
	for i := 15; i <= 24; i++ {
		n := refEscapes(s, i, false)
		if i <= opp.Back() {
			back = min(back, n)
		}
		if i < 24 {
			all = min(all, n)
		}
	}
	x[cContainBack], x[cContain] = over(36-back, 36), over(36-all, 36)
	x[cContainBack2] = x[cContainBack] * x[cContainBack]
	x[cContain2] = x[cContain] * x[cContain]

	mobility := 0
	for i := 6; i <= 24; i++ {
		mobility += (i - 5) * int(s[i]) * refEscapes(opp, i, false)
	}
	x[cMobility] = over(mobility, 3600)
	x[cMoment] = over(refMoment(s), 400)
	x[cEnter], x[cEnter2] = refEnter(s, opp)
	x[cTiming] = over(refTiming(s, front), 100)
	x[cBackbone] = refBackbone(s)
	x[cBackGame], x[cBackGame1] = refBackGame(s)
	return x
}

func refPassing(s *bg.Side, front int) (toPass, free float32) {
	var a, b int
	for i, c := range s {
		if i > front {
			a += (i + 1 - front) * int(c)
		}
		if i < front {
			b += (i + 1) * int(c)
		}
	}
	return over(a, 167), over(b, 100)
}

func refAnchors(s *bg.Side) (back, forward float32) {
	rear := -1
	for i := range bg.Bar {
		if s[i] >= 2 {
			rear = i
		}
	}
	n := 12 // without any
	for i := 12; i < 18; i++ {
		if s[i] >= 2 {
			n = 24 - i
		}
	}
	for i := 23; i >= 18; i-- {
		if s[i] >= 2 {
			n = 24 - i
		}
	}
	return over(rear, 24), over(n, 6)
}

// refEscapes counts the rolls with which an opposing checker on its own index i
// escapes, beyond the nearest held point if asked.
func refEscapes(s *bg.Side, i int, beyond bool) int {
	held := func(pips int) bool {
		p := 23 - (i - pips) // as the blocking side numbers it
		return i >= 0 && p < bg.Bar && s[p] >= 2
	}
	nearest := 0
	if beyond {
		for nearest = 1; !held(nearest); nearest++ {
			if nearest == 12 {
				return 0
			}
		}
	}
	n := 0
	for d1 := 1; d1 <= 6; d1++ {
		for d2 := 1; d2 <= 6; d2++ {
			if d1+d2 > nearest && !held(d1+d2) && (!held(d1) || !held(d2)) {
				n++
			}
		}
	}
	return n
}

// refWay is one way to play a roll: its pips, and the places touched before the
// last, all of which must be open, or one of them.
type refWay struct {
	pips    int
	touched []int
	all     bool
}

// refWays lists the ways of a roll: each die alone first, the low one first.
func refWays(lo, hi int) []refWay {
	if lo != hi {
		return []refWay{{pips: lo}, {pips: hi}, {lo + hi, []int{lo, hi}, false}}
	}
	return []refWay{{pips: lo}, {2 * lo, []int{lo}, true}, {3 * lo, []int{lo, 2 * lo}, true},
		{4 * lo, []int{lo, 2 * lo, 3 * lo}, true}}
}

// refShots lists the places, from the rearmost, whose checkers hit in one way.
func refShots(s, opp *bg.Side, w refWay) []int {
	occupied := 0
	for _, c := range s[:6] {
		if c > 0 {
			occupied++
		}
	}
	var from []int
	for i := bg.Bar; i >= w.pips; i-- {
		to := i - w.pips
		blocked := 0
		for _, t := range w.touched {
			if opp[23-(i-t)] >= 2 {
				blocked++
			}
		}
		switch {
		case s[i] == 0, i < 6 && s[i] == 2, opp[23-to] != 1:
		case to < 2 && occupied <= 2:
		case w.all && blocked > 0, len(w.touched) > 0 && blocked == len(w.touched):
		default:
			from = append(from, i)
		}
	}
	return from
}

// refHit returns the most pips that the opponent may lose to a roll, and how
// many checkers it hits in GNU Backgammon's count.
func refHit(s, opp *bg.Side, lo, hi int) (pips, checkers int) {
	if s[bg.Bar] > 0 {
		return refHitFromBar(s, opp, lo, hi)
	}
	last := -1 // the place of the last direct hit
	for _, w := range refWays(lo, hi) {
		from := refShots(s, opp, w)
		if len(from) == 0 {
			continue
		}
		rear := from[0]
		pips = max(pips, rear-w.pips+1)
		if w.touched == nil {
			if rear != last || s[rear] > 1 {
				checkers++
			}
			last = rear
			if lo == hi && len(from) > 1 {
				checkers++
			}
			continue
		}
		checkers = max(checkers, 1)
		for _, t := range w.touched {
			if opp[23-(rear-t)] == 1 {
				checkers++
				break
			}
		}
	}
	return pips, checkers
}

// refHitFromBar is refHit with checkers on the bar.
func refHitFromBar(s, opp *bg.Side, lo, hi int) (pips, checkers int) {
	many := s[bg.Bar] > 1
	ways := refWays(lo, hi)
	entered := false
	for k, w := range ways {
		for _, i := range refShots(s, opp, w) {
			switch {
			case i == bg.Bar && w.touched == nil:
				checkers++
			case many:
				continue
			case i == bg.Bar:
				checkers = max(checkers, 1)
				for _, t := range w.touched {
					if opp[t+1] == 1 { // one pip off, but so it is
						checkers++
						break
					}
				}
			case w.touched != nil || entered || opp[ways[1-k].pips-1] >= 2:
				// Only the other die may enter, and it does not; for doubles
				// GNU Backgammon looks at twice the die here.
				continue
			default:
				entered = true
				checkers++
			}
			pips = max(pips, i-w.pips+1)
		}
	}
	return pips, checkers
}

func refMoment(s *bg.Side) int {
	ceil := func(a, b int) int { return (a + b - 1) / b }
	sum, n := 0, 0
	for i, c := range s {
		sum += i * int(c)
		n += int(c)
	}
	if n == 0 {
		return 0
	}
	mean := ceil(sum, n)
	squares, behind := 0, 0
	for i, c := range s {
		if i > mean {
			squares += (i - mean) * (i - mean) * int(c)
			behind += int(c)
		}
	}
	if behind == 0 {
		return 0
	}
	return ceil(squares, behind)
}

func refEnter(s, opp *bg.Side) (loss, chance float32) {
	lost, enters := 0, 0
	for d1 := 1; d1 <= 6; d1++ {
		for d2 := 1; d2 <= 6; d2++ {
			out1, out2 := opp[d1-1] >= 2, opp[d2-1] >= 2
			if !out1 && !out2 {
				enters++
			}
			switch {
			case s[bg.Bar] == 0:
			case d1 == d2 && out1:
				lost += 4 * d1
			case out1 && out2:
				lost += d1 + d2
			case s[bg.Bar] > 1 && out1:
				lost += d1
			case s[bg.Bar] > 1 && out2:
				lost += d2
			}
		}
	}
	return over(lost, 294), over(36-enters, 36)
}

func refTiming(s *bg.Side, front int) int {
	spare, pips := 0, 0
	for i := bg.Bar; i >= 6; i-- {
		n := int(s[i])
		if i < bg.Bar && i > max(front, 11) && n >= 2 {
			n -= 2
		}
		spare += n
		pips += i * n
	}
	for i := 5; i >= 0; i-- {
		if n := int(s[i]) - 2; n >= 0 || spare >= -n {
			spare += n
			pips += i * n
		}
	}
	return pips
}

func refBackbone(s *bg.Side) float32 {
	rear, weight, total := 0, 0, 0
	for i := 23; i > 0; i-- {
		if s[i] < 2 {
			continue
		}
		if rear == 0 {
			rear = i
			continue
		}
		w := 0
		switch d := rear - i; {
		case d <= 6:
			w = 11
		case d <= 11:
			w = 13 - d
		}
		weight += w * int(s[rear])
		total += int(s[rear])
	}
	if total == 0 {
		return 0
	}
	return 1 - over(weight, 11)/float32(total)
}

func refBackGame(s *bg.Side) (two, one float32) {
	anchors, n := 0, int(s[bg.Bar])
	for _, c := range s[18:24] {
		anchors += int(is(c >= 2))
		n += int(c)
	}
	switch {
	case anchors > 1:
		return float32(n-3) / 4, 0
	case anchors == 1:
		return 0, float32(n) / 8
	}
	return 0, 0
}
