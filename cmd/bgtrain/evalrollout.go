package main

import (
	"context"
	"io"

	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/player"
	"bgtrain/rollout"
	"bgtrain/rollout/job"
)

// textual is a result that prints itself for people.
type textual interface{ WriteText(w io.Writer) error }

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
func (o *evalOptions) rollOut(ctx context.Context, e *env, p *typed) ([]textual, error) {
	if o.job == nil || bg.Classify(&p.board) == bg.Over {
		return nil, nil
	}
	h := cube.Handling{Model: o.cube.model}
	if p.given && !o.cube.changed("cube") {
		h.Model = cube.GNUbg{}
	}
	bar := newProgress(e, 0, "trials")
	defer bar.end()
	var all []textual
	most := o.plays
	if most == 0 {
		most = maxPlays
	}
	dice := p.dice
	switch {
	case dice == [2]int{} && h.Model == nil:
		r, err := o.job.RollOut(ctx, &p.board, 0, bar.Set)
		return []textual{r}, err
	case dice == [2]int{}:
		r, err := o.job.RollOutCube(ctx, &p.board, &p.state, h, 0, bar.Set)
		return []textual{r}, err
	case h.Model == nil:
		plays, err := o.job.RollOutPlays(ctx, &p.board, dice, most, 0, bar.Set)
		for i := range plays {
			all = append(all, &plays[i])
		}
		return all, err
	}
	plays, err := o.job.RollOutCubePlays(ctx, &p.board, &p.state, dice, most, h, 0, bar.Set)
	for i := range plays {
		all = append(all, &plays[i])
	}
	return all, err
}

// maxPlays is more than any roll has.
const maxPlays = 1 << 20
