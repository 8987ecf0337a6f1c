package main

import (
	"context"

	"bgtrain/internal/player"
	"bgtrain/rollout/job"
)

func runLabel(ctx context.Context, e *env, args []string) error {
	var pf playerFlags
	var df databaseFlags
	f := newFlags(e, "label DB -o DB2 --ply N [flags]",
		`Gives every position of a database the outputs of an N-ply evaluation. DB2 is a directory
of part files, or one file where its name ends in .parquet, whose parts are made in DB2.parts;
interrupted, the same command goes on from there.`,
		"bgtrain label positions.parquet -o labelled/ --ply 2 --net td")
	ply := f.Int("ply", 2, "look-ahead, 0 to 3, in GNU Backgammon's counting")
	pf.add(f)
	df.add(f, 5000)
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if f.NArg() != 1 || df.out == "" {
		return usagef("one database and -o DB2 expected")
	}
	if *ply < 0 || *ply > player.MaxPly {
		return usagef("--ply %d: 0 to %d expected", *ply, player.MaxPly)
	}
	if err := df.check(); err != nil {
		return err
	}
	_, have, how, err := pf.read()
	if err != nil {
		return err
	}
	j, err := job.Open(ctx, job.Settings{Kind: job.Label, Player: how, Ply: *ply}, have, pf.cacheMB)
	if err != nil {
		return err
	}
	return df.make(ctx, e, f.Arg(0), j, commandLine("label", f))
}
