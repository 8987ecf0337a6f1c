package main

import (
	"math"

	"bgtrain/internal/bg"
	"bgtrain/internal/parallel"
)

// side is one side of a race with checkers outside its home board.
type side struct {
	board bg.Side
	all   bool    // it has all fifteen checkers on the board
	value moments // from the net's values one roll later
}

// value sets the values of sides.
func (n *net) value(sides []side) {
	parallel.Ranges(0, len(sides), 1, func(from, to int) {
		var plays bg.Plays
		for i := from; i < to; i++ {
			n.valueOf(&sides[i], &plays)
		}
	})
}

// valueOf sets the value of one side: both numbers of rolls with the plays that make them least on average.
func (n *net) valueOf(s *side, plays *bg.Plays) {
	var after [len(bg.Rolls)]moments
	b := bg.Board{Me: s.board}
	for r := range bg.Rolls {
		least, leastFirst := math.Inf(1), math.Inf(1)
		var best, bestFirst bg.Side
		for _, p := range plays.Generate(&b, bg.Rolls[r].Hi, bg.Rolls[r].Lo) {
			m := n.moments(&p.Opp)
			first := m[firstMean]
			if p.Opp.OnBoard() < bg.Checkers {
				first = 0
			}
			if m[mean] < least {
				least, best = m[mean], p.Opp
			}
			if first < leastFirst {
				leastFirst, bestFirst = first, p.Opp
			}
		}
		after[r] = n.moments(&best)
		after[r][firstMean], after[r][firstVariance] = 0, 0
		if s.all && leastFirst > 0 {
			m := n.moments(&bestFirst)
			after[r][firstMean], after[r][firstVariance] = m[firstMean], m[firstVariance]
		}
	}
	var v moments
	for r := range after {
		p := float64(bg.Rolls[r].Weight) / 36
		v[mean] += p * after[r][mean]
		v[firstMean] += p * after[r][firstMean]
	}
	for r := range after {
		p, m := float64(bg.Rolls[r].Weight)/36, &after[r]
		d := m[mean] - v[mean]
		v[variance] += p * (m[variance] + d*d)
		v[skew] += p * (m[skew] + 3*d*m[variance] + d*d*d)
		d = m[firstMean] - v[firstMean]
		v[firstVariance] += p * (m[firstVariance] + d*d)
	}
	v[mean]++ // the roll itself
	v[firstMean]++
	s.value = v
}
