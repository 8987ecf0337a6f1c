package features

import "bgtrain/internal/bg"

// tesauroSide is the number of Tesauro's inputs for one side.
const tesauroSide = 24*4 + 2

// Tesauro is the input set of TD-Gammon's first version, without its two inputs for the side to move: the player
// on roll always comes first. A side is its 1-point to 24-point, four inputs each, then its bar, then its checkers
// borne off.
var Tesauro = register(&Set{
	Name:    "tesauro",
	Version: 1,
	Size:    2 * tesauroSide,
	About:   "Tesauro's raw board: four a point, bar and off, player on roll first",
	Encode: func(b *bg.Board, dst []float32) {
		d := (*[2 * tesauroSide]float32)(dst)
		encodeTesauro(&b.Me, (*[tesauroSide]float32)(d[:tesauroSide]))
		encodeTesauro(&b.Opp, (*[tesauroSide]float32)(d[tesauroSide:]))
	},
	inputName: tesauroName,
})

// tesauroOff holds the input for 0 to 15 checkers borne off.
var tesauroOff = func() (t [16]float32) {
	for n := range t {
		t[n] = float32(n) / bg.Checkers
	}
	return t
}()

func encodeTesauro(s *bg.Side, dst *[tesauroSide]float32) {
	n := int(s[bg.Bar])
	for i := range bg.Bar {
		c := s[i]
		n += int(c)
		// A point counts like GNU Backgammon's bar: one, two, three or more.
		*(*[4]float32)(dst[4*i:]) = barInputs[c]
	}
	dst[96] = float32(s[bg.Bar]) / 2
	dst[97] = tesauroOff[max(0, bg.Checkers-n)]
}
