package match

import (
	"context"
	"fmt"
	"sync"

	"bgtrain/benchmark/opponents"
	"bgtrain/dataset/matchfile"
	"bgtrain/internal/cube"
	"bgtrain/internal/cube/met"
	"bgtrain/internal/parallel"
	"bgtrain/internal/player"
	"bgtrain/internal/splitmix"
)

// Options describe what is played.
type Options struct {
	Games   int
	Seed    uint64
	Workers int // goroutines, 0: one a processor

	// Duplicate plays each sequence of rolls twice, with the seats exchanged.
	// Games must be even then.
	Duplicate bool

	// Cube, if not nil, plays with the doubling cube: how A and B handle it.
	Cube *[2]cube.Model

	// Length, if not 0, plays matches to so many points instead of games for money:
	// Games counts them. Table is their match equity table, and Cube is needed.
	Length int
	Table  *met.Table

	// Objectives are those of the players, for who opens them; Play does not look at them.
	Objectives opponents.Objectives

	// Luck, if not nil, measures the luck of every roll by this player's 0-ply
	// values: cubeful ones with A's way to handle the cube, in a match in match-winning
	// chance, where the luck of beginning a game counts too. It costs about 20 times the
	// time of a 0-ply game.
	Luck *player.Player

	// Finished holds games of an earlier, interrupted run of the same match.
	Finished []Game

	// Written, if not nil, gets each new game, or match to a number of points, as it was
	// played: A is player 0. It is called before Record, in the same way.
	Written func(number int, m *matchfile.Match) error

	// Record, if not nil, is called for each new game, by one goroutine at a
	// time, as games finish (not in the order of their numbers). Its error ends
	// the match.
	Record func(Game) error
}

// Game is a finished game of a match.
type Game struct {
	Number int // from 0; A makes the first play of the even ones
	Outcome
}

// Match is the result of a match, as player A sees it.
type Match struct {
	A, B  string
	Games []Game // the finished ones, by number
	Kept  int    // how many of them are of an earlier run
	opts  Options
}

// Play plays a match. Game n has rolls of its own, derived from the seed
// and n (with Duplicate from n/2), so the result does not depend on the number
// of workers. When a game fails or ctx is done, the finished games come back
// beside the error.
func Play(ctx context.Context, a, b opponents.Player, o Options) (*Match, error) {
	if err := o.Check(); err != nil {
		return nil, fmt.Errorf("match: %w", err)
	}
	o.Workers = opponents.Workers(o.Workers, a, b)
	m := &Match{A: a.Name(), B: b.Name(), opts: o}
	games := make([]Game, o.Games)
	done := make([]bool, o.Games)
	for _, g := range o.Finished {
		if g.Number < 0 || g.Number >= o.Games {
			continue // of a longer run
		}
		games[g.Number], done[g.Number] = g, true
	}
	var todo []int
	for i := range done {
		if !done[i] {
			todo = append(todo, i)
		}
	}
	m.Kept = len(done) - len(todo)
	table := newTable(a, b, o)
	defer table.close()
	var mu sync.Mutex
	err := parallel.For(ctx, o.Workers, len(todo), func(worker, i int) error {
		n := todo[i]
		out, record, err := table.play(worker, n)
		if err != nil {
			return fmt.Errorf("game %d: %w", n, err)
		}
		mu.Lock()
		defer mu.Unlock()
		if record != nil {
			if err := o.Written(n, record.Match()); err != nil {
				return err
			}
		}
		games[n], done[n] = Game{n, out}, true
		if o.Record != nil {
			return o.Record(games[n])
		}
		return nil
	})
	for i := range games {
		if done[i] {
			m.Games = append(m.Games, games[i])
		}
	}
	return m, err
}

// table is where the games of a match are played: the movers of each worker.
type table struct {
	movers [2]*opponents.Pool
	luck   []*luckMeter
	opts   Options
}

func newTable(a, b opponents.Player, o Options) *table {
	return &table{
		movers: [2]*opponents.Pool{opponents.NewPool(a, o.Workers), opponents.NewPool(b, o.Workers)},
		luck:   make([]*luckMeter, parallel.Workers(o.Workers)),
		opts:   o,
	}
}

func (t *table) close() {
	t.movers[0].Close()
	t.movers[1].Close()
}

// play plays game number n, which it writes down where that is wanted.
func (t *table) play(worker, n int) (o Outcome, record *matchfile.Recorder, err error) {
	g := game{cube: t.opts.Cube, start: cube.Money}
	first, sequence := n%2, uint64(n)
	if t.opts.Duplicate {
		sequence /= 2
	}
	for seat, ms := range t.movers {
		m, err := ms.Get(worker)
		if err != nil {
			return o, nil, err
		}
		if _, ok := m.(opponents.Evaluator); !ok && g.cube != nil && t.opts.Length != 1 {
			return o, nil, fmt.Errorf("%s cannot handle the cube: it gives no chances to win", ms.Player().Name())
		}
		// Chance in the plays of who begins is another than in the other's, but the
		// same in both games of a pair.
		opponents.StartGame(m, splitmix.Seed(t.opts.Seed^splitmix.Seed(2*sequence+uint64(seat^first))))
		g.movers[seat] = m
	}
	if t.opts.Luck != nil {
		if t.luck[worker] == nil {
			t.luck[worker] = newLuckMeter(t.opts.Luck, t.opts.Cube)
		}
		g.luck = t.luck[worker]
	}
	if t.opts.Written != nil {
		m := &matchfile.Match{Length: t.opts.Length, Event: "bgtrain match",
			Round: fmt.Sprintf("game %d, seed %d", n+1, t.opts.Seed)}
		for seat, pool := range t.movers {
			m.Players[seat] = pool.Player().Name()
		}
		if record, err = matchfile.NewRecorder(m); err != nil {
			return o, nil, err
		}
		g.record = record
	}
	if t.opts.Length > 0 {
		o, err = g.playMatch(t.opts, sequence, first)
	} else {
		o, err = g.play(NewDice(t.opts.Seed, sequence), first)
	}
	return o, record, err
}
