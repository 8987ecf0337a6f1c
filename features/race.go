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
	for i := range 23 {
		*(*[4]float32)(dst[4*i:]) = pointInputs[s[i]]
	}
	w0, w1, w2 := s.Words()
	on, _ := sums(w0, w1, w2)
	clear(dst[raceOff:raceCross])
	// All fifteen off has no input of its own: the game is over.
	if off := bg.Checkers - on + int(s[23]); off >= 1 && off <= 14 {
		dst[raceOff+off-1] = 1
	}
	// Quadrants to go, a byte for each point of a word, its last point first.
	const q0, q1, q2 = 0x0000000000000101, 0x0101010102020202, 0x0202030303030303
	cross := (w0*q0 + w1*q1 + w2*q2) >> 56
	dst[raceCross] = tenths[min(cross, uint64(len(tenths)-1))]
}
