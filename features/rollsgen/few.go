package main

import (
	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
)

// How many checkers a side has in its home board at most, for each number of
// checkers outside, to be one of features.withinData's few.
var fewHome = [...]int{1: 5, 2: 3}

// few computes how many rolls a side of few checkers needs that has some outside,
// with the plays that make it least on average.
type few struct {
	db    *bearoff.DB
	known map[bg.Side]*distribution
}

// distribution is that of a number of rolls.
type distribution struct {
	p    [32]float64 // of exactly that many
	mean float64
}

func newFew(db *bearoff.DB) *few { return &few{db, map[bg.Side]*distribution{}} }

// of returns the distribution of a side.
func (f *few) of(s *bg.Side) *distribution {
	if d := f.known[*s]; d != nil {
		return d
	}
	d := &distribution{}
	f.known[*s] = d
	if s.Back() < bearoff.Points {
		for n, p := range f.db.Rolls((*[bearoff.Points]uint8)(s[:bearoff.Points])).P {
			d.p[n] = float64(p)
			d.mean += float64(n) * float64(p)
		}
		return d
	}
	var plays bg.Plays
	b := bg.Board{Me: *s}
	for _, r := range bg.Rolls {
		var best *distribution
		// What follows generates plays too, so they are kept.
		for _, p := range append([]bg.Board(nil), plays.Generate(&b, r.Hi, r.Lo)...) {
			if after := f.of(&p.Opp); best == nil || after.mean < best.mean {
				best = after
			}
		}
		w := float64(r.Weight) / 36
		for n, p := range best.p[:len(best.p)-1] {
			d.p[n+1] += w * p
		}
		d.mean += w * (1 + best.mean)
	}
	return d
}
