package selfplay

import (
	"math/rand/v2"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/player"
	"bgtrain/internal/splitmix"
)

// Found is a position that a selector took.
type Found struct {
	Key    bg.Key
	Class  bg.Class
	Source Source
}

// Source states which selector took a position.
type Source uint8

// The sources.
const (
	FromAll Source = iota
	FromDisagree
	FromCandidates
	FromDiffer
	FromReplies
	numSources
)

var sourceNames = [numSources]string{"selfplay", "selfplay disagree", "selfplay candidates", "selfplay differ",
	RepliesSource}

// RepliesSource is the source of the positions of Selectors.Replies in words: rows next to each other
// that have it belong to one decision.
const RepliesSource = "selfplay replies"

// String returns the source in words, as the source column of databases has it.
func (s Source) String() string {
	if s < numSources {
		return sourceNames[s]
	}
	return "unknown"
}

// gamePlayer plays games for one goroutine.
type gamePlayer struct {
	ev     *player.Evaluator
	rivals []*player.Evaluator // of the selector differ
	s      *Settings
	plays  bg.Plays
	outs   []bg.Outputs
	order  []int
	visit  func(*Decision) // of Games; nil when generating
	open   classes         // what the selectors take
}

// classes are those of which positions are wanted.
type classes [bg.NumClasses]bool

// open returns the classes of which more positions are wanted than there are.
func (s *Settings) open(kept *[bg.NumClasses]int) (c classes) {
	for i, quota := range s.Quota {
		c[i] = kept[i] < quota
	}
	return c
}

// later reports whether any of them is left in a game that has come to a position.
func (c *classes) later(b *bg.Board) bool {
	return c[bg.Race] || c[bg.Bearoff] || (c[bg.Contact] || c[bg.Crashed]) && bg.Classify(b) > bg.Race
}

// newGamePlayer returns one that generates.
func newGamePlayer(p *player.Player, s *Settings) *gamePlayer {
	g := &gamePlayer{ev: p.NewEvaluator(), s: s, open: s.open(&[bg.NumClasses]int{})}
	for _, r := range s.Rivals {
		g.rivals = append(g.rivals, r.NewEvaluator())
	}
	return g
}

// Sides that keep their primes or blots whatever it costs may never end a game, and what nets say of where it comes to
// is wild: one of 1,393 plies gave one in a hundred of a round's positions, and seven tenths of its squared errors.
const (
	styledPlies = 150 // after which both sides play as well as they can; a game has 52 on average
	longest     = 300 // after which a game is left
)

// play plays one game and returns what the selectors take, in order.
func (g *gamePlayer) play(number uint64, dst []Found) []Found {
	rng := splitmix.Rand(g.s.Seed, number)
	styles := [2]style{randomStyle(rng, g.s.Diversity), randomStyle(rng, g.s.Diversity)}
	random := rng.IntN(g.s.Random + 1)
	b := bg.Start
	for ply := 0; ply < longest && bg.Classify(&b) != bg.Over && g.open.later(&b); ply++ {
		if g.s.Select.All && ply > 0 && rng.Float64() < g.s.Density {
			dst = g.take(dst, &b, FromAll)
		}
		if g.s.Select.Differ && ply > 0 && g.differ(&b) {
			dst = g.take(dst, &b, FromDiffer)
		}
		d1, d2 := rng.IntN(6)+1, rng.IntN(6)+1
		for ply == 0 && d1 == d2 {
			d1, d2 = rng.IntN(6)+1, rng.IntN(6)+1
		}
		results := g.plays.Generate(&b, d1, d2)
		if ply < random {
			b = results[rng.IntN(len(results))]
			continue
		}
		if ply == styledPlies {
			styles = [2]style{}
		}
		b, dst = g.decide(&b, d1, d2, results, &styles[ply&1], rng, dst)
	}
	return dst
}

// decide chooses a play and lets the selectors of decisions have a look.
func (g *gamePlayer) decide(b *bg.Board, d1, d2 int, results []bg.Board, st *style, rng *rand.Rand,
	dst []Found) (bg.Board, []Found) {
	if cap(g.outs) < len(results) {
		g.outs = make([]bg.Outputs, len(results)+64)
	}
	outs := g.outs[:len(results)]
	g.ev.EvaluateBatch(results, outs)
	best := player.Best(outs)
	if g.visit != nil && len(results) > 1 {
		g.visit(&Decision{*b, [2]int{d1, d2}, results, outs})
	}
	if (g.s.Select.Candidates || g.s.Select.Replies) && len(results) > 1 {
		dst = g.candidates(results, outs, rng, dst)
	}
	choice := best
	if !st.plain() {
		most := float32(-100)
		for i := range results {
			mine := outs[i].Inverted()
			if v := mine.Equity() + st.bonus(&results[i].Opp, rng); v > most {
				choice, most = i, v
			}
		}
	}
	chosen := results[choice]
	if g.s.Select.Disagree && len(results) > 1 {
		dst = g.disagreement(b, d1, d2, results[best], dst)
	}
	return chosen, dst
}

// candidates takes the results of the best plays at 0-ply.
func (g *gamePlayer) candidates(results []bg.Board, outs []bg.Outputs, rng *rand.Rand, dst []Found) []Found {
	const most = 5
	g.order = g.order[:0]
	for i := range outs {
		// Insertion sort by what is left to the opponent, the best five only.
		k := len(g.order)
		g.order = append(g.order, i)
		for ; k > 0 && outs[g.order[k]].Equity() < outs[g.order[k-1]].Equity(); k-- {
			g.order[k], g.order[k-1] = g.order[k-1], g.order[k]
		}
		g.order = g.order[:min(len(g.order), most)]
	}
	close, least := 0, outs[g.order[0]].Equity()
	for _, i := range g.order {
		if outs[i].Equity() > least+g.s.Margin {
			break
		}
		if close++; g.s.Select.Candidates {
			dst = g.take(dst, &results[i], FromCandidates)
		}
	}
	if g.s.Select.Replies && close > 1 {
		d1, d2 := rng.IntN(6)+1, rng.IntN(6)+1
		for _, i := range g.order[:close] {
			dst = g.reply(dst, &results[i], d1, d2)
		}
	}
	return dst
}

// reply takes the position after the best reply at 0-ply.
func (g *gamePlayer) reply(dst []Found, b *bg.Board, d1, d2 int) []Found {
	if !g.open[dataset.ClassOf(b)] {
		return dst // nor are most replies to it of a class that is wanted
	}
	best := g.ev.Reply(b, d1, d2)
	return g.take(dst, &best, FromReplies)
}

// disagreement takes the results of 0-ply's and 2-ply's plays where 2-ply thinks
// them far enough apart.
func (g *gamePlayer) disagreement(b *bg.Board, d1, d2 int, zero bg.Board, dst []Found) []Found {
	plays := g.ev.Plays(b, d1, d2, 2)
	if plays[0].Result == zero || plays[0].Ply < 2 {
		return dst
	}
	lost := float32(0)
	for i := range plays {
		if plays[i].Result == zero && plays[i].Ply == plays[0].Ply {
			lost = plays[0].Equity - plays[i].Equity
		}
	}
	if lost <= g.s.Margin {
		return dst
	}
	dst = g.take(dst, &zero, FromDisagree)
	return g.take(dst, &plays[0].Result, FromDisagree)
}

// differ reports whether the players' equities of a position lie far enough apart.
func (g *gamePlayer) differ(b *bg.Board) bool {
	if class := dataset.ClassOf(b); !g.open[class] {
		return false
	}
	out := g.ev.Evaluate(b, 0)
	least := out.Equity()
	most := least
	for _, r := range g.rivals {
		out := r.Evaluate(b, 0)
		least, most = min(least, out.Equity()), max(most, out.Equity())
	}
	return most-least > g.s.Margin
}

// take appends a position of a class that is wanted.
func (g *gamePlayer) take(dst []Found, b *bg.Board, from Source) []Found {
	class := dataset.ClassOf(b)
	if !g.open[class] {
		return dst
	}
	return append(dst, Found{b.Key(), class, from})
}
