package features

import (
	"math/bits"
	"strconv"

	"bgtrain/internal/bg"
)

// The inputs of a side beyond GNU Backgammon's, each a number of rolls.
const (
	bcHits    = 0                // that hit on each point
	bcMakes   = bcHits + bg.Bar  // that make it
	bcEscapes = bcMakes + bg.Bar // with which a checker escapes from it, from the 7-point to the bar
	bcSide    = bcEscapes + 25 - bcFirst
	bcFirst   = 6 // index of the 7-point
	bcSize    = contactInputs + 2*bcSide
)

// Contact is bgtrain's own set for contact: GNU Backgammon's inputs, which count the rolls that hit or escape on
// all points together, and the same point by point, with the rolls that make each point.
var Contact = register(&Set{
	Name:    "bgtrain-contact",
	Version: 1,
	Size:    bcSize,
	About:   "gnubg-contact, and the rolls with which a side hits on, makes or escapes from each point",
	Encode: func(b *bg.Board, dst []float32) {
		d := (*[bcSize]float32)(dst)
		var m, o facts
		m.read(&b.Me)
		o.read(&b.Opp)
		encodeContact(b, &m, &o, (*[contactInputs]float32)(d[:]))
		encodeRolls(&m, &o, (*[2 * bcSide]float32)(d[contactInputs:]))
	},
	inputName: rollsName,
})

func rollsName(i int) string {
	if i < contactInputs {
		return contactName(i, false)
	}
	i -= contactInputs
	side := sides[1-i/bcSide]
	switch i %= bcSide; {
	case i < bcMakes:
		return side + " hits on point " + strconv.Itoa(i+1)
	case i < bcEscapes:
		return side + " makes point " + strconv.Itoa(i-bcMakes+1)
	case i == bcSide-1:
		return side + " escapes from the bar"
	}
	return side + " escapes from point " + strconv.Itoa(i-bcEscapes+bcFirst+1)
}

// encodeRolls writes the inputs of both sides beyond GNU Backgammon's.
func encodeRolls(m, o *facts, d *[2 * bcSide]float32) {
	var n [2]nextRoll
	n[0].read(m, o)
	n[1].read(o, m)
	writeRolls(level, &n, d)
	encodeEscapes(m, o, (*[bcSide - bcEscapes]float32)(d[bcEscapes:]))
	encodeEscapes(o, m, (*[bcSide - bcEscapes]float32)(d[bcSide+bcEscapes:]))
}

// encodeEscapes writes the inputs of f's escapes.
func encodeEscapes(f, o *facts, d *[bcSide - bcEscapes]float32) {
	clear(d[:])
	for m := f.occupied >> bcFirst; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m)
		d[i] = twelfths[escapes[o.made>>(bg.Bar-bcFirst-i)&0xfff]]
	}
}

// twelfths are numbers of rolls as inputs.
var twelfths = func() (t [256]float32) {
	for n := range t {
		t[n] = float32(n) / 12
	}
	return t
}()
