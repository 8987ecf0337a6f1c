package features

import "bgtrain/internal/bg"

// Offsets within the 25 contact inputs of one side; README.md explains each.
const (
	cOff           = iota // three inputs of checkers borne off
	_                     //
	_                     //
	cBreakContact         // pips to pass the opponent's rearmost checker
	cBackChecker          // rearmost checker
	cBackAnchor           // rearmost held point
	cForwardAnchor        // most advanced anchor
	cPipLoss              // pips the opponent loses to our hits
	cHit1                 // rolls that hit
	cHit2                 // rolls that hit two
	cBackEscapes          // rolls with which the opponent's rearmost checker escapes
	cContainBack          // the same for the best of our outfield before it
	cContainBack2         // squared
	cContain              // the same from all points
	cContain2             // squared
	cMobility             // how freely our checkers move
	cMoment               // second moment of the checkers behind the mean
	cEnter                // pips lost on the bar
	cEnter2               // chance to dance with one checker
	cTiming               // pips to play before the board breaks
	cBackbone             // gaps behind the rearmost held point
	cBackGame             // checkers in a back game
	cBackGame1            // checkers behind with one anchor
	cFreePips             // pips of checkers past all contact
	cBackEscapes1         // like cBackEscapes, passing our nearest block
	contactSide
)

const contactInputs = pruneInputs + 2*contactSide

// GNUbgContact is the input set of GNU Backgammon's contact net.
var GNUbgContact = register(&Set{
	Name:    "gnubg-contact",
	Version: 1,
	Size:    contactInputs,
	About:   "GNU Backgammon's contact inputs: points, opponent first, then 25 measures a side, player on roll first",
	Encode: func(b *bg.Board, dst []float32) {
		var m, o facts
		m.read(&b.Me)
		o.read(&b.Opp)
		encodeContact(b, &m, &o, (*[contactInputs]float32)(dst))
	},
	inputName: func(i int) string { return contactName(i, false) },
})

// GNUbgCrashed is the input set of GNU Backgammon's crashed net: that of the
// contact net but for the checkers borne off.
var GNUbgCrashed = register(&Set{
	Name:    "gnubg-crashed",
	Version: 1,
	Size:    contactInputs,
	About:   "GNU Backgammon's crashed inputs: as gnubg-contact, with another scale of checkers off",
	Encode: func(b *bg.Board, dst []float32) {
		d := (*[contactInputs]float32)(dst)
		var m, o facts
		m.read(&b.Me)
		o.read(&b.Opp)
		encodeMeasures(b, &m, &o, d)
		setOff(d, 0, &offCrashed, m.count)
		setOff(d, 1, &offCrashed, o.count)
	},
	inputName: func(i int) string { return contactName(i, true) },
})

// encodeContact writes the inputs of GNU Backgammon's contact net.
func encodeContact(b *bg.Board, m, o *facts, d *[contactInputs]float32) {
	encodeMeasures(b, m, o, d)
	// Each side's block holds the other's checkers off: so GNU Backgammon trained its contact net.
	setOff(d, 0, &offContact, o.count)
	setOff(d, 1, &offContact, m.count)
}

// encodeMeasures writes all inputs but the checkers borne off.
func encodeMeasures(b *bg.Board, m, o *facts, d *[contactInputs]float32) {
	encodeBase(b, (*[pruneInputs]float32)(d[:pruneInputs]))
	measure(m, o, &b.Me, (*[contactSide]float32)(d[pruneInputs:]))
	measure(o, m, &b.Opp, (*[contactSide]float32)(d[pruneInputs+contactSide:]))
}

// setOff writes the three inputs of checkers borne off in a side's block.
func setOff(d *[contactInputs]float32, block int, t *[16][3]float32, onBoard int) {
	at := pruneInputs + block*contactSide + cOff
	*(*[3]float32)(d[at:]) = t[(bg.Checkers-onBoard)&15]
}

// offContact and offCrashed hold the three inputs for 0 to 15 checkers off. Contact scales them in threes: 0 to 2,
// 3 to 5, 6 to 8, each from 0 to 2/3. Crashed scales them in fives: 1 to 5, 6 to 10, 11 to 15, each from 1/5 to 1.
var (
	offContact = offScale(3, 0, per3)
	offCrashed = offScale(5, 1, per5)
)

// offScale makes a table of three stretches of unit checkers each, the first of which begins with that number of
// checkers. Inputs of stretches passed are 1, those of stretches not yet reached 0.
func offScale(unit, first int, perUnit float32) (t [16][3]float32) {
	for n := range t {
		stretch := min(max(0, n-first)/unit, 2)
		for k := range stretch {
			t[n][k] = 1
		}
		t[n][stretch] = float32(n-stretch*unit) * perUnit
	}
	return t
}
