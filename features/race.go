package features

import "bgtrain/internal/bg"

const (
	raceOff   = 23 * 4       // 14 inputs: exactly 1, 2, …, 14 checkers off
	raceCross = raceOff + 14 // crossovers to the home board
	raceSide  = raceCross + 1
)

// GNUbgRace is the input set of GNU Backgammon's race net. In a race nobody is
// on a 24-point or the bar, so these are left out.
var GNUbgRace = register(&Set{
	Name:    "gnubg-race",
	Version: 1,
	Size:    2 * raceSide,
	About:   "GNU Backgammon's race inputs: points, checkers off, crossovers, opponent first",
	Encode: func(b *bg.Board, dst []float32) {
		d := (*[2 * raceSide]float32)(dst)
		encodeRace(&b.Opp, (*[raceSide]float32)(d[:raceSide]))
		encodeRace(&b.Me, (*[raceSide]float32)(d[raceSide:]))
	},
	inputName: raceName,
})

// tenths holds n/10 for every possible number of crossovers.
var tenths = func() (t [3*bg.Checkers + 1]float32) {
	for n := range t {
		t[n] = float32(n) * per10
	}
	return t
}()

func encodeRace(s *bg.Side, dst *[raceSide]float32) {
	on := 0
	for i := range 23 {
		n := s[i]
		on += int(n)
		*(*[4]float32)(dst[4*i:]) = pointInputs[n]
	}
	clear(dst[raceOff:raceCross])
	// All fifteen off has no input of its own: the game is over.
	if off := bg.Checkers - on; off >= 1 && off <= 14 {
		dst[raceOff+off-1] = 1
	}
	quadrant := func(from int) (n int) {
		for _, c := range s[from : from+6] {
			n += int(c)
		}
		return n
	}
	cross := quadrant(6) + 2*quadrant(12) + 3*quadrant(18)
	dst[raceCross] = tenths[min(cross, len(tenths)-1)]
}
