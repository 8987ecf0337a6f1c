package features

import (
	"math"

	"bgtrain/internal/bg"
)

// Where the inputs beyond GNU Backgammon's are.
const (
	brSide  = 2 * raceSide      // rolls of each side, opponent first
	brMore  = 6                 // inputs of a side there
	brJoint = brSide + 2*brMore // win, win gammon, lose gammon
	brEach  = 4                 // inputs of each of these
	brSize  = brJoint + 3*brEach
)

// Race is bgtrain's own set for races: GNU Backgammon's inputs, and what a net has
// to spend many hidden units on to find in them, the rolls each side needs and
// the chances that follow. Kleinman (1980) took the difference of two pip counts
// for normal. Here it is the difference of two numbers of rolls, whose moments hold
// what stacks, gaps and checkers on low points cost; see rolls.
var Race = register(&Set{
	Name:    "bgtrain-race",
	Version: 1,
	Size:    brSize,
	About:   "gnubg-race, the rolls each side needs and the chances these give",
	Encode: func(b *bg.Board, dst []float32) {
		d := (*[brSize]float32)(dst)
		encodeRace(&b.Opp, (*[raceSide]float32)(d[:raceSide]))
		encodeRace(&b.Me, (*[raceSide]float32)(d[raceSide:brSide]))
		encodeRolls(b, (*[brSize - brSide]float32)(d[brSide:]))
	},
	inputName: raceRollsName,
})

func encodeRolls(b *bg.Board, d *[brSize - brSide]float32) {
	var me, opp rolls
	opp.estimate(&b.Opp)
	me.estimate(&b.Me)
	opp.encode((*[brMore]float32)(d[:]))
	me.encode((*[brMore]float32)(d[brMore:]))
	// I win if I need no more rolls than the opponent.
	chance((*[brEach]float32)(d[2*brMore:]),
		opp.mean-me.mean+0.5, me.variance+opp.variance, opp.skew-me.skew, true)
	// A gammon if he needs as many rolls for his first checker as I for my last: I
	// roll first.
	chance((*[brEach]float32)(d[2*brMore+brEach:]),
		opp.firstMean-me.mean+0.5, me.variance+opp.firstVariance, -me.skew, opp.firstMean > 0)
	// Lost if I need more rolls for my first checker than he for his last.
	chance((*[brEach]float32)(d[2*brMore+2*brEach:]),
		me.firstMean-opp.mean-0.5, opp.variance+me.firstVariance, -opp.skew, me.firstMean > 0)
}

func (r *rolls) encode(d *[brMore]float32) {
	d[0] = r.mean / 8
	d[1] = r.variance
	d[2] = r.skew
	d[3] = 1 / (1 + r.mean)
	d[4] = r.firstMean / 4
	d[5] = r.firstVariance
}

// chance encodes the probability that a difference of two numbers of rolls is no
// less than a bound, from its moments; mean is its mean less the bound, and a
// half more. If it is not possible the inputs are those of no chance.
func chance(d *[brEach]float32, mean, variance, skew float32, possible bool) {
	if !possible {
		d[0], d[1], d[2], d[3] = 0, -1, -1, 0
		return
	}
	// Sheppard's correction: whole numbers vary by 1/12 more than what they round.
	variance = max(variance-1./12, 0.04)
	s := 1 / float32(math.Sqrt(float64(variance)))
	z := min(max(mean*s, -maxZ), maxZ)
	t := (z + maxZ) * zSteps
	k := int(t)
	f := t - float32(k)
	lo, hi := &normal[k], &normal[k+1]
	p := lo.p + float32(f*(hi.p-lo.p))
	third := lo.third + float32(f*(hi.third-lo.third))
	p += float32(min(max(skew*s*s*s, -1), 1) * third)
	d[0] = min(max(p, 0), 1)
	d[1] = z / maxZ
	d[2] = min(max(z, -1.5), 1.5) / 1.5
	d[3] = mean / 8
}

const (
	maxZ   = 4
	zSteps = 32
)

// normal holds the normal distribution from -maxZ to maxZ in steps of 1/zSteps,
// and what Edgeworth's series adds to it for each unit of skewness.
var normal = func() (t [2*maxZ*zSteps + 2]struct{ p, third float32 }) {
	for i := range t {
		z := float64(i)/zSteps - maxZ
		t[i].p = float32(math.Erfc(-z/math.Sqrt2) / 2)
		t[i].third = float32((z*z - 1) * math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) / 6)
	}
	return t
}()

// raceRollsNames are the inputs of a side, then those of a chance.
var raceRollsNames = [...]string{
	"rolls", "rolls variance", "rolls skew", "rolls inverse", "rolls to first off", "rolls to first off variance",
	"chance", "deviations", "deviations to 1.5", "rolls ahead",
}

func raceRollsName(i int) string {
	switch {
	case i < brSide:
		return raceName(i)
	case i < brJoint:
		i -= brSide
		return sides[i/brMore] + " " + raceRollsNames[i%brMore]
	}
	i -= brJoint
	return [...]string{"win", "win gammon", "lose gammon"}[i/brEach] + " " + raceRollsNames[brMore+i%brEach]
}
