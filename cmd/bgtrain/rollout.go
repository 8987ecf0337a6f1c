package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/setting"
	"bgtrain/rollout"
	"bgtrain/rollout/job"

	"github.com/spf13/pflag"
)

const rolloutHelp = `Rolls out every position of a database, cubeless. DB2 is a directory of part files, or one
file where its name ends in .parquet, whose parts are made in DB2.parts: interrupted or killed,
the same command goes on from there; with --shard several machines fill one directory. An ID
(20-letter key, 14-character Position ID or XGID)
is rolled out on its own and printed; with dice, the plays of the roll are, with common
dice, each beside the best with the standard error of the difference. A Position ID may have a
Match ID behind a colon. Rollouts are cubeless and for money, but with --cube: then an ID is
rolled out with the cube and at the score that it says, to the end of the game unless --truncate
is given: no double, double/take and their difference with common dice, or the plays. For money
positions of the two-sided database end a trial with their exact value. With -o FILE the results go there
too, a line of JSON each, made in parts of some trials, with --farm on many machines:
interrupted or killed, the same command goes on from FILE.journal.`

func runRollout(ctx context.Context, e *env, args []string) error {
	var r rolloutFlags
	var df databaseFlags
	f := newFlags(e, "rollout DB -o DB2 [flags]\n       bgtrain rollout ID… [flags]", rolloutHelp,
		"bgtrain rollout positions.parquet -o rolled/ --net default --trials 360 --truncate 7 --seed 1\n"+
			"  bgtrain rollout --trials 1296 --dice 31 4HPwATDgc/ABMA\n"+
			"  bgtrain rollout --cube gnubg XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:4:0:7:10")
	r.add(f, rollout.DefaultOptions(), "position", "the dice")
	follow := f.Bool("follow", false, `one trial a position, which labels every position that it goes through: new rows,
where a position may come more than once; merge keeps one of each`)
	followed := job.Settings{Kind: job.Follow, Lambda: 1}
	ids := typedFlags{plays: 5}
	l := append(followed.FollowSettings(), setting.List{
		{Name: "dice", To: &ids.dice,
			Help: "of an ID: roll out the plays of this roll, such as 31 (an XGID or a Match ID may carry its own)"},
		{Name: "plays", To: &ids.plays, Range: setting.From(1, 1e6),
			Help: "how many plays of a roll, the best at 0-ply"},
	}...)
	l.AddFlags(f)
	ids.cube.add(f)
	df.add(f, 256)
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	for _, err := range []error{df.check(), checkRollout(f, &df, *follow, ids.cube.model != nil), ids.cube.check()} {
		if err != nil {
			return err
		}
	}
	if ids.cube.model != nil && !f.Changed("truncate") {
		r.Truncate = 0
	}
	if df.Output == "" || ids.cube.model != nil {
		return rolloutPositions(ctx, e, &r, &ids, f.Args(), &df)
	}
	s, have, err := r.settings()
	if err != nil {
		return err
	}
	if *follow {
		s.Kind, s.Lambda, s.Plans, s.Ends = job.Follow, followed.Lambda, followed.Plans, followed.Ends
	}
	j, err := job.Open(ctx, s, have, r.cacheMB())
	if err != nil {
		return err
	}
	return df.make(ctx, e, f.Arg(0), j, commandLine("rollout", f))
}

// checkRollout refuses flags that do not go together.
func checkRollout(f *pflag.FlagSet, df *databaseFlags, follow, withCube bool) error {
	changed := func(names ...string) bool { return slices.ContainsFunc(names, f.Changed) }
	switch {
	case f.NArg() == 0:
		return usagef("no database and no position given")
	case df.Output == "" && df.farm.Address.URLs != "":
		return usagef("--farm expects a database and -o DB2, or --cube, IDs and -o FILE")
	case withCube && (job.IsFile(df.Output) || strings.HasSuffix(df.Output, "/")):
		return usagef("--cube is for an ID, not for a database: its outputs are cubeless")
	case withCube && changed("chunk", "shard"):
		return usagef("--chunk and --shard are of a database, --cube is for an ID")
	case df.Output != "" && !withCube && f.NArg() != 1:
		return usagef("one database expected, not %d", f.NArg())
	case follow && (df.Output == "" || changed("trials", "target-se")):
		return usagef("--follow expects -o DB2, and neither --trials nor --target-se")
	case df.Output != "" && !withCube && changed("dice", "plays"):
		return usagef("--dice and --plays are for an ID, not for a database")
	case df.Output == "" && changed("chunk", "shard"):
		return usagef("--chunk and --shard go with -o DB2")
	case changed("lambda", "ends") && !follow:
		return usagef("--lambda and --ends go with --follow")
	case changed("plans", "without-plans", "themes") && !follow:
		return usagef("--plans, --without-plans and --themes go with --follow; 'bgtrain export' chooses positions of a " +
			"database")
	}
	return nil
}

// typedFlags are the flags of positions that a person typed.
type typedFlags struct {
	dice  string
	plays int
	cube  cubeRolloutFlags
}

// rolloutPositions rolls out positions that a person typed, or the plays of rolls.
func rolloutPositions(ctx context.Context, e *env, r *rolloutFlags, t *typedFlags, ids []string,
	df *databaseFlags) error {
	positions, err := t.parse(e, ids)
	if err != nil {
		return err
	}
	asked := make([]*job.Asked, len(ids))
	for i := range ids {
		if asked[i], err = t.cube.asked(&positions[i], ids[i], t.plays); err != nil {
			return err
		}
	}
	if df.Output != "" {
		return t.cube.rollOut(ctx, e, r, asked, df)
	}
	j, err := r.open(ctx)
	if err != nil {
		return err
	}
	for _, a := range asked {
		bar := newProgress(e, 0, "trials")
		rolled, err := j.RollOut(ctx, a, df.workers, bar.Set)
		bar.end()
		if err == nil {
			err = printAnswer(e, rolled, df.json)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func printAnswer(e *env, a *job.Answer, asJSON bool) error {
	if asJSON {
		return printLines(e, a.Results)
	}
	return a.WriteText(e.Stdout)
}

// parse reads IDs and their dice.
func (t *typedFlags) parse(e *env, ids []string) ([]cube.ID, error) {
	positions := make([]cube.ID, len(ids))
	for i, id := range ids {
		p, err := t.cube.parse(id, t.dice)
		switch {
		case err != nil:
		case t.cube.model == nil:
			err = checkCubeless(e, &p, id)
		case p.Board == (bg.Board{}):
			err = fmt.Errorf("%s: no checker on the board", id)
		}
		if err != nil {
			if _, statErr := os.Stat(id); statErr == nil && len(ids) == 1 {
				return nil, usagef("no database to write: -o DB2 is missing")
			}
			return nil, err
		}
		positions[i] = p
	}
	return positions, nil
}
