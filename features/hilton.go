package features

import (
	"fmt"

	"bgtrain/internal/bg"
)

// The inputs of one side in the two sets of Jacob Hilton's program (github.com/jacobhilton/backgammon, which calls
// them Modified and Expanded): the points, the bar, the checkers borne off.
const (
	hilton198Side = 24*4 + 2 + 1
	hilton326Side = 24*6 + 4 + bg.Checkers
)

// Hilton198 is his input set of the published experiments.
var Hilton198 = register(&Set{
	Name:    "hilton-198",
	Version: 1,
	Size:    2 * hilton198Side,
	About:   "Jacob Hilton's first: four a point, two for the bar, one for checkers off; player on roll first",
	Encode: func(b *bg.Board, dst []float32) {
		d := (*[2 * hilton198Side]float32)(dst)
		encodeHilton198(&b.Me, (*[hilton198Side]float32)(d[:hilton198Side]))
		encodeHilton198(&b.Opp, (*[hilton198Side]float32)(d[hilton198Side:]))
	},
	inputName: func(i int) string {
		side := sides[1-i/hilton198Side]
		switch i %= hilton198Side; {
		case i < 96:
			return pointName(side, i/4, i%4, [4]string{"=1", ">=2", ">=3", "above 3"})
		case i < 98:
			return side + " bar " + [2]string{">=1", "above 1"}[i-96]
		}
		return side + " off"
	},
})

// Hilton326 is his larger input set.
var Hilton326 = register(&Set{
	Name:    "hilton-326",
	Version: 1,
	Size:    2 * hilton326Side,
	About:   "Jacob Hilton's second: six a point, four for the bar, fifteen for checkers off; player on roll first",
	Encode: func(b *bg.Board, dst []float32) {
		d := (*[2 * hilton326Side]float32)(dst)
		encodeHilton326(&b.Me, (*[hilton326Side]float32)(d[:hilton326Side]))
		encodeHilton326(&b.Opp, (*[hilton326Side]float32)(d[hilton326Side:]))
	},
	inputName: func(i int) string {
		side := sides[1-i/hilton326Side]
		switch i %= hilton326Side; {
		case i < 144:
			return fmt.Sprintf("%s point %d %s", side, i/6+1,
				[6]string{"=1", ">=2", ">=3", ">=4", ">=5", "above 5"}[i%6])
		case i < 148:
			return side + " bar " + orMore[i-144]
		}
		return fmt.Sprintf("%s off >=%d", side, i-147)
	},
})

// hiltonFour and hiltonSix hold the inputs of a point by its checkers: exactly
// one, at least two, …, and half of those above three and five.
var hiltonFour, hiltonSix = func() (four [256][4]float32, six [256][6]float32) {
	for n := range four {
		for k := 1; k < 6; k++ {
			if n >= k && (k > 1 || n == 1) {
				six[n][k-1] = 1
				if k < 4 {
					four[n][k-1] = 1
				}
			}
		}
		four[n][3] = float32(max(n, 3)-3) / 2
		six[n][5] = float32(max(n, 5)-5) / 2
	}
	return four, six
}()

func encodeHilton198(s *bg.Side, d *[hilton198Side]float32) {
	n := int(s[bg.Bar])
	for i := range bg.Bar {
		n += int(s[i])
		*(*[4]float32)(d[4*i:]) = hiltonFour[s[i]]
	}
	bar := int(s[bg.Bar])
	d[96] = float32(min(bar, 1))
	d[97] = float32(max(bar, 1)-1) / 2
	d[98] = tesauroOff[max(0, bg.Checkers-n)]
}

func encodeHilton326(s *bg.Side, d *[hilton326Side]float32) {
	n := int(s[bg.Bar])
	for i := range bg.Bar {
		n += int(s[i])
		*(*[6]float32)(d[6*i:]) = hiltonSix[s[i]]
	}
	*(*[4]float32)(d[144:]) = barInputs[s[bg.Bar]]
	off := bg.Checkers - n
	for k := range bg.Checkers {
		d[148+k] = 0
		if k < off {
			d[148+k] = 1
		}
	}
}
