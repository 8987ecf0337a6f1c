package features

import (
	"fmt"
	"strings"
)

// InputName returns what input i of the set is, in a word or two: "opponent's 6-point, two" or "hits one".
// README.md explains them.
func (s *Set) InputName(i int) string {
	if i < 0 || i >= s.Size {
		return fmt.Sprintf("no input %d", i)
	}
	return s.inputName(i)
}

// TwoHalves reports whether the inputs are two halves, each to its side what the other is to
// the other side.
func (s *Set) TwoHalves() bool {
	half := s.Size / 2
	for i := range half {
		mine, mySide := cutSide(s.inputName(i))
		its, itsSide := cutSide(s.inputName(half + i))
		if mine != its || mySide+itsSide != 1 {
			return false
		}
	}
	return s.Size%2 == 0
}

// cutSide takes the side off an input's name; side is its index in sides, or -1.
func cutSide(name string) (rest string, side int) {
	for side, word := range sides {
		if rest, ok := strings.CutPrefix(name, word+" "); ok {
			return rest, side
		}
	}
	return name, -1
}

// sides names the owners of the two halves of GNU Backgammon's sets.
var sides = [2]string{"opponent", "player"}

// pointName names one of the four inputs of a point, of index at, or the bar.
func pointName(side string, at, k int, counts [4]string) string {
	if at == 24 {
		return side + " bar " + counts[k]
	}
	return fmt.Sprintf("%s point %d %s", side, at+1, counts[k])
}

var (
	exactly = [4]string{"=1", "=2", ">=3", "above 3"}
	orMore  = [4]string{">=1", ">=2", ">=3", "above 3"}
)

func baseName(i int) string {
	at := i % sideInputs / 4
	counts := exactly
	if at == 24 {
		counts = orMore
	}
	return pointName(sides[i/sideInputs], at, i%4, counts)
}

func tesauroName(i int) string {
	side := sides[1-i/tesauroSide]
	switch i %= tesauroSide; i {
	case 96:
		return side + " bar"
	case 97:
		return side + " off"
	}
	return pointName(side, i/4, i%4, orMore)
}

func raceName(i int) string {
	side := sides[i/raceSide]
	switch i %= raceSide; {
	case i < raceOff:
		return pointName(side, i/4, i%4, exactly)
	case i < raceCross:
		return fmt.Sprintf("%s off =%d", side, i-raceOff+1)
	}
	return side + " crossovers"
}

var contactNames = [contactSide]string{
	cOff: "off 1", cOff + 1: "off 2", cOff + 2: "off 3",
	cBreakContact:  "break contact",
	cBackChecker:   "back checker",
	cBackAnchor:    "back anchor",
	cForwardAnchor: "forward anchor",
	cPipLoss:       "pip loss",
	cHit1:          "hits one",
	cHit2:          "hits two",
	cBackEscapes:   "back escapes",
	cContainBack:   "contains back",
	cContainBack2:  "contains back squared",
	cContain:       "contains",
	cContain2:      "contains squared",
	cMobility:      "mobility",
	cMoment:        "second moment",
	cEnter:         "enter loss",
	cEnter2:        "enter",
	cTiming:        "timing",
	cBackbone:      "backbone",
	cBackGame:      "back game",
	cBackGame1:     "back game, one anchor",
	cFreePips:      "free pips",
	cBackEscapes1:  "back escapes beyond",
}

// contactName names the inputs of both sets that measure contact.
func contactName(i int, crashed bool) string {
	if i < pruneInputs {
		return baseName(i)
	}
	block := (i - pruneInputs) / contactSide
	k := (i - pruneInputs) % contactSide
	side := sides[1-block]
	if k < cBreakContact && !crashed {
		side = sides[block] // the contact net has these the other way round
	}
	return side + " " + contactNames[k]
}
