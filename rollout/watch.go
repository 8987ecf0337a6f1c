package rollout

import (
	"context"

	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/parallel"
)

// What is watched gives, in the end, the results of Compare, Decide and Plays to the bit. On
// the way look gets those of the trials so far, after numbers of trials that do not depend
// on the machine; an error of look ends the rollout and is returned. Options.TargetSE is
// checked then, too.

// nextLook is the number of trials after which a watched rollout is looked at next, after n:
// 36, and then about an eighth more each time, always a multiple of 36.
func nextLook(n int) int { return (n+n/8)/36*36 + 36 }

// watchedOptions returns options whose waves end where results are looked at.
func (o Options) watchedOptions() Options {
	o.watched = true
	return o
}

// CompareWatched is Compare that shows the results as they grow. Of one position alone with
// its own key it is Rollout.
func (e *Engine) CompareWatched(ctx context.Context, positions []bg.Board, key bg.Key, workers int,
	look func([]Compared) error) ([]Compared, error) {
	w := &Engine{e.p, e.o.watchedOptions()}
	return compare(ctx, positions, key, w.expanders(parallel.Workers(workers)), func(int) {}, look)
}

// DecideWatched is Decide that shows the decision as it grows.
func (e *CubeEngine) DecideWatched(ctx context.Context, b *bg.Board, s *cube.State, workers int,
	look func(*CubeDecision) error) (*CubeDecision, error) {
	w := &CubeEngine{e.p, e.o.watchedOptions(), e.h}
	return w.decide(ctx, b, s, workers, nil, look)
}

// PlaysWatched is Plays that shows the plays as they grow.
func (e *CubeEngine) PlaysWatched(ctx context.Context, after []bg.Board, s *cube.State, key bg.Key, workers int,
	look func([]CubePlay) error) ([]CubePlay, error) {
	w := &CubeEngine{e.p, e.o.watchedOptions(), e.h}
	return w.plays(ctx, after, s, key, workers, nil, look)
}
