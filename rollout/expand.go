package rollout

import (
	"bgtrain/internal/bg"
	"bgtrain/internal/player"
)

const numRolls = len(bg.Rolls)

// expander computes what a trial needs to know of a position: the play of a
// roll, and the values of all 21 rolls that luck is measured by. It belongs to
// one goroutine and allocates only while its memory grows.
type expander struct {
	o     *Options
	eval  *player.Evaluator
	small *player.Evaluator // nil where luck is not measured by it

	plays bg.Plays
	all   []bg.Board        // plays of all rolls
	first [numRolls + 1]int // where each roll's begin
	outs  []bg.Outputs      // of all, by the small nets or the player's own

	own     []bg.Board // what the player's own nets evaluate
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
func (x *expander) generate(b *bg.Board) {
	x.all = x.all[:0]
	for r := range bg.Rolls {
		x.first[r] = len(x.all)
		x.all = append(x.all, x.plays.Generate(b, bg.Rolls[r].Hi, bg.Rolls[r].Lo)...)
	}
	x.first[numRolls] = len(x.all)
}

func grow(outs *[]bg.Outputs, n int) []bg.Outputs {
	if cap(*outs) < n {
		*outs = make([]bg.Outputs, n+n/4+64)
	}
	return (*outs)[:n]
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
	x.eval.EvaluateBatch(x.all, outs)
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
	outs := grow(&x.outs, len(x.all))
	if x.small == nil {
		x.eval.EvaluateBatch(x.all, outs)
		for r := range l.value {
			at := x.first[r]
			best := at + player.Best(outs[at:x.first[r+1]])
			l.value[r] = outs[best].Inverted()
			if r == roll && ply == 0 {
				p = play{x.all[best], outs[best]}
			}
		}
	} else {
		x.small.EvaluateBatch(x.all, outs)
		if x.o.Luck == LuckPicked {
			p = x.valuePicks(roll, ply, l)
		} else {
			for r := range l.value {
				at := x.first[r]
				best := at + player.Best(outs[at:x.first[r+1]])
				l.value[r] = outs[best].Inverted()
			}
			if roll >= 0 && ply == 0 {
				p = x.choose(b, roll, 0)
			}
		}
	}
	l.setMean()
	if roll >= 0 && ply > 0 {
		p = x.choose(b, roll, ply)
	}
	return p
}

// valuePicks lets the player's own nets value the plays of each roll that the
// small nets like best, and at 0-ply all plays of the roll that was rolled, of
// which it returns the best.
func (x *expander) valuePicks(roll, ply int, l *luck) (p play) {
	if ply > 0 {
		roll = -1
	}
	x.own = x.own[:0]
	var picks [numRolls][maxPicks]int
	var n [numRolls]int // picks of each roll
	for r := range n {
		n[r] = x.pick(r, &picks[r])
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
	x.eval.EvaluateBatch(x.own, outs)
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
// best, best first, and returns how many there are.
func (x *expander) pick(r int, picks *[maxPicks]int) int {
	var equity [maxPicks]float32 // the opponent's: small is good
	n := 0
	for i := x.first[r]; i < x.first[r+1]; i++ {
		eq := x.outs[i].Equity()
		if n == x.o.Picks && eq >= equity[n-1] {
			continue
		}
		if n < x.o.Picks {
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
