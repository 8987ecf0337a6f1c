package main

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"bgtrain/dataset"
	"bgtrain/internal/player"
	"bgtrain/rollout"
)

func runLabel(ctx context.Context, e *env, args []string) error {
	var pf playerFlags
	f := newFlags(e, "label DB -o DB2 --ply N [flags]",
		"Gives every position of a database the outputs of an N-ply evaluation. DB2 is a directory\nof part files; interrupted, the same command goes on from there.",
		"bgtrain label positions.parquet -o labelled/ --ply 2 --net td")
	out := f.StringP("output", "o", "", "directory of the labelled database")
	ply := f.Int("ply", 2, "look-ahead, 0 to 3, in GNU Backgammon's counting")
	pf.add(f)
	chunk := f.Int("chunk", 5000, "positions a part")
	shard := f.String("shard", "", "work on every N-th part only: i/N, with i from 0 to N-1")
	workers := f.Int("workers", runtime.GOMAXPROCS(0), "goroutines; the result does not depend on it")
	if err := parseFlags(f, args); err != nil {
		return err
	}
	if f.NArg() != 1 || *out == "" {
		return usagef("one database and -o DB2 expected")
	}
	if *ply < 0 || *ply > player.MaxPly {
		return usagef("--ply %d: 0 to %d expected", *ply, player.MaxPly)
	}
	index, shards, err := parseShard(*shard)
	if err != nil {
		return err
	}
	if *chunk < 1 || *workers < 1 {
		return usagef("--chunk and --workers must be positive")
	}
	p, id, err := pf.openIdentified(ctx)
	if err != nil {
		return err
	}
	db, err := dataset.Open(f.Arg(0))
	if err != nil {
		return err
	}
	id.add("ply", *ply)
	bar := newProgress(e, int(db.NumRows()), "positions")
	parts := rollout.Parts{
		Input: db, Output: strings.TrimSuffix(*out, "/"), Chunk: *chunk, Block: 16, Shard: index, Shards: shards,
		Meta:     dataset.Meta{Command: commandLine("label", f), Net: id.get("net"), Extra: id.extra()},
		Progress: func(done, _ int64) { bar.Set(int(done)) },
		Damaged:  func(path string, err error) { fmt.Fprintf(e.Stderr, "made again: %v\n", err) },
	}
	report, err := parts.Run(ctx, *workers, rollout.Label(p, *ply))
	bar.Done()
	if err != nil {
		return err
	}
	fmt.Fprintf(e.Stdout, "%s: %d positions labelled at %d-ply, %d were there, %d of %d parts missing\n",
		*out, report.Rows, *ply, report.Earlier, len(report.Missing), report.Total)
	return nil
}
