package selfplay

import (
	"context"
	"fmt"

	"bgtrain/internal/bg"
	"bgtrain/internal/parallel"
	"bgtrain/internal/player"
)

// round is how many games are played between two merges. Games with look-ahead
// take long: then there is one merge, and one record of the journal, a few games.
func (s *Settings) round() int {
	if s.Select.Disagree {
		return 4
	}
	return 64
}

// idleGames is after how many games without a new position a run gives up.
const idleGames = 100_000

// Hooks let a caller follow a run; each may be nil.
type Hooks struct {
	// Exclude reports whether a position is not wanted, because another database has
	// them.
	Exclude func(bg.Key) bool
	// Progress is told the positions kept so far and those wanted.
	Progress func(done, total int)
	// Journal keeps what was found, so that a run that was killed goes on.
	Journal *Journal
}

// Report describes what a run did.
type Report struct {
	Games int
	Kept  [bg.NumClasses]int
	Seen  [bg.NumClasses]int // positions that selectors took, duplicates included
}

// Generate plays games until the quotas are full and returns the positions, none
// of them twice, in the order of the games.
func Generate(ctx context.Context, p *player.Player, s Settings, h Hooks) ([]Found, Report, error) {
	if err := s.Check(); err != nil {
		return nil, Report{}, err
	}
	if s.Select.Differ && len(s.Rivals) == 0 {
		return nil, Report{}, fmt.Errorf("selector differ: no players to differ from")
	}
	g := &generator{s: &s, h: &h, seen: map[bg.Key]struct{}{}, found: make([][]Found, s.round())}
	for _, q := range s.Quota {
		g.want += q
	}
	if h.Journal != nil {
		g.games = h.Journal.games
		for _, f := range h.Journal.found {
			g.keep(f)
		}
	}
	players := make([]*gamePlayer, parallel.Workers(s.Workers))
	for w := range players {
		players[w] = newGamePlayer(p, &s)
	}
	idle := 0
	for len(g.kept) < g.want {
		if err := ctx.Err(); err != nil {
			return nil, g.report(), err
		}
		before := len(g.kept)
		if err := g.round(ctx, players); err != nil {
			return nil, g.report(), err
		}
		if idle += len(g.found); len(g.kept) > before {
			idle = 0
		}
		if idle > idleGames {
			return nil, g.report(), fmt.Errorf("no new position in %d games: %s", idleGames, g.missing())
		}
		if h.Progress != nil {
			h.Progress(len(g.kept), g.want)
		}
	}
	return g.kept, g.report(), nil
}

type generator struct {
	s     *Settings
	h     *Hooks
	want  int
	games int
	kept  []Found
	seen  map[bg.Key]struct{}
	count [bg.NumClasses]int
	taken [bg.NumClasses]int
	found [][]Found // of the round, by game
}

// round plays the next games and merges what they yield, in their order. They do not look for classes that
// are full by now: where one is rare, most of the time goes into games that yield nothing else.
func (g *generator) round(ctx context.Context, players []*gamePlayer) error {
	for _, p := range players {
		p.open = g.s.open(&g.count)
	}
	err := parallel.For(ctx, len(players), len(g.found), func(w, i int) error {
		g.found[i] = players[w].play(uint64(g.games+i), g.found[i][:0])
		return nil
	})
	if err != nil {
		return err
	}
	g.games += len(g.found)
	before := len(g.kept)
	for i := range g.found {
		for _, f := range g.found[i] {
			g.keep(f)
		}
	}
	if g.h.Journal != nil {
		return g.h.Journal.add(g.games, g.kept[before:])
	}
	return nil
}

// keep keeps a position unless it is known, excluded or of a class that is full.
func (g *generator) keep(f Found) {
	g.taken[f.Class]++
	if g.count[f.Class] >= g.s.Quota[f.Class] {
		return
	}
	if _, known := g.seen[f.Key]; known {
		return
	}
	g.seen[f.Key] = struct{}{}
	if g.h.Exclude != nil && g.h.Exclude(f.Key) {
		return
	}
	g.count[f.Class]++
	g.kept = append(g.kept, f)
}

func (g *generator) report() Report { return Report{g.games, g.count, g.taken} }

// missing states which classes are not full.
func (g *generator) missing() string {
	text := ""
	for c := bg.Contact; c > bg.Over; c-- {
		if g.count[c] < g.s.Quota[c] {
			text += fmt.Sprintf(" %v %d of %d", c, g.count[c], g.s.Quota[c])
		}
	}
	return "found" + text
}
