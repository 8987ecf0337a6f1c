package cubestudy

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"bgtrain/benchmark/match"
	"bgtrain/internal/bg"
	"bgtrain/internal/cpu"
	"bgtrain/internal/cube"
	"bgtrain/internal/disk"
	"bgtrain/internal/nets"
	"bgtrain/internal/parallel"
	"bgtrain/internal/player"
)

// Settings state which games are recorded.
type Settings struct {
	Games int // a multiple of Part, or fewer than that
	// Part is the number of games in a part file, 0 PartGames: what an interruption
	// can lose.
	Part int
	Seed uint64
	// Volatility also measures the volatility of the positions in which the player on
	// roll has the better game, 21 rolls each: some ten times slower.
	Volatility bool
	Positions  bool // also keep the positions, for models that look at them
	// Rolls also keeps what the best plays of the 21 rolls lead to, to train on: some four
	// times slower. Small nets pick the plays that come into question.
	Rolls   bool
	Workers int // goroutines, 0 one a processor; the games do not depend on it
}

// Check refuses settings that make no sense.
func (s *Settings) Check() error {
	switch part := s.part(); {
	case part < 1 || part > PartGames:
		return fmt.Errorf("%d games a part: 1 to %d expected", part, PartGames)
	case s.Games < 1 || s.Games > part && s.Games%part != 0:
		return fmt.Errorf("%d games: a multiple of %d expected, or fewer", s.Games, part)
	}
	return nil
}

func (s *Settings) part() int {
	if s.Part == 0 {
		return PartGames
	}
	return s.Part
}

func (s *Settings) detail() Detail {
	switch {
	case s.Rolls:
		return KeepRolls
	case s.Positions:
		return KeepPositions
	}
	return KeepOutputs
}

// Hooks of a recording.
type Hooks struct {
	Progress func(done, total int) // games; may be nil
}

// maxTurns is when a game is given up as endless.
const maxTurns = 5000

// Record plays games of a net against itself and keeps them in part files in a
// directory. id is the identity of the net, one line; small, which may be nil, is of the
// nets that pick plays for Settings.Rolls. Parts that are there already
// are kept: the same call goes on after an interruption. The games are those of
// match.Play of the net against itself with the same seed.
func Record(ctx context.Context, p, small *player.Player, dir, id string, s Settings, h Hooks) error {
	if err := s.Check(); err != nil {
		return err
	}
	size := s.part()
	id = fmt.Sprintf("%s seed %d volatility %t", id, s.Seed, s.Volatility)
	if size != PartGames {
		id += fmt.Sprintf(" parts of %d", size)
	}
	if k := cpu.Rounding(); k != "vector" { // which older recordings were made with, and do not say
		id += " " + cpu.RoundingName + " " + k
	}
	if err := disk.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	parts := (s.Games + size - 1) / size
	recorders := make([]*recorder, parallel.Workers(s.Workers))
	done := 0
	for part := range parts {
		games := make([]Game, min(size, s.Games-part*size))
		path := partName(dir, part)
		kept, _, err := readPart(path, id)
		switch {
		case err == nil && len(kept) == len(games):
		case err == nil:
			return fmt.Errorf("%s: %d games, %d expected; remove it to start over", path, len(kept), len(games))
		case !errors.Is(err, fs.ErrNotExist):
			return err
		default:
			err := parallel.For(ctx, s.Workers, len(games), func(worker, i int) (err error) {
				if recorders[worker] == nil {
					recorders[worker] = newRecorder(p, small, s)
				}
				games[i], err = recorders[worker].game(part*size + i)
				return err
			})
			if err != nil {
				return fmt.Errorf("part %d: %w", part, err)
			}
			if err := writePart(path, id, part, s.detail(), games); err != nil {
				return err
			}
		}
		done += len(games)
		if h.Progress != nil {
			h.Progress(done, s.Games)
		}
	}
	return nil
}

// RecordNet is Record of a net, whose player p is; its pruning nets, where it has some, pick
// plays for Settings.Rolls.
func RecordNet(ctx context.Context, p *player.Player, set *nets.Set, dir string, s Settings, h Hooks) error {
	var small *player.Player
	if pruning := set.PruningPlayer(); pruning != nil && s.Rolls {
		var err error
		if small, err = player.New(pruning, p.Bearoff(), player.Options{}); err != nil {
			return err
		}
	}
	id := fmt.Sprintf("net %s two-sided %d", set.Fingerprint(), p.Bearoff().TwoSidedCheckers())
	return Record(ctx, p, small, dir, id, s, h)
}

// recorder plays games for one goroutine.
type recorder struct {
	s     Settings
	e     *player.Evaluator
	small *player.Evaluator // nil: every play comes into question

	plays  bg.Plays
	first  [len(bg.Rolls) + 1]int
	equity []float32
	picked []bg.Board
	outs   []bg.Outputs
}

func newRecorder(p, small *player.Player, s Settings) *recorder {
	r := &recorder{s: s, e: p.NewEvaluator()}
	if small != nil {
		r.small = small.NewEvaluator()
	}
	return r
}

// game plays game number n.
func (r *recorder) game(n int) (g Game, err error) {
	dice := match.NewDice(r.s.Seed, uint64(n))
	b := bg.Start
	sign := int8(1)
	for range maxTurns {
		var d1, d2 int
		if len(g.Turns) == 0 && sign == 1 {
			d1, d2 = dice.Opening()
		} else {
			d1, d2 = dice.Roll()
		}
		after, o := r.e.BestPlay(&b, d1, d2, 0)
		if p := after.Points(); p > 0 {
			g.Points = sign * int8(p)
			return g, nil
		}
		o = o.Inverted()
		t := Turn{Outputs: packAll(&o), Key: after.Key()}
		if r.s.Volatility && o.Equity() > 0 {
			t.Volatility = max(pack(float32(cube.LocalVolatility(r.e, &after))), 1)
		}
		if r.s.Rolls {
			t.Rolls = r.rolls(&after)
		}
		g.Turns = append(g.Turns, t)
		b, sign = after, -sign
	}
	return g, fmt.Errorf("game %d not over after %d turns", n, maxTurns)
}

// picks is how many plays of a roll come into question after the small nets.
const picks = 3

// rolls returns what the best plays of all rolls lead to.
func (r *recorder) rolls(b *bg.Board) *[len(bg.Rolls)]After {
	all := r.plays.GenerateAll(b, &r.first)
	from := r.first
	if r.small != nil {
		r.equity = slices.Grow(r.equity[:0], len(all))[:len(all)]
		r.small.Rank(b, all, r.equity)
		r.picked = r.picked[:0]
		for i := range bg.Rolls {
			from[i] = len(r.picked)
			r.pick(all[r.first[i]:r.first[i+1]], r.equity[r.first[i]:r.first[i+1]])
		}
		from[len(bg.Rolls)] = len(r.picked)
		all = r.picked
	}
	r.outs = slices.Grow(r.outs[:0], len(all))[:len(all)]
	r.e.EvaluateBatch(all, r.outs)
	to := new([len(bg.Rolls)]After)
	for i := range to {
		best := from[i] + player.Best(r.outs[from[i]:from[i+1]])
		to[i] = After{all[best].Key(), packAll(&r.outs[best])}
	}
	return to
}

// pick appends the plays of a roll that come into question: those with the least equities.
func (r *recorder) pick(plays []bg.Board, equity []float32) {
	for range min(picks, len(plays)) {
		best := 0
		for i, v := range equity {
			if v < equity[best] {
				best = i
			}
		}
		r.picked = append(r.picked, plays[best])
		equity[best] = math.MaxFloat32
	}
}
