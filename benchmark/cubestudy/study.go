package cubestudy

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/parallel"
	"bgtrain/internal/stats"
)

// Result is how model A did against model B, each recorded game played with A in
// either seat: standard errors are those of these pairs.
type Result struct {
	A      string     `json:"a"`
	B      string     `json:"b"`
	Games  int        `json:"games"` // pairs
	Points stats.Stat `json:"points_per_game"`
	Wins   stats.Stat `json:"wins"`
	Cube   stats.Stat `json:"final_cube"`
	Passes stats.Stat `json:"passes"`
	// GameSD is the standard deviation of the points of a single game. Independent is
	// the number of games, each with rolls of its own and one seat, whose mean would
	// have the standard error of Points; 0 where that is none.
	GameSD      float64 `json:"game_sd"`
	Independent float64 `json:"independent_games"`
}

// Compare plays every model of as against b on the games of part files. The
// result is the same whatever the number of workers.
func Compare(ctx context.Context, parts []string, as []cube.Model, b cube.Model, workers int, h Hooks) ([]Result,
	error) {
	deciders := make([]*decider, len(as)+1)
	var exact *bearoff.Cubeful
	for i, m := range slices.Concat(as, []cube.Model{b}) {
		deciders[i] = newDecider(m)
		if !cube.UsesPosition(m) {
			continue
		}
		var err error
		if exact == nil {
			exact, err = bearoff.BuildCubeful(ctx, bearoff.DefaultTwoSided)
		}
		if err != nil {
			return nil, err
		}
		deciders[i].exact = exact
	}
	sums := make([][]sum, len(parts))
	var mu sync.Mutex
	done := 0
	err := parallel.For(ctx, workers, len(parts), func(_, n int) error {
		games, _, err := readPart(parts[n], "")
		if err != nil {
			return err
		}
		if exact != nil && len(games) > 0 && len(games[0].Turns) > 0 && games[0].Turns[0].Key == (bg.Key{}) {
			return fmt.Errorf("%s: no positions, at which cube models gnubg and learned look: 'cube record --positions' "+
				"keeps them", parts[n])
		}
		sums[n] = compare(deciders, games)
		mu.Lock()
		defer mu.Unlock()
		done++
		if h.Progress != nil {
			h.Progress(done, len(parts))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	results := make([]Result, len(as))
	for i, m := range as {
		var all sum
		for n := range sums {
			all.merge(&sums[n][i])
		}
		results[i] = all.result(m, b)
	}
	return results, nil
}

// sum adds up pairs of games: whole and half numbers, so that the order does not
// matter.
type sum struct{ points, wins, cubes, passes, single stats.Sums }

func (s *sum) merge(t *sum) {
	s.points.Merge(t.points)
	s.wins.Merge(t.wins)
	s.cubes.Merge(t.cubes)
	s.passes.Merge(t.passes)
	s.single.Merge(t.single)
}

// add adds a pair: the outcomes with A in the first seat and in the second, both
// as A sees them.
func (s *sum) add(x, y outcome) {
	share := func(a, b bool) (v float64) {
		if a {
			v += 0.5
		}
		if b {
			v += 0.5
		}
		return v
	}
	s.points.Add(float64(x.points+y.points) / 2)
	s.wins.Add(share(x.points > 0, y.points > 0))
	s.cubes.Add(float64(x.cube+y.cube) / 2)
	s.passes.Add(share(x.passed, y.passed))
	s.single.Add(float64(x.points))
	s.single.Add(float64(y.points))
}

func (s *sum) result(a, b cube.Model) Result {
	r := Result{
		A: a.String(), B: b.String(), Games: s.points.N,
		Points: s.points.Stat(), Wins: s.wins.Stat(), Cube: s.cubes.Stat(), Passes: s.passes.Stat(),
		GameSD: s.single.Stat().SE * math.Sqrt(float64(s.single.N)),
	}
	if r.Points.SE > 0 {
		r.Independent = (r.GameSD / r.Points.SE) * (r.GameSD / r.Points.SE)
	}
	return r
}

// compare plays the games of a part. The last decider is that of B. One model after
// the other plays all of them, so that its ranges stay at hand.
func compare(deciders []*decider, games []Game) []sum {
	spots := make([][]spot, len(games))
	theirs := make([][]actions, len(games)) // of B
	for i := range games {
		turns := games[i].Turns
		spots[i], theirs[i] = make([]spot, len(turns)), make([]actions, len(turns))
		for k := range turns {
			spots[i][k] = spotOf(&turns[k])
		}
	}
	last := deciders[len(deciders)-1]
	sums := make([]sum, len(deciders)-1)
	var mine []actions
	for d := range sums {
		for i := range games {
			g := &games[i]
			mine = slices.Grow(mine[:0], len(g.Turns))[:len(g.Turns)]
			clear(mine)
			a := handler{deciders[d], g.Turns, spots[i], mine}
			b := handler{last, g.Turns, spots[i], theirs[i]}
			first := g.play(&a, &b)
			second := g.play(&b, &a)
			second.points = -second.points
			sums[d].add(first, second)
		}
	}
	return sums
}

// handler handles the cube in a game by a decider, asked for a turn when it comes up.
type handler struct {
	decider *decider
	turns   []Turn
	spots   []spot
	known   []actions // 0 where it has not come up
}

// at returns the actions at turn k.
func (h *handler) at(k int) actions {
	if h.known[k] == 0 {
		h.known[k] = decided | h.decider.decideAt(&h.turns[k], &h.spots[k])
	}
	return h.known[k]
}

// outcome is how a game ended, as the first player sees it.
type outcome struct {
	points, cube int
	passed       bool
}

// play handles the cube in a recorded game: first is of the player who makes the
// first play.
func (g *Game) play(first, second *handler) outcome {
	o := outcome{cube: 1}
	const both = -1
	owner := both
	for k := range g.Turns {
		turn := 1 - k&1 // the second player is on roll before the second roll
		if owner == turn^1 || o.cube >= cube.MaxCube {
			continue
		}
		mine, theirs := first, second
		if turn == 1 {
			mine, theirs = second, first
		}
		want := doubles
		if owner == turn {
			want = redoubles
		}
		if mine.at(k)&want == 0 {
			continue
		}
		if theirs.at(k)&takes == 0 {
			o.points, o.passed = o.cube, true
			if turn == 1 {
				o.points = -o.cube
			}
			return o
		}
		o.cube *= 2
		owner = turn ^ 1
	}
	o.points = int(g.Points) * o.cube
	return o
}
