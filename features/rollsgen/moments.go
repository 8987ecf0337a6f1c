package main

import (
	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
)

// The outputs of the net, moments of a side's the number of
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
	order []home // as package bearoff numbers them
	of    map[home]moments
}

func readHomes(db *bearoff.DB) *homes {
	h := &homes{bearoff.Homes(bearoff.NumOneSided), map[home]moments{}}
	for _, board := range h.order {
		h.of[board] = ofDist(db.Rolls(&board))
	}
	return h
}

// upTo returns the boards of up to n checkers.
func (h *homes) upTo(n int) []home { return h.order[:bearoff.Positions(n)] }

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

// base is the estimate that the net adds to: those outside put on the 6-point, and the pips to bring them there at
// 49/6 a roll. It must be that of features.rolls.estimate.
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
