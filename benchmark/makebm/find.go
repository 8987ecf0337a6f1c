package makebm

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"bgtrain/internal/bg"
	"bgtrain/internal/player"
	"bgtrain/rollout/selfplay"
)

// decision is a checker play whose candidates are to be rolled out.
type decision struct {
	Key        bg.Key // the mover on roll
	Dice       [2]int
	Candidates []bg.Key // after the play, the opponent on roll; best first by look-ahead
}

func (d decision) play() play {
	return play{d.Key, max(d.Dice[0], d.Dice[1]), min(d.Dice[0], d.Dice[1])}
}

func (d decision) positions() []bg.Key {
	return append(d.Candidates[:len(d.Candidates):len(d.Candidates)], d.Key)
}

func (d decision) check(c int) error {
	if c < 0 || c >= len(d.Candidates) || len(d.Candidates) < 2 || max(d.Dice[0], d.Dice[1]) > 6 ||
		min(d.Dice[0], d.Dice[1]) < 1 {
		return fmt.Errorf("candidate %d of decision %+v", c, d)
	}
	for _, k := range d.positions() {
		if _, err := k.Board(); err != nil {
			return err
		}
	}
	return nil
}

// played is a play with its value to the player who makes it.
type played struct {
	result bg.Board
	equity float32
}

// playFinder looks for decisions in games, for one goroutine.
type playFinder struct {
	s     *Settings
	ev    *player.Evaluator
	games *selfplay.Games
	picks [numKinds]picked
	plays []played
}

// picked is the decision of a kind that was drawn from a game so far.
type picked struct {
	seen  int // decisions of the kind in the game
	board bg.Board
	dice  [2]int
	plays []played // those near the best by 0-ply, best first
}

func newFinder(p *player.Player, s *Settings) *playFinder {
	games := selfplay.NewGames(p, selfplay.Settings{Seed: s.Seed, Diversity: s.Diversity, Random: s.Random})
	return &playFinder{s: s, ev: p.NewEvaluator(), games: games}
}

// game plays a game and draws from it at most one decision of each kind that
// is wanted, so that the decisions of a benchmark do not depend on each other.
func (f *playFinder) game(number uint64, wanted *[numKinds]bool) (found []decision) {
	for c := range f.picks {
		f.picks[c].seen = 0
	}
	const stream = 0xd1b54a32d192ed03 // other numbers than the game itself draws
	rng := rand.New(rand.NewPCG(f.s.Seed^stream, number))
	f.games.Visit(number, func(d *selfplay.Decision) {
		k, ok := f.s.kindOf(&d.Board, f.ev.Class(&d.Board))
		if !ok || !wanted[k] || !f.near(d) {
			return
		}
		p := &f.picks[k]
		if p.seen++; rng.IntN(p.seen) == 0 {
			p.board, p.dice = d.Board, d.Dice
			p.plays = append(p.plays[:0], f.plays...)
		}
	})
	for k := numKinds - 1; k >= 0; k-- { // contact before race
		p := &f.picks[k]
		if p.seen == 0 {
			continue
		}
		if cs := f.candidates(p.plays); cs != nil {
			found = append(found, decision{p.board.Key(), p.dice, cs})
		}
	}
	return found
}

// near puts the plays that come into question by 0-ply into f.plays, best
// first, and reports whether there are two: a wider choice than the look-ahead
// will leave, since 0-ply may be wrong about each of them.
func (f *playFinder) near(d *selfplay.Decision) bool {
	f.plays = f.plays[:0]
	for i := range d.Results {
		mine := d.Outputs[i].Inverted()
		f.plays = append(f.plays, played{d.Results[i], mine.Equity()})
	}
	sortPlays(f.plays)
	n := 1
	for n < min(len(f.plays), 2*f.s.Candidates) && f.plays[n].equity >= f.plays[0].equity-2*f.s.Margin {
		n++
	}
	f.plays = f.plays[:n]
	return n > 1
}

// candidates ranks plays, whose first is 0-ply's choice, by look-ahead and
// returns those that a record lists, or nil where it would be pointless.
func (f *playFinder) candidates(plays []played) []bg.Key {
	zero := plays[0].result
	for i := range plays {
		o := f.ev.Evaluate(&plays[i].result, f.s.Ply)
		o = o.Inverted()
		plays[i].equity = o.Equity()
	}
	sortPlays(plays)
	n := 1
	for n < min(len(plays), f.s.Candidates) && plays[n].equity >= plays[0].equity-f.s.Margin {
		n++
	}
	at := slices.IndexFunc(plays, func(p played) bool { return p.result == zero })
	if at >= n {
		n = min(n+1, f.s.Candidates)
		plays[n-1] = plays[at]
	}
	if n < 2 || plays[0].equity-plays[n-1].equity < f.s.Spread {
		return nil
	}
	keys := make([]bg.Key, n)
	for i := range keys {
		keys[i] = plays[i].result.Key()
	}
	return keys
}

// sortPlays sorts by falling equity; equal ones keep their order.
func sortPlays(plays []played) {
	slices.SortStableFunc(plays, func(a, b played) int { return cmp.Compare(b.equity, a.equity) })
}
