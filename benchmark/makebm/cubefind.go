package makebm

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"

	"bgtrain/benchmark/bm"
	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/cube/met"
	"bgtrain/internal/player"
	"bgtrain/internal/stats"
	"bgtrain/rollout/selfplay"
)

// cubeDecision is a cube decision to be rolled out.
type cubeDecision struct {
	Key            bg.Key
	Away, Opponent int // 0 for money
	Cube           int // 1 in the middle, else the player's on roll
}

func (d cubeDecision) play() play          { return play{key: d.Key} }
func (d cubeDecision) positions() []bg.Key { return []bg.Key{d.Key} }

func (d cubeDecision) check(c int) error {
	s := d.state(nil)
	if c != 0 || max(d.Away, d.Opponent) > met.MaxLength || s.Check() != nil || d.Cube >= cube.MaxCube {
		return fmt.Errorf("part %d of cube decision %+v", c, d)
	}
	_, err := d.Key.Board()
	return err
}

func (d *cubeDecision) state(t *met.Table) cube.State {
	return cube.ToDouble(d.Cube, d.Away, d.Opponent, t)
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

func newCubeFinder(p *player.Player, f *CubeFile) *cubeFinder {
	return &cubeFinder{f, p.NewEvaluator(), selfplay.NewGames(p, selfplay.Settings{Seed: f.Seed,
		Diversity: f.Diversity, Random: f.Random})}
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
	for i := range m.j.decisions {
		c := &m.j.result(candidate{i, 0}).Rolled
		r.Trials += c.Trials
		r.SE += c.SE / float64(r.Decisions)
		r.GainSE += c.GainSE / float64(r.Decisions)
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
