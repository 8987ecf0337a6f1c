package makebm

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"bgtrain/internal/bg"
	"bgtrain/internal/parallel"
	"bgtrain/internal/player"
	"bgtrain/rollout/selfplay"
)

// decision is a checker play whose candidates are to be rolled out.
type decision struct {
	Key        bg.Key // the mover on roll
	Dice       [2]int
	Candidates []bg.Key // after the play, the opponent on roll; best first by look-ahead
}

// kind returns what a decision counts as, and its class: those of its position.
func (d *decision) kind(s *Settings) (kind, bg.Class, bool) {
	b, err := d.Key.Board()
	if err != nil {
		return 0, bg.Over, false
	}
	class := bg.Classify(&b)
	k, ok := s.kindOf(&b, class)
	return k, class, ok
}

// played is a play with its value to the player who makes it.
type played struct {
	result bg.Board
	equity float32
}

// finder looks for decisions in games, for one goroutine.
type finder struct {
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

func newFinder(p *player.Player, s *Settings) *finder {
	games := selfplay.NewGames(p, selfplay.Settings{Seed: s.Seed, Diversity: s.Diversity, Random: s.Random})
	return &finder{s: s, ev: p.NewEvaluator(), games: games}
}

// game plays a game and draws from it at most one decision of each kind that
// is wanted, so that the decisions of a benchmark do not depend on each other.
func (f *finder) game(number uint64, wanted *[numKinds]bool, dst []decision) []decision {
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
			dst = append(dst, decision{p.board.Key(), p.dice, cs})
		}
	}
	return dst
}

// near puts the plays that come into question by 0-ply into f.plays, best
// first, and reports whether there are two: a wider choice than the look-ahead
// will leave, since 0-ply may be wrong about each of them.
func (f *finder) near(d *selfplay.Decision) bool {
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
func (f *finder) candidates(plays []played) []bg.Key {
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

// roundGames is how many games are played between two merges.
const roundGames = 16

// idleGames is after how many games without a new decision a run gives up.
const idleGames = 100_000

// find plays games until the quotas are full.
func (m *maker) find(ctx context.Context, p *player.Player) error {
	finders := make([]*finder, parallel.Workers(m.s.Workers))
	for w := range finders {
		finders[w] = newFinder(p, m.s)
	}
	m.progress(Finding, len(m.j.decisions), m.s.want())
	for idle := 0; len(m.j.decisions) < m.s.want(); {
		before := len(m.j.decisions)
		if err := m.round(ctx, finders); err != nil {
			return err
		}
		if idle += roundGames; len(m.j.decisions) > before {
			idle = 0
		}
		if idle > idleGames {
			return fmt.Errorf("no new decision in %d games: found %d of %d", idleGames, len(m.j.decisions), m.s.want())
		}
		m.progress(Finding, len(m.j.decisions), m.s.want())
	}
	return nil
}

// round plays the next games and takes their decisions, in the games' order.
func (m *maker) round(ctx context.Context, finders []*finder) error {
	var wanted [numKinds]bool
	for k := range wanted {
		wanted[k] = m.wanted(kind(k))
	}
	var found [roundGames][]decision
	err := parallel.For(ctx, len(finders), roundGames, func(w, i int) error {
		found[i] = finders[w].game(uint64(m.j.games+i), &wanted, nil)
		return nil
	})
	if err != nil {
		return err
	}
	var kept []decision
	for i := range found {
		for _, d := range found[i] {
			if m.keep(&d) {
				kept = append(kept, d)
			}
		}
	}
	return m.j.addRound(m.j.games+roundGames, kept)
}

// play identifies a decision.
type play struct {
	key    bg.Key
	hi, lo int
}

func (d *decision) play() play {
	return play{d.Key, max(d.Dice[0], d.Dice[1]), min(d.Dice[0], d.Dice[1])}
}

// keep reports whether a decision is wanted, and counts it: it must be new, of a
// kind that is not full, and not of positions to be excluded.
func (m *maker) keep(d *decision) bool {
	k, class, ok := d.kind(m.s)
	id := d.play()
	if !ok || !m.wanted(k) || m.seen[id] {
		return false
	}
	if m.h.Exclude != nil && (m.h.Exclude(d.Key) || slices.ContainsFunc(d.Candidates, m.h.Exclude)) {
		return false
	}
	m.seen[id] = true
	m.count[k]++
	m.classes[class]++
	return true
}

// wanted reports whether more decisions of a kind are wanted.
func (m *maker) wanted(k kind) bool { return m.count[k] < m.s.quota(k) }
