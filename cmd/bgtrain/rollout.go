package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"bgtrain/dataset"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/internal/player"
	"bgtrain/rollout"

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

func (r *rolloutFlags) add(f *pflag.FlagSet) {
	r.o, r.flags = rollout.DefaultOptions(), f
	r.player.add(f)
	f.IntVar(&r.o.Trials, "trials", r.o.Trials, "games a position; multiples of 36, best of 1296, balance the first rolls")
	f.IntVar(&r.o.Truncate, "truncate", r.o.Truncate, "plies after which the net's value is taken; 0 plays to the end")
	f.IntVar(&r.o.Ply, "ply", 0, "look-ahead that chooses the plays, 0 to 3")
	f.IntVar(&r.o.DeepPlies, "deep-plies", 0, "with --ply: so many plies at the start of a trial only, later ones at 0-ply; 0 all")
	f.IntVar(&r.o.LeafPly, "leaf-ply", 0, "look-ahead of the value at truncation, 0 to 3")
	f.Float64Var(&r.o.TargetSE, "target-se", 0, "end a position when the standard error of its equity is below; 0 never")
	f.Uint64Var(&r.o.Seed, "seed", 1, "seed of the dice")
	f.StringVar(&r.luck, "luck", string(r.o.Luck), `measure of luck for variance reduction: full, picked (small nets pick the plays
that the player values), small (small nets alone) or none`)
	f.IntVar(&r.o.Picks, "picks", r.o.Picks, "plays a roll that the small nets pick")
	f.StringVar(&r.luckNet, "luck-net", "", `net whose pruning nets, or else whose nets, are the small ones
(default: the pruning nets of --net; without those --luck full)`)
	f.BoolVar(&r.noVR, "no-vr", false, "no variance reduction, as --luck none")
}

// open builds the engine that the flags describe, and what the metadata of its
// results has to say.
func (r *rolloutFlags) open(ctx context.Context) (*rollout.Engine, dataset.Meta, error) {
	none := dataset.Meta{}
	r.o.Luck = rollout.Luck(r.luck)
	if r.noVR {
		r.o.Luck = rollout.LuckNone
	}
	if err := r.o.Check(); err != nil {
		return nil, none, usageError{err}
	}
	set, err := openNet(r.player.net)
	if err != nil {
		return nil, none, err
	}
	db, err := bearoff.Open(ctx, bearoff.Options{TwoSidedCheckers: r.player.twoSided})
	if err != nil {
		return nil, none, err
	}
	po, err := r.player.options()
	if err != nil {
		return nil, none, err
	}
	if r.o.Ply == 0 && r.o.LeafPly == 0 && !r.flags.Changed("cache") {
		po.CacheMB = 0 // positions hardly come again; without it 0-ply is faster
	}
	p, err := player.New(set, db, po)
	if err != nil {
		return nil, none, err
	}
	small, err := r.smallNets(set)
	if err != nil {
		return nil, none, err
	}
	smallPrint := ""
	if small != nil {
		smallPrint = small.Fingerprint()
		if r.o.Small, err = player.New(small, db, player.Options{}); err != nil {
			return nil, none, fmt.Errorf("small nets: %w", err)
		}
	}
	e, err := rollout.NewEngine(p, r.o)
	if err != nil {
		return nil, none, err
	}
	m := dataset.Meta{
		Seed: strconv.FormatUint(r.o.Seed, 10), Net: set.Fingerprint(), Extra: e.Settings(smallPrint),
	}
	maps.Copy(m.Extra, r.player.identify(m.Net, db).extra())
	return e, m, nil
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
			return nil, fmt.Errorf("net %s has no pruning nets to measure luck with: name some by --luck-net, or use --luck full", r.player.net)
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

func runRollout(ctx context.Context, e *env, args []string) error {
	var r rolloutFlags
	f := newFlags(e, "rollout DB -o DB2 [flags]\n       bgtrain rollout ID… [flags]",
		`Rolls out every position of a database, cubeless. DB2 is a directory of part files:
interrupted or killed, the same command goes on from there; with --shard several
machines fill one directory. An ID (20-letter key, 14-character Position ID or XGID)
is rolled out on its own and printed.`,
		"bgtrain rollout positions.parquet -o rolled/ --net default --trials 360 --truncate 7 --seed 1\n"+
			"  bgtrain rollout --trials 1296 --truncate 0 4HPwATDgc/ABMA")
	out := f.StringP("output", "o", "", "directory of the rolled-out database")
	r.add(f)
	follow := f.Bool("follow", false, `one trial a position, which labels every position that it goes through: new rows,
where a position may come more than once; merge keeps one of each`)
	lambda := f.Float64("lambda", 1, "with --follow: 1 counts all that a trial finds, less mixes in the net's values on its way, 0 is 1-ply")
	chunk := f.Int("chunk", 256, "positions a part")
	shard := f.String("shard", "", "work on every N-th part only: i/N, with i from 0 to N-1")
	workers := f.Int("workers", runtime.GOMAXPROCS(0), "goroutines; the result does not depend on it")
	asJSON := f.Bool("json", false, "print the result as JSON")
	if err := parseFlags(f, args); err != nil {
		return err
	}
	index, shards, err := parseShard(*shard)
	switch {
	case err != nil:
		return err
	case f.NArg() == 0:
		return usagef("no database and no position given")
	case *chunk < 1 || *workers < 1:
		return usagef("--chunk and --workers must be positive")
	case *out != "" && f.NArg() != 1:
		return usagef("one database expected, not %d", f.NArg())
	case *follow && (*out == "" || f.Changed("trials") || f.Changed("target-se")):
		return usagef("--follow expects -o DB2, and neither --trials nor --target-se")
	case f.Changed("lambda") && !*follow || !(*lambda >= 0 && *lambda <= 1):
		return usagef("--lambda %g: 0 to 1 expected, with --follow", *lambda)
	}
	if *out == "" {
		return rolloutPositions(ctx, e, &r, f.Args(), *workers, *asJSON)
	}
	db, err := dataset.Open(f.Arg(0))
	if err != nil {
		return err
	}
	engine, meta, err := r.open(ctx)
	if err != nil {
		return err
	}
	meta.Command = commandLine("rollout", f)
	parts := rollout.Parts{
		Input: db, Output: strings.TrimRight(*out, "/"), Chunk: *chunk, Shard: index, Shards: shards, Meta: meta,
		Damaged: func(path string, err error) { fmt.Fprintf(e.Stderr, "made again: %v\n", err) },
	}
	if *follow {
		parts.Grows = true
		meta.Extra["rollout"] = engine.FollowMethod(*lambda)
		return runParts(ctx, e, &parts, *workers, func() rollout.Work { return engine.NewFollow(*lambda) }, *asJSON)
	}
	return runParts(ctx, e, &parts, *workers, engine.NewWork, *asJSON)
}

// runParts makes a database in parts, with progress and a summary.
func runParts(ctx context.Context, e *env, parts *rollout.Parts, workers int, newWork func() rollout.Work, asJSON bool) error {
	var bar *progress
	parts.Progress = func(done, total int64) {
		if bar == nil {
			bar = newProgress(e, int(total), "positions")
		}
		bar.Set(int(done))
	}
	begun := time.Now()
	report, err := parts.Run(ctx, workers, newWork)
	if bar != nil {
		bar.Done()
	}
	if err != nil {
		return err
	}
	elapsed := time.Since(begun).Seconds()
	if asJSON {
		return json.NewEncoder(e.Stdout).Encode(struct {
			Output  string  `json:"output"`
			Rows    int64   `json:"rows"`
			Earlier int64   `json:"rows_there_before"`
			Parts   int     `json:"parts_written"`
			Total   int     `json:"parts_total"`
			Missing []int   `json:"missing_parts"`
			Elapsed float64 `json:"elapsed_s"`
		}{parts.Output, report.Rows, report.Earlier, report.Parts, report.Total, append([]int{}, report.Missing...), elapsed})
	}
	fmt.Fprintf(e.Stdout, "%s: %d positions in %.1f s", parts.Output, report.Rows, elapsed)
	if report.Earlier > 0 {
		fmt.Fprintf(e.Stdout, ", %d were there", report.Earlier)
	}
	if n := len(report.Missing); n > 0 {
		fmt.Fprintf(e.Stdout, "; %d of %d parts are missing yet", n, report.Total)
	}
	fmt.Fprintln(e.Stdout)
	return nil
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

// rolloutPositions rolls out positions that a person typed.
func rolloutPositions(ctx context.Context, e *env, r *rolloutFlags, ids []string, workers int, asJSON bool) error {
	boards := make([]bg.Board, len(ids))
	for i, id := range ids {
		b, err := bg.ParsePosition(id)
		if err != nil {
			if _, statErr := os.Stat(id); statErr == nil && len(ids) == 1 {
				return usagef("no database to write: -o DB2 is missing")
			}
			return err
		}
		boards[i] = b
	}
	engine, _, err := r.open(ctx)
	if err != nil {
		return err
	}
	opts := engine.Options()
	for i := range boards {
		begun := time.Now()
		res, err := engine.Rollout(ctx, &boards[i], workers)
		if err != nil {
			return err
		}
		j := rolloutJSON{
			Position: boards[i].Key().PositionID(), Class: dataset.ClassOf(&boards[i]).String(),
			Outputs: res.Outputs, SE: res.SE, Equity: res.Equity(), EquitySE: res.EquitySE,
			Trials: res.Trials, Method: opts.Method(), Elapsed: time.Since(begun).Seconds(),
		}
		if res.Exact {
			j.Method = "exact bearoff"
		}
		if asJSON {
			err = json.NewEncoder(e.Stdout).Encode(&j)
		} else {
			err = j.print(e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (j *rolloutJSON) print(e *env) error {
	_, err := fmt.Fprintf(e.Stdout, "%s  %s  %s, %d trials in %.2f s\n", j.Position, j.Class, j.Method, j.Trials, j.Elapsed)
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
