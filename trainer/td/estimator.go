package td

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"bgtrain/internal/bg"
)

// In the other way of learning, after Jacob Hilton's program, games are played by
// an estimator that may cost more than the net, as a look-ahead does. All positions
// that it values to choose its plays go with their values into a memory, and the net
// learns from that in minibatches, between rounds of games. No luck of the dice is
// in these targets.

// Estimator values positions from a game on.
type Estimator struct {
	Kind string // "net", the learner, or "pipcount", the ratio of pip counts
	Ply  int    // of look-ahead, in GNU Backgammon's counting
	From int    // games played before it takes over
}

// Estimators take over from each other. As text they are "net:1", or several with the
// games after which each takes over, as "pipcount:1@0,net:1@500".
type Estimators []Estimator

// String returns the text that Set reads.
func (l Estimators) String() string {
	words := make([]string, len(l))
	for i, e := range l {
		words[i] = fmt.Sprintf("%s:%d", e.Kind, e.Ply)
		if len(l) > 1 {
			words[i] += fmt.Sprintf("@%d", e.From)
		}
	}
	return strings.Join(words, ",")
}

// Set reads estimators.
func (l *Estimators) Set(text string) error {
	var list Estimators
	if text == "" {
		*l = nil
		return nil
	}
	for i, part := range strings.Split(text, ",") {
		name, from, later := strings.Cut(part, "@")
		kind, ply, _ := strings.Cut(name, ":")
		e := Estimator{Kind: kind}
		var err error
		most := 2
		switch kind {
		case "net":
		case "pipcount":
			most = 1
		default:
			return fmt.Errorf("%q: net:PLY or pipcount:PLY expected", part)
		}
		if e.Ply, err = strconv.Atoi(ply); err != nil || e.Ply < 0 || e.Ply > most {
			return fmt.Errorf("%q: %s with 0 to %d plies expected", part, kind, most)
		}
		if later {
			if e.From, err = strconv.Atoi(from); err != nil {
				return fmt.Errorf("%q: ESTIMATOR@GAMES expected", part)
			}
		}
		switch {
		case i == 0 && e.From != 0:
			return fmt.Errorf("the first estimator begins at game %d, not at 0", e.From)
		case i > 0 && e.From <= list[i-1].From:
			return fmt.Errorf("%q: after %d games or more expected", part, list[i-1].From+1)
		}
		list = append(list, e)
	}
	*l = list
	return nil
}

// estimator returns the one that plays a game.
func (s *Settings) estimator(game int) Estimator {
	now := s.Estimator[0]
	for _, e := range s.Estimator {
		if game >= e.From {
			now = e
		}
	}
	return now
}

// mostPlays is how many plays a game may have: two nets of random weights may
// never end it.
const mostPlays = 500

// playEstimated plays one game by an estimator and appends all positions that it
// valued, but for those whose value is exact, by the rules or a database. A play may take a
// second with a large net, so ctx ends it between plays.
func (g *gamePlayer) playEstimated(ctx context.Context, rng *rand.Rand, e Estimator, dst []step) ([]step, error) {
	b := bg.Start
	d1, d2 := openingRoll(rng)
	for range mostPlays {
		if err := ctx.Err(); err != nil {
			return dst, err
		}
		results := g.plays.Generate(&b, d1, d2)
		best, least := 0, float32(10)
		for i := range results {
			value, known := g.estimate(&results[i], e)
			if !known {
				dst = append(dst, step{results[i], g.ev.Class(&results[i]), value})
			}
			if x := value.Equity(); x < least {
				best, least = i, x
			}
		}
		b = results[best]
		if g.ev.Class(&b) <= bg.Bearoff {
			break
		}
		d1, d2 = rng.IntN(6)+1, rng.IntN(6)+1
	}
	return dst, nil
}

// estimate returns the value of a position to the player on roll, and whether it is
// known exactly.
func (g *gamePlayer) estimate(b *bg.Board, e Estimator) (bg.Outputs, bool) {
	if g.ev.Class(b) <= bg.Bearoff {
		return g.evaluate(b), true
	}
	if e.Kind == "net" {
		return g.ev.Evaluate(b, e.Ply), false
	}
	if e.Ply == 0 {
		return g.pipValue(b), false
	}
	var sum bg.Outputs
	for i := range bg.Rolls {
		r := &bg.Rolls[i]
		best := g.bestByPips(b, r.Hi, r.Lo)
		for k := range sum {
			sum[k] += r.Weight / 36 * best[k]
		}
	}
	for k := range sum {
		sum[k] = min(sum[k], 1) // the weights sum to 1 but for rounding
	}
	return sum, false
}

// bestByPips returns the value of a roll to the player who plays it best.
func (g *gamePlayer) bestByPips(b *bg.Board, d1, d2 int) bg.Outputs {
	var best bg.Outputs
	most := float32(-10)
	results := g.inner.Generate(b, d1, d2)
	for i := range results {
		value := g.pipValue(&results[i])
		value = value.Inverted()
		if x := value.Equity(); x > most {
			best, most = value, x
		}
	}
	return best
}

// pipValue is the ratio of pip counts as probability to win, or, of a position that
// is known, its value.
func (g *gamePlayer) pipValue(b *bg.Board) bg.Outputs {
	if g.ev.Class(b) <= bg.Bearoff {
		return g.evaluate(b)
	}
	mine, theirs := b.Me.Pips(), b.Opp.Pips()
	return bg.Outputs{float32(theirs) / float32(mine+theirs)}
}
