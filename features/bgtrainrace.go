package features

import (
	"math"
	"strconv"

	"bgtrain/internal/bg"
)

// Where the inputs beyond GNU Backgammon's are.
const (
	brSide   = 2 * raceSide      // moments of each side's rolls, opponent first
	brMore   = 6                 // inputs of a side there
	brJoint  = brSide + 2*brMore // win, win gammon, lose gammon, from these moments
	brEach   = 4                 // inputs of each of these
	brWithin = brJoint + 3*brEach
	brRolls  = 6 // numbers of rolls there: off for each, safe for each, opponent first
	brFirst  = brWithin + 4*brRolls
	brRoots  = 3 // inputs of each of win, win gammon, lose gammon
	brSize   = brFirst + 3*brRoots
)

// Race is bgtrain's own set for races: GNU Backgammon's inputs, and what a net has to spend many hidden units on
// to find in them, the rolls each side needs and the chances that follow. Kleinman (1980) took the difference of
// two pip counts for normal. Here it is the difference of two numbers of rolls, whose moments hold what stacks,
// gaps and checkers on low points cost, see rolls; and when few rolls are left, their distributions, see within.
var Race = register(&Set{
	Name:    "bgtrain-race",
	Version: 2,
	Size:    brSize,
	About:   "gnubg-race, the rolls each side needs and the chances these give",
	Encode: func(b *bg.Board, dst []float32) {
		d := (*[brSize]float32)(dst)
		encodeRace(&b.Opp, (*[raceSide]float32)(d[:raceSide]))
		encodeRace(&b.Me, (*[raceSide]float32)(d[raceSide:brSide]))
		var me, opp rolls
		opp.estimate(&b.Opp)
		me.estimate(&b.Me)
		encodeMoments(&me, &opp, (*[brWithin - brSide]float32)(d[brSide:]))
		encodeWithin(b, &me, &opp, (*[brSize - brWithin]float32)(d[brWithin:]), (*[3 * brEach]float32)(d[brJoint:]))
	},
	inputName: raceRollsName,
})

// RaceTables returns the tables that the inputs of Race come from, by the names of
// their files: what an encoder in another language reads.
func RaceTables() map[string]string {
	return map[string]string{"rolls.bin": rollsData, "within.bin": withinFile}
}

func encodeMoments(me, opp *rolls, d *[brWithin - brSide]float32) {
	opp.encode((*[brMore]float32)(d[:]))
	me.encode((*[brMore]float32)(d[brMore:]))
	// I win if I need no more rolls than the opponent.
	chance((*[brEach]float32)(d[2*brMore:]),
		opp.mean-me.mean+0.5, me.variance+opp.variance, opp.skew-me.skew, true)
	// A gammon if he needs as many rolls for his first checker as I for my last: I roll first.
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

// encodeWithin encodes the distributions of both sides and the chances that they
// give; normal holds those that encodeMoments found.
func encodeWithin(b *bg.Board, me, opp *rolls, d *[brSize - brWithin]float32, normal *[3 * brEach]float32) {
	var mine, his within
	mine.set(&b.Me, me)
	his.set(&b.Opp, opp)
	copy(d[:], his.off[:brRolls])
	copy(d[brRolls:], his.safe[:brRolls])
	copy(d[2*brRolls:], mine.off[:brRolls])
	copy(d[3*brRolls:], mine.safe[:brRolls])
	const at = brFirst - brWithin
	roots((*[brRoots]float32)(d[at:]), first(&mine.off, &his.off, false, normal[0]))
	winGammon, loseGammon := float32(0), float32(0)
	if opp.firstMean > 0 {
		winGammon = first(&mine.off, &his.safe, false, normal[brEach])
	}
	if me.firstMean > 0 {
		loseGammon = first(&his.off, &mine.safe, true, normal[2*brEach])
	}
	roots((*[brRoots]float32)(d[at+brRoots:]), winGammon)
	roots((*[brRoots]float32)(d[at+2*brRoots:]), loseGammon)
}

// roots encodes a probability, with more room for those near 0 and 1.
func roots(d *[brRoots]float32, p float32) {
	p = min(max(p, 0), 1)
	d[0] = p
	d[1] = float32(math.Sqrt(float64(p)))
	d[2] = float32(math.Sqrt(float64(1 - p)))
}

// chance encodes the probability that a difference of two numbers of rolls is no
// less than a bound, from its moments; mean is its mean less the bound, and a
// half more. If it is not possible the inputs are those of no chance.
func chance(d *[brEach]float32, mean, variance, skew float32, possible bool) {
	if !possible {
		d[0], d[1], d[2], d[3] = 0, -1, -1, 0
		return
	}
	s, third := standard(variance, skew)
	z := min(max(mean*s, -maxZ), maxZ)
	d[0] = edgeworth(z, third)
	d[1] = z / maxZ
	d[2] = min(max(z, -1.5), 1.5) / 1.5
	d[3] = mean / 8
}

// raceRollsNames are the inputs of a side, then those of a chance.
var raceRollsNames = [...]string{
	"rolls", "rolls variance", "rolls skew", "rolls inverse", "rolls to first off", "rolls to first off variance",
	"chance", "deviations", "deviations to 1.5", "rolls ahead",
}

func raceRollsName(i int) string {
	chances := [...]string{"win", "win gammon", "lose gammon"}
	switch {
	case i < brSide:
		return raceName(i)
	case i < brJoint:
		i -= brSide
		return sides[i/brMore] + " " + raceRollsNames[i%brMore]
	case i < brWithin:
		i -= brJoint
		return chances[i/brEach] + " " + raceRollsNames[brMore+i%brEach]
	case i < brFirst:
		i -= brWithin
		what := [...]string{"all off", "first off"}[i/brRolls%2]
		return sides[i/brRolls/2] + " " + what + " within " + strconv.Itoa(i%brRolls+1)
	}
	i -= brFirst
	return chances[i/brRoots] + [...]string{" by rolls", " by rolls, root", " by rolls, root of the rest"}[i%brRoots]
}
