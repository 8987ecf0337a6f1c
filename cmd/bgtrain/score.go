package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"bgtrain/benchmark/bm"
	"bgtrain/benchmark/opponents"
	"bgtrain/benchmark/score"
	"bgtrain/data"
	"bgtrain/internal/atomicfile"
)

// scoreOptions are the flags of score.
type scoreOptions struct {
	contestantFlags
	score.Judging
	net, against string
	losses       string
	skipBad      bool
	json         bool
	score.Detail
}

func runScore(ctx context.Context, e *env, args []string) error {
	o := scoreOptions{Judging: score.Defaults}
	o.Equities = true
	f := newFlags(e, "score [flags] [FILE…]",
		"Scores a player on GNU Backgammon's benchmark files, plain or compressed: the error\nrate (mean equity "+
			"lost per decision, times 1000) with its standard error, the\ndecisions that lost something, those "+
			"whose play is not listed (out), and the total\nin points; and how far its equities of the "+
			"candidates are from the file's, in all and\nwithin a decision. With --against, compares two players "+
			"decision by decision. Cube\ndecisions (o records) are scored where a file has them. A file "+
			"may also be a rollout\ndatabase: then it is the outputs that are compared, and neighbors that "+
			"plays of one\nroll lead to are chosen among; embedded is the one that ships with the program. "+
			"Without FILE, the benchmark files that ship "+
			"with it.\n\n"+contestantHelp,
		"bgtrain score --net my.safetensors --against default --breakdown contact.bm crashed.bm race.bm")
	f.StringVar(&o.net, "net", "default",
		"the player: net file, embedded net ("+data.NetList()+"), pubeval, gnubg, …")
	o.contestantFlags.add(e, f)
	f.StringVar(&o.against, "against", "", "another player, for a paired comparison")
	f.StringVar(&o.losses, "losses", "", "write a line a decision to this file: key, dice, chosen key, loss, in or out")
	f.BoolVar(&o.Breakdown, "breakdown", false, "also by game plan and by class of the position after the best play")
	append(o.Judging.List(), score.WorstSetting(&o.Worst, "also list so many of the worst decisions; with --against, "+
		"of those that differ most")).AddFlags(f)
	f.BoolVar(&o.skipBad, "skip-bad", false, "leave bad records out and say how many")
	f.BoolVar(&o.json, "json", false, "print the result as JSON")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	switch {
	case o.net == "":
		return usagef("--net: a player expected")
	case f.Changed("met") && !f.Changed("at"):
		return usagef("--met is for a score of a match: --at")
	case o.against != "" && o.losses != "":
		return usagef("--losses is of one player, --against of two")
	}
	if err := o.Complete(); err != nil {
		return usagef("--at: %w", err)
	}
	return o.score(ctx, e, f.Args())
}

// read reads the benchmark files and databases to judge by.
func (o *scoreOptions) read(e *env, names []string) error {
	var benchmarks, databases []string
	for _, name := range names {
		if data.IsDatabase(name) {
			databases = append(databases, name)
		} else {
			benchmarks = append(benchmarks, name)
		}
	}
	var err error
	if o.Databases, err = data.OpenDatabases(databases); err != nil {
		return err
	}
	if len(benchmarks) > 0 || len(databases) == 0 {
		o.Files, err = bm.ReadAll(benchmarks, bm.ReadOptions{SkipBad: o.skipBad})
		for _, f := range o.Files {
			e.skipped(f)
		}
		if err != nil {
			return err
		}
	}
	if o.Calibration && len(o.Files) > 0 && len(score.Samples(o.Files...)) == 0 {
		return fmt.Errorf("calibration: no rolled-out outputs (#R or o records) in the benchmark files")
	}
	return nil
}

func (o *scoreOptions) score(ctx context.Context, e *env, files []string) error {
	players, names, err := o.open(ctx, o.net, o.against)
	if err != nil {
		return err
	}
	start := time.Now()
	if err := o.read(e, files); err != nil {
		return err
	}
	for _, p := range players {
		if (o.Calibration || len(o.Databases) > 0) && opponents.NetOf(p) == nil {
			return fmt.Errorf("%s has no outputs to compare with rolled-out ones", p.Name())
		}
	}
	stages := &stages{e: e}
	o.Begin = stages.begin
	r, err := score.Judge(ctx, players, o.Judging)
	stages.end()
	if err != nil {
		return err
	}
	elapsed := time.Since(start)
	if o.losses != "" {
		err := atomicfile.Write(o.losses, func(w io.Writer) error {
			for _, s := range r.Files {
				if err := s.Scores[0].WriteLosses(w); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if o.json {
		return json.NewEncoder(e.Stdout).Encode(r.Report(names, o.Breakdown, elapsed))
	}
	o.Bins = o.Calibration
	if err := r.WriteText(e.Stdout, o.Detail); err != nil {
		return err
	}
	_, err = fmt.Fprintf(e.Stdout, "\n%.1f s\n", elapsed.Seconds())
	return err
}

// skipped prints how many bad records of a benchmark file were left out, if any.
func (e *env) skipped(f *bm.File) {
	if n := len(f.Skipped); n > 0 {
		fmt.Fprintf(e.Stderr, "%s: %d bad records left out; the first: %v\n", f.Name, n, f.Skipped[0])
	}
}
