package main

import (
	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
)

// The outputs of the net, and what is known of a side: moments of the number of
// rolls to bear off everything, and to bear off the first of fifteen checkers.
const (
	mean = iota
	variance
	skew // third central moment
	firstMean
	firstVariance
	numMoments
)

type moments [numMoments]float64

type home = [bearoff.Points]uint8

// homes holds the moments of all home boards.
type homes struct {
	order []home // as package features numbers them
	of    map[home]moments
}

func readHomes(db *bearoff.DB) *homes {
	h := &homes{of: map[home]moments{}}
	var board home
	// list lists the boards with n checkers on the points from behind to the 6-point.
	var list func(behind, n int)
	list = func(behind, n int) {
		if behind == len(board)-1 {
			board[behind] = uint8(n)
			h.order = append(h.order, board)
			h.of[board] = ofDist(db.Rolls(&board))
			return
		}
		for beyond := range n + 1 {
			board[behind] = uint8(n - beyond)
			list(behind+1, beyond)
		}
	}
	for n := range bg.Checkers + 1 {
		list(0, n)
	}
	return h
}

// upTo returns the boards of up to n checkers.
func (h *homes) upTo(n int) []home {
	for i, board := range h.order {
		checkers := 0
		for _, c := range board {
			checkers += int(c)
		}
		if checkers > n {
			return h.order[:i]
		}
	}
	return h.order
}

// ofDist returns the moments of a distribution.
func ofDist(d *bearoff.Dist) (m moments) {
	m[mean], m[variance], m[skew] = central(d.P[:])
	m[firstMean], m[firstVariance], _ = central(d.First[:])
	return m
}

func central(p []float32) (mean, variance, skew float64) {
	for n, q := range p {
		mean += float64(n) * float64(q)
	}
	for n, q := range p {
		x := float64(n) - mean
		variance += float64(q) * x * x
		skew += float64(q) * x * x * x
	}
	return mean, variance, skew
}

// base is the estimate that the net adds to: those outside put on the 6-point, and
// the pips to bring them there at 49/6 a roll. It must be that of
// features.rolls.estimate.
func (h *homes) base(s *bg.Side) moments {
	board := home(s[:bearoff.Points])
	pips := 0
	for i, c := range s[bearoff.Points:bg.Bar] {
		board[5] += c
		pips += (i + 1) * int(c)
	}
	m := h.of[board]
	more := float64(pips) / (49.0 / 6)
	m[mean] += more
	m[variance] += 0.2 * more
	m[firstMean] += more
	m[firstVariance] += 0.2 * more
	return m
}
