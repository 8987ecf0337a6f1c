package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/parallel"
	"bgtrain/rollout"
	"bgtrain/rollout/job"
)

func runRollout(ctx context.Context, e *env, args []string) error {
	var r rolloutFlags
	var df databaseFlags
	f := newFlags(e, "rollout DB -o DB2 [flags]\n       bgtrain rollout ID… [flags]",
		`Rolls out every position of a database, cubeless. DB2 is a directory of part files, or one
file where its name ends in .parquet, whose parts are made in DB2.parts: interrupted or killed,
the same command goes on from there; with --shard several machines fill one directory. An ID (20-letter key, 14-character Position ID or XGID)
is rolled out on its own and printed; with dice, the plays of the roll are, with common
dice, each beside the best with the standard error of the difference. A Position ID may have a
Match ID behind a colon. Rollouts are cubeless and for money.`,
		"bgtrain rollout positions.parquet -o rolled/ --net default --trials 360 --truncate 7 --seed 1\n"+
			"  bgtrain rollout --trials 1296 --dice 31 4HPwATDgc/ABMA")
	r.add(f, rollout.DefaultOptions(), "position", "the dice")
	follow := f.Bool("follow", false, `one trial a position, which labels every position that it goes through: new rows,
where a position may come more than once; merge keeps one of each`)
	lambda := f.Float64("lambda", 1,
		"with --follow: 1 counts all that a trial finds, less mixes in the net's values on its way, 0 is 1-ply")
	var plans planFlags
	plans.add(f, "with --follow, keep: ")
	var typed typedFlags
	f.StringVar(&typed.dice, "dice", "",
		"of an ID: roll out the plays of this roll, such as 31 (an XGID or a Match ID may carry its own)")
	f.IntVar(&typed.plays, "plays", 5, "how many plays of a roll, the best at 0-ply")
	df.add(f, 256)
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if err := df.check(); err != nil {
		return err
	}
	switch {
	case f.NArg() == 0:
		return usagef("no database and no position given")
	case df.out == "" && df.farm.URLs != "":
		return usagef("--farm expects a database and -o DB2")
	case df.out != "" && f.NArg() != 1:
		return usagef("one database expected, not %d", f.NArg())
	case *follow && (df.out == "" || f.Changed("trials") || f.Changed("target-se")):
		return usagef("--follow expects -o DB2, and neither --trials nor --target-se")
	case df.out != "" && typed.dice != "":
		return usagef("--dice is for an ID, not for a database")
	case typed.plays < 1:
		return usagef("--plays %d: 1 or more expected", typed.plays)
	case f.Changed("lambda") && !*follow || !(*lambda >= 0 && *lambda <= 1):
		return usagef("--lambda %g: 0 to 1 expected, with --follow", *lambda)
	case plans.changed(f) && !*follow:
		return usagef("--plans, --without-plans and --themes go with --follow; 'bgtrain export' chooses positions of a " +
			"database")
	}
	if err := plans.parse(); err != nil {
		return err
	}
	if df.out == "" {
		return rolloutPositions(ctx, e, &r, &typed, f.Args(), df.workers, df.json)
	}
	s, have, err := r.settings()
	if err != nil {
		return err
	}
	if *follow {
		s.Kind, s.Lambda, s.Plans = job.Follow, *lambda, plans.PlanFilter
	}
	j, err := job.Open(ctx, s, have, r.cacheMB())
	if err != nil {
		return err
	}
	return df.make(ctx, e, f.Arg(0), j, commandLine("rollout", f))
}

// rolloutJSON is one line of `rollout --json ID…`.
type rolloutJSON struct {
	Position string     `json:"position"`
	Class    string     `json:"class"`
	Outputs  [5]float32 `json:"outputs"`
	SE       [5]float64 `json:"se"`
	Equity   float64    `json:"equity"`
	EquitySE float64    `json:"equity_se"`
	Trials   int        `json:"trials"`
	Method   string     `json:"method"`
	Elapsed  float64    `json:"elapsed_s"`
}

// typedFlags are the flags of positions that a person typed.
type typedFlags struct {
	dice  string
	plays int
}

// rolloutPositions rolls out positions that a person typed, or the plays of rolls.
func rolloutPositions(ctx context.Context, e *env, r *rolloutFlags, typed *typedFlags, ids []string, workers int,
	asJSON bool) error {
	boards, dice := make([]bg.Board, len(ids)), make([][2]int, len(ids))
	for i, id := range ids {
		p, err := new(cubeFlags).parse(id)
		if err == nil {
			err = p.check(e, id)
		}
		if err != nil {
			if _, statErr := os.Stat(id); statErr == nil && len(ids) == 1 {
				return usagef("no database to write: -o DB2 is missing")
			}
			return err
		}
		if typed.dice != "" {
			if p.dice, err = parseDice(typed.dice); err != nil {
				return usageError{err}
			}
		}
		boards[i], dice[i] = p.board, p.dice
	}
	j, err := r.open(ctx)
	if err != nil {
		return err
	}
	opts := j.Engine.Options()
	for i := range boards {
		if dice[i] != [2]int{} && j.Player.Class(&boards[i]) != bg.Over {
			if err := rolloutPlays(ctx, e, j, &boards[i], dice[i], typed.plays, workers, asJSON); err != nil {
				return err
			}
			continue
		}
		begun := time.Now()
		bar := newProgress(e, opts.Trials, "trials")
		res, err := j.Engine.Rollout(ctx, &boards[i], parallel.Workers(workers), bar.Set)
		bar.end()
		if err != nil {
			return err
		}
		line := rolloutJSON{
			Position: boards[i].Key().PositionID(), Class: dataset.ClassOf(&boards[i]).String(),
			Outputs: res.Outputs, SE: res.SE, Equity: res.Equity(), EquitySE: res.EquitySE,
			Trials: res.Trials, Method: opts.Method(), Elapsed: time.Since(begun).Seconds(),
		}
		if res.Exact {
			line.Method = "exact bearoff"
		}
		if asJSON {
			err = json.NewEncoder(e.Stdout).Encode(&line)
		} else {
			err = line.print(e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (j *rolloutJSON) print(e *env) error {
	_, err := fmt.Fprintf(e.Stdout, "%s  %s  %s, %d trials in %.2f s\n", j.Position, j.Class, j.Method, j.Trials,
		j.Elapsed)
	for k, name := range [...]string{"win", "win gammon", "win backgammon", "lose gammon", "lose backgammon"} {
		if err == nil {
			_, err = fmt.Fprintf(e.Stdout, "  %-16s %8.5f ± %.5f\n", name, j.Outputs[k], j.SE[k])
		}
	}
	if err == nil {
		_, err = fmt.Fprintf(e.Stdout, "  %-16s %+8.5f ± %.5f\n", "equity", j.Equity, j.EquitySE)
	}
	return err
}
