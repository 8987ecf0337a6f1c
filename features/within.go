package features

import (
	_ "embed"
	"fmt"

	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
)

// within holds the probabilities that one side has done something within 1, 2, …
// rolls, if it plays for this alone.
type within struct {
	off  [horizon]float32 // all its checkers are off
	safe [horizon]float32 // one is, so it loses no gammon any more
}

// horizon is the number of rolls that are looked at one by one.
const horizon = 8

// withinData is the tables that set reads, as rollsgen writes them:
//
//	off, of each home board of up to exactOff checkers          little endian uint16, of 65535
//	the same with one checker outside and up to five in the home
//	board, and with two and up to three                         likewise
//	safe, of all ways to have up to two checkers outside the home
//	board, each with every set of home points that are occupied uint8, of 255
//	the same with three and four outside; the 6-point is taken
//	for occupied                                                uint8
//
//go:embed within.bin
var withinFile string

var withinData = checked(sizedWithin(withinFile))

func sizedWithin(data string) (string, error) {
	if len(data) != withinSize {
		return "", fmt.Errorf("features/within.bin: %d bytes, %d expected; go run ./features/rollsgen -within makes it",
			len(data), withinSize)
	}
	return data, nil
}

const (
	exactOff = 10
	numExact = 8008 // home boards of up to that many checkers

	maxOutside    = 4
	outsidePoints = bg.Bar - homePoints
	numOne        = outsidePoints                           // ways to have one checker outside
	numTwo        = outsidePoints * (outsidePoints + 1) / 2 // ways to have two there
	numTwoOutside = 1 + numOne + numTwo                     // ways to have up to two
	numThree      = numTwo * (outsidePoints + 2) / 3
	numFour       = numThree * (outsidePoints + 3) / 4
	numOutside    = numTwoOutside + numThree + numFour // ways to have up to four

	homeOfOne = 5 // checkers in the home board at most, with one outside
	numOfOne  = 462
	homeOfTwo = 3
	numOfTwo  = 84

	oneData    = 2 * horizon * numExact
	twoData    = oneData + 2*horizon*numOne*numOfOne
	safeData   = twoData + 2*horizon*numTwo*numOfTwo
	threeData  = safeData + 64*horizon*numTwoOutside
	withinSize = threeData + 32*horizon*(numOutside-numTwoOutside)
)

// outsideTable holds C(p+j, j+1), outsideBase the number of ways to have fewer
// than k checkers outside, for outsideIndex.
var (
	outsideTable = func() (c [maxOutside][outsidePoints]uint16) {
		for j := range c {
			for p := 1; p < len(c[j]); p++ {
				below := uint16(1)
				if j > 0 {
					below = c[j-1][p]
				}
				c[j][p] = c[j][p-1] + below
			}
		}
		return c
	}()
	outsideBase = [maxOutside + 1]uint16{0, 1, 1 + numOne, numTwoOutside, numTwoOutside + numThree}
)

// outsideIndex numbers the ways to have up to maxOutside checkers outside the
// home board by the combinatorial number system, fewer checkers first.
func outsideIndex(s *bg.Side, checkers uint8) int {
	id := int(outsideBase[checkers])
	j := 0
	for p, c := range s[homePoints:bg.Bar] {
		for range c {
			id += int(outsideTable[j&(maxOutside-1)][p])
			j++
		}
	}
	return id
}

// set sets w to the probabilities of a side whose rolls are r. They are exact for few checkers. Those of safe are
// nearly so with up to maxOutside checkers outside the home board: the table goes by which home points are
// occupied, not by how many. Others are normal, with r's moments.
func (w *within) set(s *bg.Side, r *rolls) {
	home := (*[homePoints]uint8)(s[:homePoints])
	id, checkers := bearoff.Index(home)
	outside := uint8(0)
	for _, c := range s[homePoints:bg.Bar] {
		outside += c
	}

	if at := offAt(s, id, checkers, outside); at >= 0 {
		for n := range w.off {
			w.off[n] = float32(uint16(withinData[at+2*n])|uint16(withinData[at+2*n+1])<<8) * (1. / 65535)
		}
	} else {
		cumulate(&w.off, r.mean, r.variance, r.skew)
	}

	switch {
	case checkers+int(outside) < bg.Checkers:
		for n := range w.safe {
			w.safe[n] = 1
		}
	case outside == 0: // one roll, seldom two
		w.safe[0] = min(max(2-r.firstMean, 0), 1)
		for n := range w.safe[1:] {
			w.safe[1+n] = 1
		}
	case outside <= maxOutside:
		at := safeAt(s, outside)
		for n := range w.safe {
			w.safe[n] = float32(withinData[at+n]) * (1. / 255)
		}
	default:
		cumulate(&w.safe, r.firstMean, r.firstVariance, 0)
	}
}

// offAt returns where withinData has off for a side, -1 where it does not: id and
// checkers are those of its home board, outside the number of its other checkers.
func offAt(s *bg.Side, id, checkers int, outside uint8) int {
	switch {
	case outside == 0 && checkers <= exactOff:
		return 2 * horizon * id
	case outside == 1 && checkers <= homeOfOne:
		return oneData + 2*horizon*((outsideIndex(s, 1)-int(outsideBase[1]))*numOfOne+id)
	case outside == 2 && checkers <= homeOfTwo:
		return twoData + 2*horizon*((outsideIndex(s, 2)-int(outsideBase[2]))*numOfTwo+id)
	}
	return -1
}

// safeAt returns where withinData has safe for a side of fifteen checkers, up to maxOutside of them outside.
func safeAt(s *bg.Side, outside uint8) int {
	held := 0
	for i, c := range s[:homePoints] {
		if c != 0 {
			held |= 1 << i
		}
	}
	way := outsideIndex(s, outside)
	if way < numTwoOutside {
		return safeData + (way*64+held)*horizon
	}
	held &= 31
	return threeData + ((way-numTwoOutside)*32+held)*horizon
}

// cumulate sets p to the distribution function of a number of rolls, from its moments.
func cumulate(p *[horizon]float32, mean, variance, skew float32) {
	s, third := standard(variance, skew)
	last := float32(0) // the series may turn down
	for n := range p {
		if z := (float32(n) + 1.5 - mean) * s; z > -maxZ {
			last = max(last, edgeworth(z, -third))
		}
		p[n] = last
	}
}

// first returns the probability that a number of rolls with distribution function a is no greater than one with b,
// or less than that one if strict. later is that probability if both are beyond the horizon.
func first(a, b *[horizon]float32, strict bool, later float32) float32 {
	p, before, until := float32(0), float32(0), float32(0)
	for n := range a {
		// With n+1 rolls of a, b must need as many or, if strict, more.
		if strict {
			until = b[n]
		}
		p += float32((a[n] - before) * (1 - until))
		before, until = a[n], b[n]
	}
	return p + float32(float32((1-before)*(1-until))*later)
}
