package player

import (
	"cmp"
	"slices"

	"bgtrain/internal/bg"
)

// level is the scratch of one depth of a look-ahead, so that a node's plays
// outlive the evaluation of its children.
type level struct {
	plays  bg.Plays
	equity []float32  // by the pruning nets
	kept   []bg.Board // results of the plays that these leave
	outs   []bg.Outputs
}

func (e *Evaluator) level(ply int) *level {
	for len(e.levels) <= ply {
		e.levels = append(e.levels, &level{})
	}
	return e.levels[ply]
}

// room returns n values of *s, which grows where it has less room.
func room[T any](s *[]T, n int) []T {
	if cap(*s) < n {
		*s = make([]T, n+64)
	}
	return (*s)[:n]
}

// Evaluate returns the outputs of the player on roll at a ply from 0 to MaxPly,
// in GNU Backgammon's counting. In the nodes of the look-ahead plays are chosen
// at 0-ply. Finished games and positions of the two-sided bearoff database are
// exact at any ply.
func (e *Evaluator) Evaluate(b *bg.Board, ply int) bg.Outputs {
	if ply == 0 || e.p.exact(b) {
		return e.evaluate0(b)
	}
	var key cacheKey
	var out bg.Outputs
	if e.p.cache != nil {
		key = makeCacheKey(b, ply)
		if e.p.cache.get(key, &out) {
			return out
		}
	}
	lv := e.level(ply)
	var best [len(bg.Rolls)]int
	e.chooseAll(lv, b, &best)
	for i := range bg.Rolls {
		o := lv.outs[best[i]]
		if ply > 1 {
			o = e.Evaluate(&lv.kept[best[i]], ply-1)
		}
		for k := range out {
			out[k] += bg.Rolls[i].Weight * o[k]
		}
	}
	for k := range out {
		out[k] /= 36
	}
	out = out.Inverted()
	if e.p.cache != nil {
		e.p.cache.put(key, &out)
	}
	return out
}

// chooseAll finds, for every roll, where in lv.kept the result of the best play at 0-ply stands, of the plays that
// the pruning nets preselect, where there are any. They are evaluated all at once. lv.outs are their outputs as the
// opponent sees them.
func (e *Evaluator) chooseAll(lv *level, b *bg.Board, best *[len(bg.Rolls)]int) {
	var first, from [len(bg.Rolls) + 1]int
	plays := lv.plays.GenerateAll(b, &first)
	lv.kept = lv.kept[:0]
	for r := range best {
		e.preselect(lv, b, plays[first[r]:first[r+1]])
		from[r+1] = len(lv.kept)
	}
	lv.outs = room(&lv.outs, len(lv.kept))
	e.EvaluateDistinct(lv.kept, lv.outs)
	for r := range best {
		best[r] = from[r] + Best(lv.outs[from[r]:from[r+1]])
	}
}

// Reply returns the result of the best play of a roll at 0-ply, the opponent on roll, as the nodes of a
// look-ahead choose it: of the plays that the pruning nets preselect, where they do.
func (e *Evaluator) Reply(b *bg.Board, d1, d2 int) bg.Board {
	lv := e.level(0)
	lv.kept = lv.kept[:0]
	e.preselect(lv, b, lv.plays.Generate(b, d1, d2))
	outs := room(&lv.outs, len(lv.kept))
	e.EvaluateBatch(lv.kept, outs)
	return lv.kept[Best(outs)]
}

// Best returns the index of the first of the outputs after some plays, as the
// opponent sees them, that leaves the opponent worst: GNU Backgammon's choice.
func Best(outs []bg.Outputs) int {
	best, bestEquity := 0, float32(-4)
	for i := range outs {
		mine := outs[i].Inverted()
		if eq := mine.Equity(); eq > bestEquity {
			best, bestEquity = i, eq
		}
	}
	return best
}

// Candidate is a legal play with its value.
type Candidate struct {
	Result  bg.Board   // after the play, the opponent on roll
	Outputs bg.Outputs // as the player who makes the play sees them
	Equity  float32    // of Outputs
	Ply     int        // at which Outputs were computed
}

// Plays returns the legal plays of a roll, best first, narrowed and evaluated
// ply by ply by the player's filters. Plays that a filter dropped follow
// with the value of the ply they reached. The slice is fresh.
func (e *Evaluator) Plays(b *bg.Board, d1, d2, ply int) []Candidate {
	var plays bg.Plays
	cs := make([]Candidate, 0, 32)
	for _, r := range plays.Generate(b, d1, d2) {
		cs = append(cs, Candidate{Result: r, Ply: -1})
	}
	return e.rank(cs, ply)
}

// rank evaluates candidates at a ply through the filters and sorts them.
func (e *Evaluator) rank(cs []Candidate, ply int) []Candidate {
	n := len(cs) // the first n are still in the running
	coarsely := false
	for p := 0; p < ply && n > 1; p++ {
		f := e.p.filters[ply-1][p]
		if f.Accept < 0 {
			continue
		}
		if coarsely = p == 0 && e.coarse != nil; coarsely {
			e.coarse.score(cs[:n], 0)
		} else {
			e.score(cs[:n], p)
		}
		sortCandidates(cs[:n])
		n = f.keep(cs[:n])
	}
	if n == 1 && coarsely {
		e.score(cs[:1], 0)
	}
	if n > 1 || cs[0].Ply < 0 {
		e.score(cs[:n], ply)
		sortCandidates(cs[:n])
	}
	return cs
}

// score evaluates candidates at a ply.
func (e *Evaluator) score(cs []Candidate, ply int) {
	if ply == 0 {
		e.boards = e.boards[:0]
		for i := range cs {
			e.boards = append(e.boards, cs[i].Result)
		}
		e.outs = append(e.outs[:0], make([]bg.Outputs, len(cs))...)
		e.EvaluateBatch(e.boards, e.outs)
		for i := range cs {
			cs[i].set(e.outs[i].Inverted(), 0)
		}
		return
	}
	for i := range cs {
		c := &cs[i]
		o := e.Evaluate(&c.Result, ply)
		c.set(o.Inverted(), ply)
	}
}

func (c *Candidate) set(o bg.Outputs, ply int) { c.Outputs, c.Ply, c.Equity = o, ply, o.Equity() }

// sortCandidates sorts by falling equity; equal ones keep their order.
func sortCandidates(cs []Candidate) {
	slices.SortStableFunc(cs, func(a, b Candidate) int { return cmp.Compare(b.Equity, a.Equity) })
}

// BestPlay returns the result of the best play of a roll, the opponent on roll,
// and the outputs of that result as the player who made the play sees them. A
// forced play is evaluated at 0-ply only.
func (e *Evaluator) BestPlay(b *bg.Board, d1, d2, ply int) (bg.Board, bg.Outputs) {
	lv := e.level(0)
	plays := lv.plays.Generate(b, d1, d2)
	if ply > 0 && len(plays) > 1 {
		c := e.Plays(b, d1, d2, ply)[0]
		return c.Result, c.Outputs
	}
	outs := room(&lv.outs, len(plays))
	e.EvaluateBatch(plays, outs)
	best := Best(outs)
	return plays[best], outs[best].Inverted()
}
