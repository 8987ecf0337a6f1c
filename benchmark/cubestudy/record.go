package cubestudy

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"bgtrain/benchmark/match"
	"bgtrain/internal/bg"
	"bgtrain/internal/cpu"
	"bgtrain/internal/cube"
	"bgtrain/internal/disk"
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
	Workers    int // goroutines, 0 one a processor; the games do not depend on it
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

// Hooks of a recording.
type Hooks struct {
	Progress func(done, total int) // games; may be nil
}

// maxTurns is when a game is given up as endless.
const maxTurns = 5000

// Record plays games of a net against itself and keeps them in part files in a
// directory. id is the identity of the net, one line. Parts that are there already
// are kept: the same call goes on after an interruption. The games are those of
// match.Play of the net against itself with the same seed.
func Record(ctx context.Context, p *player.Player, dir, id string, s Settings, h Hooks) error {
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
	evaluators := make([]*player.Evaluator, parallel.Workers(s.Workers))
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
				if evaluators[worker] == nil {
					evaluators[worker] = p.NewEvaluator()
				}
				games[i], err = playGame(evaluators[worker], s, part*size+i)
				return err
			})
			if err != nil {
				return fmt.Errorf("part %d: %w", part, err)
			}
			if err := writePart(path, id, part, games); err != nil {
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

// playGame plays game number n.
func playGame(e *player.Evaluator, s Settings, n int) (g Game, err error) {
	dice := match.NewDice(s.Seed, uint64(n))
	b := bg.Start
	sign := int8(1)
	for range maxTurns {
		var d1, d2 int
		if len(g.Turns) == 0 && sign == 1 {
			d1, d2 = dice.Opening()
		} else {
			d1, d2 = dice.Roll()
		}
		after, o := e.BestPlay(&b, d1, d2, 0)
		if p := after.Points(); p > 0 {
			g.Points = sign * int8(p)
			return g, nil
		}
		o = o.Inverted()
		t := Turn{}
		for i, v := range o {
			t.Outputs[i] = pack(v)
		}
		if s.Volatility && o.Equity() > 0 {
			t.Volatility = max(pack(float32(cube.LocalVolatility(e, &after))), 1)
		}
		g.Turns = append(g.Turns, t)
		b, sign = after, -sign
	}
	return g, fmt.Errorf("game %d not over after %d turns", n, maxTurns)
}
