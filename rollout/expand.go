package rollout

import (
	"bgtrain/internal/bg"
	"bgtrain/internal/player"
)

const numRolls = len(bg.Rolls)

// expander computes what a trial needs of a position: the play of a
// roll, and the values of all 21 rolls that luck is measured by. It belongs to
// one goroutine and allocates only while its memory grows.
type expander struct {
	o     *Options
	eval  *player.Evaluator
	small *player.Evaluator // nil where luck is not measured by it

	plays bg.Plays // of one roll
	every bg.Plays // of all rolls

	all    []bg.Board        // results of every
	first  [numRolls + 1]int // where each roll's begin
	outs   []bg.Outputs      // of all, by the player's own nets
	equity []float32         // of all, the opponent's, by the small nets: small is good

	own     []bg.Board // what one of the players evaluates besides
	ownOuts []bg.Outputs

	scratch luck // of the position of a trial
}

func newExpander(p *player.Player, o *Options) *expander {
	x := &expander{o: o, eval: p.NewEvaluator()}
	if o.Small != nil && (o.Luck == LuckSmall || o.Luck == LuckPicked) {
		x.small = o.Small.NewEvaluator()
	}
	return x
}

// generate fills all and first.
func (x *expander) generate(b *bg.Board) { x.all = x.every.GenerateAll(b, &x.first) }

// grow returns n values of *s, which gets more room where it has less.
func grow[T any](s *[]T, n int) []T {
	if cap(*s) < n {
		*s = make([]T, n+n/4+64)
	}
	return (*s)[:n]
}

// play is a play's result, the opponent on roll, and the 0-ply outputs he sees.
type play struct {
	next bg.Board
	out  bg.Outputs
}

// choose returns the play that the player makes with a roll at a ply.
func (x *expander) choose(b *bg.Board, roll, ply int) (p play) {
	r := &bg.Rolls[roll]
	if ply > 0 {
		p.next, _ = x.eval.BestPlay(b, r.Hi, r.Lo, ply)
		p.out = x.eval.Evaluate(&p.next, 0)
		return p
	}
	plays := x.plays.Generate(b, r.Hi, r.Lo)
	outs := grow(&x.ownOuts, len(plays))
	x.eval.EvaluateBatch(plays, outs)
	best := player.Best(outs)
	return play{plays[best], outs[best]}
}

// chooseAll is choose for every roll.
func (x *expander) chooseAll(b *bg.Board, ply int, to *[numRolls]play) {
	if ply > 0 {
		for r := range to {
			to[r] = x.choose(b, r, ply)
		}
		return
	}
	x.generate(b)
	outs := grow(&x.outs, len(x.all))
	x.eval.EvaluateDistinct(x.all, outs)
	for r := range to {
		at := x.first[r]
		best := at + player.Best(outs[at:x.first[r+1]])
		to[r] = play{x.all[best], outs[best]}
	}
}

// luck measures the rolls from one position.
type luck struct {
	value [numRolls]bg.Outputs // after each roll, as the player who rolls sees it
	mean  values               // of value, over the 36 ordered rolls
}

func (l *luck) setMean() {
	l.mean = values{}
	for r := range l.value {
		for k, v := range l.value[r] {
			l.mean[k] += float64(bg.Rolls[r].Weight) * float64(v)
		}
	}
	for k := range l.mean {
		l.mean[k] /= 36
	}
}

// of returns the luck of a roll.
func (l *luck) of(roll int) values {
	v := toValues(&l.value[roll])
	return v.sub(&l.mean)
}

// measure fills l. If roll is not negative, it returns the play the player makes
// with it, at a ply.
func (x *expander) measure(b *bg.Board, roll, ply int, l *luck) (p play) {
	x.generate(b)
	known := false // whether p is
	switch {
	case x.small == nil:
		outs := grow(&x.outs, len(x.all))
		x.eval.EvaluateDistinct(x.all, outs)
		for r := range l.value {
			at := x.first[r]
			best := at + player.Best(outs[at:x.first[r+1]])
			l.value[r] = outs[best].Inverted()
			if r == roll && ply == 0 {
				p, known = play{x.all[best], outs[best]}, true
			}
		}
	case x.o.Luck == LuckPicked:
		x.rank(b)
		if ply == 0 {
			p, known = x.valuePicks(roll, l), true
		} else {
			x.valuePicks(-1, l)
		}
	default:
		x.rank(b)
		x.own = x.own[:0]
		var best [1]int
		for r := range l.value {
			x.pick(r, best[:])
			x.own = append(x.own, x.all[best[0]])
		}
		outs := grow(&x.ownOuts, numRolls)
		x.small.EvaluateBatch(x.own, outs)
		for r := range l.value {
			l.value[r] = outs[r].Inverted()
		}
	}
	l.setMean()
	if roll >= 0 && !known {
		p = x.choose(b, roll, ply)
	}
	return p
}

// rank fills equity.
func (x *expander) rank(b *bg.Board) {
	x.equity = grow(&x.equity, len(x.all))
	x.small.Rank(b, x.all, x.equity)
}

// valuePicks lets the player's own nets value the plays of each roll that the
// small nets like best, and all plays of one roll, if not negative, of which it
// returns the best.
func (x *expander) valuePicks(roll int, l *luck) (p play) {
	x.own = x.own[:0]
	var picks [numRolls][maxPicks]int
	var n [numRolls]int // picks of each roll
	for r := range n {
		n[r] = x.pick(r, picks[r][:x.o.Picks])
		if r == roll {
			continue
		}
		for _, i := range picks[r][:n[r]] {
			x.own = append(x.own, x.all[i])
		}
	}
	picked := len(x.own)
	if roll >= 0 {
		x.own = append(x.own, x.all[x.first[roll]:x.first[roll+1]]...)
	}
	outs := grow(&x.ownOuts, len(x.own))
	x.eval.EvaluateDistinct(x.own, outs)
	at := 0
	for r := range n {
		if r == roll {
			continue
		}
		best := at + player.Best(outs[at:at+n[r]])
		l.value[r] = outs[best].Inverted()
		at += n[r]
	}
	if roll < 0 {
		return p
	}
	// The picks of this roll are among its plays.
	var those [maxPicks]bg.Outputs
	for k, i := range picks[roll][:n[roll]] {
		those[k] = outs[picked+i-x.first[roll]]
	}
	l.value[roll] = those[player.Best(those[:n[roll]])].Inverted()
	best := picked + player.Best(outs[picked:])
	return play{x.own[best], outs[best]}
}

// pick writes the indices in all of the plays of roll r that the small nets like
// best, best first, at most as many as picks has room for, and returns how many
// there are.
func (x *expander) pick(r int, picks []int) int {
	var equity [maxPicks]float32
	n := 0
	for i := x.first[r]; i < x.first[r+1]; i++ {
		eq := x.equity[i]
		if n == len(picks) && eq >= equity[n-1] {
			continue
		}
		if n < len(picks) {
			n++
		}
		j := n - 1
		for ; j > 0 && equity[j-1] > eq; j-- {
			equity[j], picks[j] = equity[j-1], picks[j-1]
		}
		equity[j], picks[j] = eq, i
	}
	return n
}
