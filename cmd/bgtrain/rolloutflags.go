package main

import (
	"context"
	"fmt"

	"bgtrain/internal/nets"
	"bgtrain/rollout"
	"bgtrain/rollout/job"

	"github.com/spf13/pflag"
)

// rolloutFlags are the flags that say how positions are rolled out, shared by
// the commands that do so.
type rolloutFlags struct {
	player  playerFlags
	o       rollout.Options
	luck    string
	noVR    bool
	luckNet string
	flags   *pflag.FlagSet
}

// add adds the flags with the defaults of a command, which calls what is rolled
// out its subject and has a seed of dice, or of more.
func (r *rolloutFlags) add(f *pflag.FlagSet, defaults rollout.Options, subject, seedOf string) {
	r.o, r.flags = defaults, f
	r.player.add(f)
	r.player.addFilters(f)
	f.IntVar(&r.o.Trials, "trials", r.o.Trials,
		"games a "+subject+", at most; multiples of 36, best of 1296, balance the first rolls")
	f.IntVar(&r.o.Truncate, "truncate", r.o.Truncate, "plies after which the net's value is taken; 0 plays to the end")
	f.IntVar(&r.o.Ply, "ply", r.o.Ply, "look-ahead that chooses the plays, 0 to 3")
	f.IntVar(&r.o.DeepPlies, "deep-plies", r.o.DeepPlies,
		"with --ply: so many plies at the start of a trial only, later ones at 0-ply; 0 all")
	f.IntVar(&r.o.LeafPly, "leaf-ply", r.o.LeafPly, "look-ahead of the value at truncation, 0 to 3")
	f.Float64Var(&r.o.TargetSE, "target-se", r.o.TargetSE,
		"end a "+subject+" when the standard error of its equity is below; 0 never")
	f.Uint64Var(&r.o.Seed, "seed", max(r.o.Seed, 1), "seed of "+seedOf)
	f.StringVar(&r.luck, "luck", string(r.o.Luck), `measure of luck for variance reduction: full, picked (small nets pick the plays
that the player values), small (small nets alone) or none`)
	f.IntVar(&r.o.Picks, "picks", r.o.Picks, "plays a roll that the small nets pick")
	f.StringVar(&r.luckNet, "luck-net", "", `net whose pruning nets, or else whose nets, are the small ones
(default: the pruning nets of --net; without those --luck full)`)
	f.BoolVar(&r.noVR, "no-vr", false, "no variance reduction, as --luck none")
}

// settings returns the job of rolling positions out that the flags describe, and
// the nets that it needs.
func (r *rolloutFlags) settings() (job.Settings, job.Nets, error) {
	none := job.Settings{}
	r.o.Luck = rollout.Luck(r.luck)
	if r.noVR {
		r.o.Luck = rollout.LuckNone
	}
	if err := r.o.Check(); err != nil {
		return none, nil, usageError{err}
	}
	own, have, player, err := r.player.read()
	if err != nil {
		return none, nil, err
	}
	small, err := r.smallNets(own)
	if err != nil {
		return none, nil, err
	}
	return job.Settings{Kind: job.Rollout, Player: player, Rollout: r.o, SmallNet: have.Add(small)}, have, nil
}

// cacheMB returns the size of the position cache that the flags ask for.
func (r *rolloutFlags) cacheMB() int {
	if r.flags.Changed("cache") {
		return r.player.cacheMB
	}
	return job.AutoCache
}

// open returns the job that the flags describe.
func (r *rolloutFlags) open(ctx context.Context) (*job.Job, error) {
	s, have, err := r.settings()
	if err != nil {
		return nil, err
	}
	return job.Open(ctx, s, have, r.cacheMB())
}

// smallNets returns the nets that measure luck, nil for none. Without any,
// picked luck becomes full luck.
func (r *rolloutFlags) smallNets(set *nets.Set) (*nets.Set, error) {
	if r.o.Luck != rollout.LuckPicked && r.o.Luck != rollout.LuckSmall {
		return nil, nil
	}
	if r.luckNet == "" {
		small := set.PruningPlayer()
		if small == nil && r.flags.Changed("luck") {
			return nil, fmt.Errorf("net %s has no pruning nets to measure luck with: name some by --luck-net, or "+
				"use --luck full", r.player.net)
		}
		if small == nil {
			r.o.Luck = rollout.LuckFull
		}
		return small, nil
	}
	f, err := openNet(r.luckNet)
	if err != nil {
		return nil, err
	}
	if small := f.PruningPlayer(); small != nil {
		return small, nil
	}
	return f, nil
}
