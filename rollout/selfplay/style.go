package selfplay

import (
	"math/rand/v2"

	"bgtrain/internal/bg"
)

// style bends a side's choice of plays for one game: every play's equity gets a
// bonus for what the style likes to see on the board, and some noise. So back
// games, primes, deep crashed boards and containment turn up, which a good
// player avoids or rarely needs.
type style struct {
	back  float32 // points for each of the first four checkers in the opponent's home board or on the bar
	deep  float32 // for each checker on the own ace and deuce points
	prime float32 // for each made point from the 3-point to the 9-point
	blots float32 // for each blot
	noise float32 // standard deviation of noise on each play's equity, points
}

// plain reports whether the style leaves the choice alone.
func (s *style) plain() bool { return *s == style{} }

// randomStyle draws the style of one side of one game. diversity from 0 to 1 is
// the share of sides that have one.
func randomStyle(rng *rand.Rand, diversity float64) style {
	if rng.Float64() >= diversity {
		return style{}
	}
	amount := func(most float64) float32 { return float32(rng.Float64() * most) }
	s := style{noise: []float32{0, 0.02, 0.05, 0.1, 0.2}[rng.IntN(5)]}
	switch rng.IntN(6) {
	case 0: // plays on with noise only
	case 1: // back game, ace-point game
		s.back = amount(0.25)
	case 2: // crunches
		s.deep = amount(0.12)
	case 3: // crunches and stays back: containment
		s.deep, s.back = amount(0.08), amount(0.2)
	case 4: // primes at any price
		s.prime, s.back = amount(0.15), amount(0.1)
	case 5: // loose
		s.blots = amount(0.08)
	}
	return s
}

// bonus returns what the style adds to the equity of a play; side is the board
// of the player who made it, after it.
func (s *style) bonus(side *bg.Side, rng *rand.Rand) float32 {
	var v float32
	if s.back != 0 {
		n := side[bg.Bar]
		for i := 18; i < 24; i++ {
			n += side[i]
		}
		v += s.back * float32(min(n, 4))
	}
	if s.deep != 0 {
		v += s.deep * float32(side[0]+side[1])
	}
	for i := range 24 {
		if s.prime != 0 && i >= 2 && i <= 8 && side[i] >= 2 {
			v += s.prime
		}
		if s.blots != 0 && side[i] == 1 {
			v += s.blots
		}
	}
	if s.noise != 0 {
		v += s.noise * float32(rng.NormFloat64())
	}
	return v
}
