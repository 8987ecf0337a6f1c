package main

import (
	"context"

	"bgtrain/internal/setting"
	"bgtrain/rollout/job"
)

func runLabel(ctx context.Context, e *env, args []string) error {
	var pf playerFlags
	var df databaseFlags
	f := newFlags(e, "label DB -o DB2 --ply N [flags]",
		`Gives every position of a database the outputs of an N-ply evaluation. DB2 is a directory
of part files, or one file where its name ends in .parquet, whose parts are made in DB2.parts;
interrupted, the same command goes on from there.`,
		"bgtrain label positions.parquet -o labeled/ --ply 2 --net td")
	s := job.Settings{Kind: job.Label, Ply: 2}
	setting.List{s.LabelSetting()}.AddFlags(f)
	pf.add(f)
	df.add(f, 5000)
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if err := needOne(f, "a database", df.Output, "DB2"); err != nil {
		return err
	}
	if err := df.check(); err != nil {
		return err
	}
	_, have, how, err := pf.Read()
	if err != nil {
		return err
	}
	s.Player = how
	j, err := job.Open(ctx, s, have, pf.CacheMB)
	if err != nil {
		return err
	}
	return df.make(ctx, e, f.Arg(0), j, commandLine("label", f))
}
