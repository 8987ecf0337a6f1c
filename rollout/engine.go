package rollout

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"bgtrain/internal/bg"
	"bgtrain/internal/parallel"
	"bgtrain/internal/player"
)

// Engine rolls positions out with one player and one set of options. It may be
// shared by any number of goroutines.
type Engine struct {
	p *player.Player
	o Options
}

// NewEngine returns an engine for a player.
func NewEngine(p *player.Player, o Options) (*Engine, error) {
	if err := o.Check(); err != nil {
		return nil, fmt.Errorf("rollout: %w", err)
	}
	return &Engine{p, o}, nil
}

// Options returns the options of the engine.
func (e *Engine) Options() Options { return e.o }

// Result is what a rollout found, cubeless, as the player on roll sees it.
type Result struct {
	Outputs bg.Outputs // the mean of the trials, made fit for probabilities

	Mean     [bg.NumOutputs]float64 // the mean itself, with variance reduction not always probabilities
	SE       [bg.NumOutputs]float64 // standard errors of the mean
	EquitySE float64                // of its equity, points
	Trials   int

	// Exact is set where nothing was played, because the game is over or a bearoff
	// database covers the position. Trials and the errors are 0 then.
	Exact bool
}

// Equity returns the equity of the mean, in points.
func (r *Result) Equity() float64 { return (*values)(&r.Mean).equity() }

const (
	blockTrials = 12          // trials that a worker does at a time
	waveTrials  = 36 * 36 * 4 // trials whose results are held before they are added up
)

// Roller rolls positions out one after the other. It belongs to one goroutine
// and keeps its memory: after the first positions it allocates nothing.
type Roller struct {
	e *Engine
	x *expander
	j *job
}

// NewRoller returns a roller for one goroutine.
func (e *Engine) NewRoller() *Roller { return &Roller{e: e, x: newExpander(e.p, &e.o)} }

// Rollout rolls a position out. It fails only when ctx ends.
func (r *Roller) Rollout(ctx context.Context, b *bg.Board) (Result, error) {
	if r.j == nil {
		r.j = new(job)
	}
	return r.j.rollout(ctx, b, []*expander{r.x})
}

// Rollout rolls one position out with several goroutines. The result is, to the
// bit, that of a Roller, whatever their number. progress, if not nil, gets how many
// trials of all are done; with Options.TargetSE fewer may do.
func (e *Engine) Rollout(ctx context.Context, b *bg.Board, workers int, progress func(done, total int)) (Result,
	error) {
	xs := e.expanders(max(workers, 1))
	j := &job{tick: parallel.NewCounter(e.o.Trials, progress).Add}
	return j.rollout(ctx, b, xs)
}

// expanders returns those of n goroutines.
func (e *Engine) expanders(n int) []*expander {
	xs := make([]*expander, n)
	for i := range xs {
		xs[i] = newExpander(e.p, &e.o)
	}
	return xs
}

// job is the rollout of one position.
type job struct {
	o       *Options
	tree    tree
	dice    dice
	results []trialResult
	stats   trialStats

	keep bool          // the results of all trials in kept
	kept []trialResult // in their order
	tick func(n int)   // if not nil, gets trials that are done, from several goroutines
}

func (j *job) rollout(ctx context.Context, b *bg.Board, xs []*expander) (Result, error) {
	if r, known := j.begin(b, b.Key(), xs[0]); known {
		return r, nil
	}
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	for j.stats.n < j.o.Trials {
		if err := j.play(ctx, j.stats.n, j.o.waveEnd(j.stats.n), xs); err != nil {
			return Result{}, err
		}
		if j.o.TargetSE > 0 && j.stats.standardError(bg.NumOutputs) < j.o.TargetSE {
			break
		}
	}
	return j.stats.result(), nil
}

// begin prepares the rollout of a position with the dice of a key. Where the result
// is known without, it returns that, and true.
func (j *job) begin(b *bg.Board, diceOf bg.Key, x *expander) (Result, bool) {
	j.o = x.o
	if x.known(b) {
		out := x.eval.Evaluate(b, 0)
		return Result{Outputs: out, Mean: toValues(&out), Exact: true}, true
	}
	j.dice = newDice(j.o.Seed, diceOf)
	x.plant(&j.tree, b)
	j.stats.reset(&j.tree.start.luck.mean)
	return Result{}, false
}

// waveEnd returns the number of trials after which results are added up next, after
// n trials.
func (o *Options) waveEnd(n int) int {
	end := min(o.Trials, n+waveTrials)
	if o.TargetSE > 0 {
		end = min(end, checkpoint(n))
	}
	if o.watched {
		end = min(end, nextLook(n))
	}
	return end
}

// checkpoint returns the number of trials at which the standard error is looked
// at next after n trials: 144, and then about a quarter more each time, always a
// multiple of 36, so that the first rolls are balanced.
func checkpoint(n int) int {
	const first = 144
	if n < first {
		return first
	}
	return (n + n/4 + 35) / 36 * 36
}

// play plays trials first to end-1 and adds them up in their order.
func (j *job) play(ctx context.Context, first, end int, xs []*expander) error {
	n := end - first
	results := grow(&j.results, n)
	var next atomic.Int64
	work := func(x *expander, d dice) {
		for {
			at := int(next.Add(blockTrials)) - blockTrials
			for i := at; i < min(at+blockTrials, n); i++ {
				if ctx.Err() != nil {
					return
				}
				rolls := d.trial(first + i)
				x.trial(&j.tree, &rolls, &results[i])
			}
			if at >= n {
				return
			}
			if j.tick != nil {
				j.tick(min(blockTrials, n-at))
			}
		}
	}
	if len(xs) == 1 {
		work(xs[0], j.dice)
	} else {
		var wg sync.WaitGroup
		for _, x := range xs {
			wg.Go(func() { work(x, j.dice) })
		}
		wg.Wait()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	for i := range results {
		j.stats.add(&results[i])
	}
	if j.keep {
		j.kept = append(j.kept, results...)
	}
	return nil
}
