package makebm

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"

	"bgtrain/benchmark/bm"
	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/cube/met"
	"bgtrain/internal/parallel"
	"bgtrain/internal/player"
	"bgtrain/internal/stats"
	"bgtrain/rollout/job"
	"bgtrain/rollout/selfplay"
)

// cubeDecision is a cube decision to be rolled out.
type cubeDecision struct {
	Key            bg.Key
	Away, Opponent int // 0 for money
	Cube           int // 1 in the middle, else the player's on roll
}

func (d *cubeDecision) state(t *met.Table) cube.State {
	s := cube.State{Cube: d.Cube}
	if d.Cube > 1 {
		s.Owner = cube.Owned
	}
	if d.Away > 0 {
		s.Table, s.Away, s.Opponent = t, d.Away, d.Opponent
	}
	return s
}

// readCubes reads the cube decisions of benchmark files that were rolled out with the cube,
// but for positions that exclude, which may be nil, does not want; nil without files.
func readCubes(paths []string, exclude func(bg.Key) bool) (all []cubeDecision, err error) {
	for _, path := range paths {
		f, err := bm.ReadFile(path, bm.ReadOptions{})
		if err != nil {
			return nil, fmt.Errorf("--from %w", err)
		}
		for i := range f.Cubes {
			c := &f.Cubes[i]
			if r := c.Rolled; r != nil && (exclude == nil || !exclude(c.Key)) {
				all = append(all, cubeDecision{c.Key, r.Away, r.Opponent, r.Cube})
			}
		}
	}
	if len(paths) > 0 && len(all) == 0 {
		return nil, fmt.Errorf("--from %s: no cube decision that was rolled out with the cube (#D lines)",
			strings.Join(paths, ", "))
	}
	return all, nil
}

// cubeFinder looks for cube decisions in games, for one goroutine.
type cubeFinder struct {
	f     *CubeFile
	ev    *player.Evaluator
	games *selfplay.Games
}

// draw draws how cube and match stand in a game: a centered cube in two of three.
func (s *CubeSettings) draw(rng *rand.Rand) (d cubeDecision) {
	if rng.Float64() >= s.Matches {
		d.Cube = []int{1, 1, 2}[rng.IntN(3)]
		return d
	}
	for {
		d.Away, d.Opponent = 2+rng.IntN(s.Length-1), 2+rng.IntN(s.Length-1)
		d.Cube = []int{1, 1, 1, 1, 2, 4}[rng.IntN(6)]
		if d.Away > d.Cube && (d.Cube == 1 || d.Opponent > d.Cube/2) {
			return d // a cube that the opponent had a use for, when it was turned
		}
	}
}

// game plays a game with the cube lying as drawn and draws from it at most one decision of
// each kind that is wanted.
func (f *cubeFinder) game(number uint64, wanted *[numKinds]bool) (found []cubeDecision) {
	const stream = 0x9e3779b97f4a7c15 // other numbers than the game itself draws
	rng := rand.New(rand.NewPCG(f.f.Seed^stream, number))
	drawn := f.f.draw(rng)
	s := drawn.state(f.f.Table)
	var seen [numKinds]int
	var picks [numKinds]bg.Key
	f.games.Visit(number, func(d *selfplay.Decision) {
		k, ok := f.f.kindOf(&d.Board, f.ev.Class(&d.Board))
		if !ok || !wanted[k] || !f.near(&d.Board, &s) {
			return
		}
		if seen[k]++; rng.IntN(seen[k]) == 0 {
			picks[k] = d.Board.Key()
		}
	})
	for k := range numKinds {
		if seen[k] > 0 {
			d := drawn
			d.Key = picks[k]
			found = append(found, d)
		}
	}
	return found
}

// near reports whether a decision is close to a point by the model: that where the opponent
// just takes, that where a double that is taken just pays, that where the position is just
// too good to double.
func (f *cubeFinder) near(b *bg.Board, s *cube.State) bool {
	p := cube.PositionAt(f.ev, b, 0, f.f.Model)
	d := cube.Decide(f.f.Model, &p, s)
	margin := float64(f.f.Margin)
	close := func(x, y float64) bool { return math.Abs(x-y) <= margin }
	switch {
	case close(d.DoubleTake, 1):
		return true
	case d.DoubleTake < 1:
		return close(d.DoubleTake, d.NoDouble) && math.Abs(d.NoDouble) < lostGame
	}
	return close(d.NoDouble, 1) && p.Outputs[bg.WinGammon] > fewGammons
}

const (
	lostGame   = 0.95 // an equity at which the game is all but over
	fewGammons = 0.1  // with fewer no position is too good to double
)

// find plays games until the quotas are full.
func (m *cubeMaker) find(ctx context.Context, j *job.Job) error {
	for i := range m.j.decisions {
		if !m.keep(&m.j.decisions[i]) {
			return fmt.Errorf("%s: decision %d does not belong to this run; remove the file to start over",
				m.j.j.Name(), i+1)
		}
	}
	finders := make([]*cubeFinder, parallel.Workers(m.f.Workers))
	for w := range finders {
		games := selfplay.NewGames(j.Player, selfplay.Settings{Seed: m.f.Seed, Diversity: m.f.Diversity,
			Random: m.f.Random})
		finders[w] = &cubeFinder{m.f, j.Player.NewEvaluator(), games}
	}
	m.progress(Finding, len(m.j.decisions), m.f.want())
	for idle := 0; len(m.j.decisions) < m.f.want(); idle += roundGames {
		before := len(m.j.decisions)
		if err := m.round(ctx, finders); err != nil {
			return err
		}
		if len(m.j.decisions) > before {
			idle = 0
		}
		if idle > idleGames {
			return fmt.Errorf("no new decision in %d games: found %d of %d", idleGames, len(m.j.decisions), m.f.want())
		}
		m.progress(Finding, len(m.j.decisions), m.f.want())
	}
	return nil
}

// round plays the next games and takes their decisions, in the games' order.
func (m *cubeMaker) round(ctx context.Context, finders []*cubeFinder) error {
	var wanted [numKinds]bool
	for k := range wanted {
		wanted[k] = m.count[k] < m.f.quota(kind(k))
	}
	var found [roundGames][]cubeDecision
	err := parallel.For(ctx, len(finders), roundGames, func(w, i int) error {
		found[i] = finders[w].game(uint64(m.j.games+i), &wanted)
		return nil
	})
	if err != nil {
		return err
	}
	var kept []cubeDecision
	for i := range found {
		for _, d := range found[i] {
			if m.keep(&d) {
				kept = append(kept, d)
			}
		}
	}
	return m.j.addRound(m.j.games+roundGames, kept)
}

// keep reports whether a decision is wanted, and counts it.
func (m *cubeMaker) keep(d *cubeDecision) bool {
	b, err := d.Key.Board()
	if err != nil || m.seen[d.Key] || m.h.Exclude != nil && m.h.Exclude(d.Key) {
		return false
	}
	k, ok := m.f.kindOf(&b, bg.Classify(&b))
	if !ok || m.count[k] >= m.f.quota(k) {
		return false
	}
	m.seen[d.Key] = true
	m.count[k]++
	return true
}

// CubeReport describes how a benchmark of cube decisions was made.
type CubeReport struct {
	Output    string  `json:"output"`
	Decisions int     `json:"decisions"`
	Matches   int     `json:"matches"` // of them
	Games     int     `json:"games"`
	Trials    int     `json:"trials"`  // of all rollouts, each of no double and double and take
	SE        float64 `json:"se"`      // of no double, mean
	GainSE    float64 `json:"gain_se"` // of double and take less no double, mean
	Elapsed   float64 `json:"elapsed_s"`
}

func (m *cubeMaker) report() CubeReport {
	r := CubeReport{Output: m.f.Output, Decisions: len(m.j.decisions), Games: m.j.games}
	for _, d := range m.j.decisions {
		if d.Away > 0 {
			r.Matches++
		}
	}
	for _, c := range m.j.results {
		r.Trials += c.Rolled.Trials
	}
	for i := range m.j.decisions {
		r.SE += m.j.results[i].Rolled.SE / float64(r.Decisions)
		r.GainSE += m.j.results[i].Rolled.GainSE / float64(r.Decisions)
	}
	return r
}

// WriteText writes the report for people.
func (r *CubeReport) WriteText(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s: %s of %s, %d in matches, in %.1f s\n  standard error on average: no double "+
		"%.4f, double and take less no double %.4f\n", r.Output,
		stats.Count(r.Decisions, "cube decision", "cube decisions"), stats.Count(r.Games, "game", "games"), r.Matches,
		r.Elapsed, r.SE, r.GainSE)
	return err
}
