package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"bgtrain/rollout/job"

	"github.com/spf13/pflag"
)

// databaseFlags are the flags of commands that make a database out of another one
// in parts.
type databaseFlags struct {
	out           string
	chunk         int
	shard         string
	index, shards int
	workers       int
	farm          farmFlags
	json          bool
}

func (d *databaseFlags) add(f *pflag.FlagSet, chunk int) {
	f.StringVarP(&d.out, "output", "o", "",
		"the database to make: a directory of parts, or one file where the name ends in .parquet")
	f.IntVar(&d.chunk, "chunk", chunk, "positions a part")
	f.StringVar(&d.shard, "shard", "", "work on every N-th part only: i/N, with i from 0 to N-1")
	addWorkersFlag(f, &d.workers)
	d.farm.add(f)
	f.BoolVar(&d.json, "json", false, "print the result as JSON")
}

// addWorkersFlag adds --workers.
func addWorkersFlag(f *pflag.FlagSet, workers *int) {
	f.IntVar(workers, "workers", 0, "goroutines, 0 one a processor; the result does not depend on it")
}

// check reports flags that make no sense.
func (d *databaseFlags) check() (err error) {
	if d.chunk < 1 || d.workers < 0 {
		return usagef("--chunk %d, --workers %d: out of range", d.chunk, d.workers)
	}
	if job.IsFile(d.out) && d.shard != "" {
		return usagef("--shard: shards fill a directory together, to be named without .parquet; 'bgtrain merge "+
			"DIR -o %s' then makes one file of it", d.out)
	}
	if err := d.farm.check(); err != nil {
		return err
	}
	d.index, d.shards, err = parseShard(d.shard)
	return err
}

// parseShard reads --shard i/N, i from 0 to N-1; empty is 0/1, all the work.
func parseShard(s string) (index, shards int, err error) {
	if s == "" {
		return 0, 1, nil
	}
	i, n, _ := strings.Cut(s, "/")
	index, err1 := strconv.Atoi(i)
	shards, err2 := strconv.Atoi(n)
	if err1 != nil || err2 != nil || shards < 1 || index < 0 || index >= shards {
		return 0, 0, usagef("--shard %q: i/N with i from 0 to N-1 expected", s)
	}
	return index, shards, nil
}

// make makes the database out of the one at path, with progress and a summary.
func (d *databaseFlags) make(ctx context.Context, e *env, path string, j *job.Job, command string) error {
	db, err := openDatabase(path)
	if err != nil {
		return err
	}
	var bar *progress
	hooks := job.Hooks{
		Progress: func(done, total int) {
			if bar == nil {
				bar = newProgress(e, total, "positions")
			}
			bar.Set(done, total)
		},
		Damaged: func(_ string, err error) { fmt.Fprintf(e.Stderr, "made again: %v\n", err) },
	}
	begun := time.Now()
	made := job.Database{
		Input: db, Output: d.out, Chunk: d.chunk, Command: command, Shard: d.index, Shards: d.shards,
	}
	output := strings.TrimRight(d.out, "/")
	runner, err := d.farm.runner(e, d.workers, output)
	if err != nil {
		return err
	}
	report, err := made.Make(ctx, j, runner, hooks)
	if bar != nil {
		bar.Done()
	}
	if errors.Is(err, context.Canceled) {
		err = kept{err}
	}
	if report == nil {
		return err
	}
	// Chunks may have been set aside: what there is is reported first.
	return errors.Join(err, d.report(e, output, report, time.Since(begun)))
}

// report prints what was made.
func (d *databaseFlags) report(e *env, output string, r *job.Report, took time.Duration) error {
	if d.json {
		return json.NewEncoder(e.Stdout).Encode(struct {
			Output  string  `json:"output"`
			Rows    int64   `json:"rows"`
			Earlier int64   `json:"rows_there_before"`
			Parts   int     `json:"parts_written"`
			Total   int     `json:"parts_total"`
			Missing []int   `json:"missing_parts"`
			Elapsed float64 `json:"elapsed_s"`
		}{output, r.Rows, r.Earlier, r.Parts, r.Total, append([]int{}, r.Missing...), took.Seconds()})
	}
	fmt.Fprintf(e.Stdout, "%s: %d positions in %.1f s", output, r.Rows, took.Seconds())
	if r.Earlier > 0 {
		fmt.Fprintf(e.Stdout, ", %d were there", r.Earlier)
	}
	if n := len(r.Missing); n > 0 {
		fmt.Fprintf(e.Stdout, "; %d of %d parts are missing yet", n, r.Total)
	}
	fmt.Fprintln(e.Stdout)
	return nil
}
