package rollout

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/parallel"
	"bgtrain/internal/player"
	"bgtrain/internal/stats"
)

// CubeEngine rolls positions out with the cube in play: both sides handle it by a
// model, and choose the plays that leave the opponent the lowest cubeful equity.
// Luck is measured in the same equity. It may be shared by any number of goroutines.
//
// For money a trial ends where the two-sided bearoff database covers its position,
// with the exact cubeful value.
type CubeEngine struct {
	p *player.Player
	o Options
	h cube.Handling
}

// NewCubeEngine returns an engine for a player, with options as of NewEngine: LuckSmall
// and LuckPicked let the small nets pick plays by cubeless equities.
func NewCubeEngine(p *player.Player, o Options, h cube.Handling) (*CubeEngine, error) {
	if err := o.Check(); err != nil {
		return nil, fmt.Errorf("rollout: %w", err)
	}
	if h.Model == nil {
		return nil, errors.New("rollout: no model handles the cube")
	}
	return &CubeEngine{p, o, h}, nil
}

// Options returns the options of the engine.
func (e *CubeEngine) Options() Options { return e.o }

// CubeDecision is a cube decision rolled out, as the player on roll sees it: equities
// normalized to the cube before it, with standard errors.
type CubeDecision struct {
	NoDouble stats.Stat

	// Of a player who may double. A double that would be beavered counts as beavered:
	// DoubleTake is twice as much then, and Beaver true.
	DoubleTake stats.Stat
	Gain       stats.Stat // DoubleTake less NoDouble, with common dice
	Beaver     bool

	Judged cube.Decision // by the means
	Trials int
}

// Decide rolls out the decision of the player on roll: no double and, where the rules
// allow it and there is a use for it, double and take, with common dice. The game must not
// be over.
func (e *CubeEngine) Decide(ctx context.Context, b *bg.Board, s *cube.State, w Watch[*CubeDecision]) (*CubeDecision,
	error) {
	if err := checkCube(b, s); err != nil {
		return nil, err
	}
	r := newRun(e, b.Key(), s, w)
	r.addLine(b, CubeLine{})
	if s.MayDouble() {
		r.addLine(b, CubeLine{Doubled: true})
	}
	judged := func() *CubeDecision { return e.judge(r, b, s) }
	if w.Look != nil {
		r.look = func() error { return w.Look(judged()) }
	}
	if err := r.play(ctx); err != nil {
		return nil, err
	}
	return judged(), nil
}

// judge is the decision by the trials of a run so far.
func (e *CubeEngine) judge(r *cubeRun, b *bg.Board, s *cube.State) *CubeDecision {
	available := s.MayDouble()
	d := &CubeDecision{NoDouble: r.lines[0].stat(), Trials: r.n}
	if !available {
		d.Judged = cube.Judge(d.NoDouble.Mean, d.NoDouble.Mean, 1, s, true)
		return d
	}
	d.DoubleTake, d.Gain = r.lines[1].stat(), r.difference(1, 1, 0)
	if d.Beaver = e.h.Beavered(d.DoubleTake.Mean, s); d.Beaver {
		d.Gain = r.difference(2, 1, 0)
		d.DoubleTake = d.DoubleTake.Scaled(2)
	}
	d.Judged = cube.Judge(d.NoDouble.Mean, d.DoubleTake.Mean, 1, s, r.xs[0].eval.Evaluate(b, 0)[bg.WinGammon] > 0)
	return d
}

// CubePlay is a play rolled out with the cube, as the player who makes it sees it.
type CubePlay struct {
	Equity     stats.Stat // normalized to the cube
	Difference stats.Stat // to the best play, with common dice; 0 for that
	Trials     int
}

// Plays rolls out positions after the plays of a roll, the opponent on roll, with common
// dice derived from the seed and the key. s is the state as the player who plays sees it.
func (e *CubeEngine) Plays(ctx context.Context, after []bg.Board, s *cube.State, key bg.Key,
	w Watch[[]CubePlay]) ([]CubePlay, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	r := newRun(e, key, s, w)
	r.compared = true
	for i := range after {
		r.addLine(nil, CubeLine{After: &after[i]})
	}
	if w.Look != nil {
		r.look = func() error { return w.Look(r.compare()) }
	}
	if err := r.play(ctx); err != nil {
		return nil, err
	}
	return r.compare(), nil
}

// CubeLine says which of the positions that are rolled out with common dice is meant: of a
// decision no double, or double and take, or else what a play leads to.
type CubeLine struct {
	Doubled bool
	After   *bg.Board // after the play, the opponent on roll; nil of a decision
}

// Trials returns a function that plays trials first to end-1 of lines of Decide, or of Plays
// with the key of b, and returns their equities, trial by trial. Any number of goroutines may
// call it. Lines of a decision take less together.
func (e *CubeEngine) Trials(b *bg.Board, s *cube.State, lines ...CubeLine) (func(ctx context.Context, first, end int) (
	[]float64, error), error) {
	if err := checkCube(b, s); err != nil {
		return nil, err
	}
	r := newRun(e, b.Key(), s, Watch[any]{Workers: 1})
	for _, line := range lines {
		if line.Doubled && !s.MayDouble() {
			return nil, errors.New("the player on roll may not double")
		}
		r.addLine(b, line)
	}
	free := sync.Pool{New: func() any { return newCubeExpander(e, s) }}
	return func(ctx context.Context, first, end int) (values []float64, err error) {
		x, d := free.Get().(*cubeExpander), r.dice
		defer free.Put(x)
		for i := first; i < end && ctx.Err() == nil; i++ {
			for _, l := range r.lines {
				values = append(values, x.play(l, &d, i))
			}
		}
		return values, ctx.Err()
	}, nil
}

// compare returns the lines as plays, by the trials so far.
func (r *cubeRun) compare() []CubePlay {
	best := r.best()
	all := make([]CubePlay, len(r.lines))
	for i := range all {
		all[i] = CubePlay{Equity: r.lines[i].stat(), Trials: r.n}
		if i != best {
			all[i].Difference = r.difference(1, i, best)
		}
	}
	return all
}

// BestPlays returns what the best plays of a roll lead to, best first: chosen at 0-ply by
// what they leave the opponent, so many at most.
func (e *CubeEngine) BestPlays(b *bg.Board, s *cube.State, dice [2]int, most int) []bg.Board {
	var plays bg.Plays
	x := newCubeExpander(e, s)
	after := plays.Generate(b, dice[0], dice[1])
	outs := make([]bg.Outputs, len(after))
	x.eval.EvaluateBatch(after, outs)
	theirs := s.Swapped()
	type left struct {
		board  bg.Board
		equity float64
	}
	all := make([]left, len(after))
	for i := range all {
		all[i] = left{after[i], x.h.Leaves(x.db, &after[i], &outs[i], &theirs)}
	}
	slices.SortStableFunc(all, func(x, y left) int { return cmp.Compare(x.equity, y.equity) })
	var best []bg.Board
	for _, l := range all[:min(most, len(all))] {
		best = append(best, l.board)
	}
	return best
}

func checkCube(b *bg.Board, s *cube.State) error {
	if bg.Classify(b) == bg.Over {
		return errors.New("the game is over")
	}
	return s.Check()
}

// cubeRun is the rollout of some positions with common dice.
type cubeRun struct {
	o     *Options
	xs    []*cubeExpander // of each goroutine
	dice  dice
	lines []*cubeLine
	tick  func(n int)
	look  func() error // if not nil, called after every wave
	n     int          // trials played

	elsewhere func(ctx context.Context, lines, first, end int) ([][]float64, error) // see Watch.Trials

	first, second []uint8 // rolls of the trials
	compared      bool    // only the differences of the lines matter
}

// cubeLine is one of the positions.
type cubeLine struct {
	tree   cubeTree
	sign   float64   // from the player on roll at its start to whom the result is for
	values []float64 // of the trials, to that player
	sums   equityStats
}

// equityStats are trialStats of one quantity, kept as differences from a value near it.
type equityStats struct {
	trialStats
	near float64
}

func (s *equityStats) add(equity float64, first, second uint8) {
	s.addNumbers(&[numStats]float64{equity - s.near}, first, second)
}

func (s *equityStats) stat() stats.Stat {
	return stats.Stat{Mean: s.near + s.sum[0]/float64(s.n), SE: s.standardError(0)}
}

func (l *cubeLine) stat() stats.Stat { return l.sums.stat() }

func newRun[R any](e *CubeEngine, key bg.Key, s *cube.State, w Watch[R]) *cubeRun {
	o := e.o
	o.watched = w.Look != nil
	r := &cubeRun{o: &o, dice: newDice(o.Seed, key), tick: parallel.NewCounter(o.Trials, w.Progress).Add,
		elsewhere: w.Trials}
	for range parallel.Workers(w.Workers) {
		r.xs = append(r.xs, newCubeExpander(e, s))
	}
	return r
}

// addLine adds a line of a decision at b, or of a play.
func (r *cubeRun) addLine(b *bg.Board, line CubeLine) {
	l, x := &cubeLine{sign: 1}, r.xs[0]
	s := x.start[0]
	if line.Doubled {
		s = s.Doubled()
	}
	if line.After != nil {
		x.settle(&l.tree.start, &play{*line.After, x.eval.Evaluate(line.After, 0)}, &s, 0, 0)
	} else {
		x.open(&l.tree.start, b, &s, 0)
	}
	if l.tree.start.parity == 1 {
		l.sign = -1
	}
	x.plant(&l.tree)
	l.sums.near = l.sign * l.tree.start.estimate()
	r.lines = append(r.lines, l)
}

// play plays all trials, or as many as the target needs.
func (r *cubeRun) play(ctx context.Context) error {
	for r.n < r.o.Trials {
		if err := r.playTo(ctx, r.o.waveEnd(r.n)); err != nil {
			return err
		}
		if r.o.TargetSE > 0 && r.error() < r.o.TargetSE {
			break
		}
		if r.look != nil {
			if err := r.look(); err != nil {
				return err
			}
		}
	}
	return nil
}

// playTo plays trials up to number end and adds them up in their order.
func (r *cubeRun) playTo(ctx context.Context, end int) error {
	play := r.playHere
	if r.elsewhere != nil {
		play = r.elsewhere
	}
	values, err := play(ctx, len(r.lines), r.n, end)
	if err != nil {
		return err
	}
	for k, l := range r.lines {
		l.values = append(l.values, values[k]...)
	}
	for i := r.n; i < end; i++ {
		rolls := r.dice.trial(i)
		r.first, r.second = append(r.first, uint8(rolls.roll(0))), append(r.second, uint8(rolls.roll(1)))
		for _, l := range r.lines {
			l.sums.add(l.values[i], r.first[i], r.second[i])
		}
	}
	r.n = end
	return nil
}

// playHere plays trials first to end-1 of the lines, by the goroutines of the run.
func (r *cubeRun) playHere(ctx context.Context, lines, first, end int) ([][]float64, error) {
	values := make([][]float64, lines)
	for k := range values {
		values[k] = make([]float64, end-first)
	}
	dices := slices.Repeat([]dice{r.dice}, len(r.xs))
	blocks := (end - first + blockTrials - 1) / blockTrials
	return values, parallel.For(ctx, len(r.xs), blocks, func(worker, block int) error {
		at := block * blockTrials
		last := min(at+blockTrials, end-first)
		for i := at; i < last; i++ {
			for k, l := range r.lines {
				values[k][i] = r.xs[worker].play(l, &dices[worker], first+i)
			}
		}
		r.tick(last - at)
		return ctx.Err()
	})
}

// play plays a trial of a line.
func (x *cubeExpander) play(l *cubeLine, d *dice, trial int) float64 {
	rolls := d.trial(trial)
	return l.sign * x.trial(&l.tree, &rolls)
}

// best returns the line of the highest mean.
func (r *cubeRun) best() int {
	best := 0
	for i, l := range r.lines {
		if l.stat().Mean > r.lines[best].stat().Mean {
			best = i
		}
	}
	return best
}

// error is the largest standard error of a difference to the best line and, where lines
// are not only compared, of a line.
func (r *cubeRun) error() (largest float64) {
	best := r.best()
	for i, l := range r.lines {
		if !r.compared || len(r.lines) == 1 {
			largest = max(largest, l.stat().SE)
		}
		if i != best {
			largest = max(largest, r.difference(1, i, best).SE)
		}
	}
	return largest
}

// difference is what so many times line a is worth more than line b.
func (r *cubeRun) difference(times float64, a, b int) stats.Stat {
	la, lb := r.lines[a], r.lines[b]
	s := equityStats{near: times*la.sums.near - lb.sums.near}
	for i := range r.n {
		s.add(times*la.values[i]-lb.values[i], r.first[i], r.second[i])
	}
	return s.stat()
}
