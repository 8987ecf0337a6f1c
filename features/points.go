package features

import "bgtrain/internal/bg"

// pointInputs holds the four inputs of a point by its number of checkers: exactly one, exactly two, three or more,
// and half of those above three. It is as long as a count can get without a bounds check.
var pointInputs = func() (t [256][4]float32) {
	for n := range t {
		switch {
		case n == 0:
		case n < 3:
			t[n][n-1] = 1
		default:
			t[n][2] = 1
			t[n][3] = float32(n-3) / 2
		}
	}
	return t
}()

// barInputs holds the four inputs of a bar: at least one, at least two, three
// or more, and half of those above three.
var barInputs = func() (t [256][4]float32) {
	for n := range t {
		for k := range 3 {
			if n > k {
				t[n][k] = 1
			}
		}
		t[n][3] = float32(max(n, 3)-3) / 2
	}
	return t
}()

// sideInputs is the length of the point and bar inputs of one side.
const sideInputs = 25 * 4

// pruneInputs is the length of the point and bar inputs of both sides.
const pruneInputs = 2 * sideInputs

// GNUbgPrune is the input set of GNU Backgammon's pruning nets, and the first
// 200 inputs of its contact and crashed nets.
var GNUbgPrune = register(&Set{
	Name:    "gnubg-prune",
	Version: 1,
	Size:    pruneInputs,
	About:   "GNU Backgammon's pruning inputs: four a point and bar, opponent first",
	Encode: func(b *bg.Board, dst []float32) {
		encodeBase(b, (*[pruneInputs]float32)(dst))
	},
	inputName: baseName,
})

// encodeBase writes the points and bar of the opponent, then of the player on roll.
func encodeBase(b *bg.Board, dst *[pruneInputs]float32) {
	encodeSide(&b.Opp, (*[sideInputs]float32)(dst[:sideInputs]))
	encodeSide(&b.Me, (*[sideInputs]float32)(dst[sideInputs:]))
}

// encodeSide has no loop, whose own instructions would be half of all.
func encodeSide(s *bg.Side, dst *[sideInputs]float32) {
	encodeFour(s, dst, 0)
	encodeFour(s, dst, 4)
	encodeFour(s, dst, 8)
	encodeFour(s, dst, 12)
	encodeFour(s, dst, 16)
	encodeFour(s, dst, 20)
	*(*[4]float32)(dst[4*bg.Bar:]) = barInputs[s[bg.Bar]]
}

// encodeFour writes the points from index i on.
func encodeFour(s *bg.Side, dst *[sideInputs]float32, i int) {
	*(*[4]float32)(dst[4*i:]) = pointInputs[s[i]]
	*(*[4]float32)(dst[4*i+4:]) = pointInputs[s[i+1]]
	*(*[4]float32)(dst[4*i+8:]) = pointInputs[s[i+2]]
	*(*[4]float32)(dst[4*i+12:]) = pointInputs[s[i+3]]
}
