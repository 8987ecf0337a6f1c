package main

import (
	"context"

	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/player"
	"bgtrain/rollout"
	"bgtrain/rollout/job"
)

// open returns the player that the flags describe and, with --rollout, the job that rolls
// its positions out.
func (o *evalOptions) open(ctx context.Context, e *env) (*player.Player, error) {
	if o.trials == 0 {
		return o.player.open(ctx, e)
	}
	o.cube.everywhere = true
	options := rollout.DefaultOptions()
	options.Trials, options.Truncate = o.trials, 0
	r := job.DefaultRollout(options)
	r.PlayerSettings = o.player.PlayerSettings
	none := func(string) bool { return false }
	if err := r.Check(none); err != nil {
		return nil, usageError{err}
	}
	s, have, err := r.Job(none)
	if err != nil {
		return nil, err
	}
	if o.job, err = job.Open(ctx, s, have, r.CacheMB); err != nil {
		return nil, err
	}
	return o.job.Player, nil
}

// rollOut rolls out a position, or with dice its best plays: with the cube where the ID
// says how it stands or a model is named, else cubeless. Nothing without --rollout.
func (o *evalOptions) rollOut(ctx context.Context, e *env, p *cube.ID) ([]job.Result, error) {
	if o.job == nil || bg.Classify(&p.Board) == bg.Over {
		return nil, nil
	}
	a := job.Asked{ID: *p, Handling: cube.Handling{Model: o.cube.model}, Plays: o.plays}
	if p.Given && !o.cube.changed("cube") {
		a.Handling.Model = cube.GNUbg{}
	}
	bar := newProgress(e, 0, "trials")
	defer bar.end()
	rolled, err := o.job.RollOut(ctx, &a, 0, bar.Set)
	if err != nil {
		return nil, err
	}
	return rolled.Results, nil
}
