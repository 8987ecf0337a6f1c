package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/player"
	"bgtrain/internal/protocol"
	"bgtrain/internal/setting"
	"bgtrain/rollout"
	"bgtrain/rollout/job"
)

type evalOptions struct {
	player playerFlags
	cube   cubeFlags
	ply    int
	dice   string
	plays  int
	trials int      // rolled out; 0 for none
	job    *job.Job // then
	json   bool
	board  bool
}

func runEval(ctx context.Context, e *env, args []string) error {
	o := evalOptions{plays: 5}
	f := newFlags(e, "eval [flags] ID…",
		"Evaluates positions. An ID is a 20-letter GNUbg key, a 14-character Position ID or\nan XGID; '-' reads "+
			"them from standard input, one a line. With dice, lists the best\nplays. Without dice, judges the cube "+
			"decision: of an XGID and of a Position ID with a Match ID\n(PositionID:MatchID) as they say; with "+
			"--cube, of other positions too, for money. --rollout plays\nall that out to the end, with the cube where "+
			"one is judged; 'bgtrain rollout' has more settings.",
		"bgtrain eval --ply 2 --dice 31 4HPwATDgc/ABMA")
	o.player.add(f)
	o.player.addFilters(f)
	setting.List{
		player.PlySetting("ply", &o.ply, "look-ahead in GNU Backgammon's counting"),
		{Name: "plays", To: &o.plays, Range: setting.From(0, 1e9), Help: "how many plays to list, 0 for all"},
		{Name: "rollout", To: &o.trials, Range: setting.From(2, 1<<24).Or(0),
			Help: "also roll out, in so many trials to the end of the game; 0 not"},
	}.AddFlags(f)
	f.StringVar(&o.dice, "dice", "", "a roll such as 31: list plays instead (an XGID may carry its own)")
	o.cube.add(f)
	f.BoolVar(&o.board, "board", false, "draw the board")
	f.BoolVar(&o.json, "json", false, "one JSON object a position")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if f.NArg() == 0 {
		return usagef("no position given")
	}
	p, err := o.open(ctx, e)
	if err != nil {
		return err
	}
	ev := p.NewEvaluator()
	if f.NArg() == 1 && f.Arg(0) == "-" {
		return evalLines(ctx, e, ev, &o)
	}
	for _, id := range f.Args() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := evalOne(ctx, e, ev, &o, id); err != nil {
			return err
		}
	}
	return nil
}

// evalLines evaluates the positions on standard input; empty lines and those
// that begin with # are passed over, and so is what follows the first word.
func evalLines(ctx context.Context, e *env, ev *player.Evaluator, o *evalOptions) error {
	sc := bufio.NewScanner(e.Stdin)
	for n := 1; sc.Scan(); n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		words := strings.Fields(sc.Text())
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		if err := evalOne(ctx, e, ev, o, words[0]); err != nil {
			return fmt.Errorf("standard input:%d: %w", n, err)
		}
	}
	return sc.Err()
}

func evalOne(ctx context.Context, e *env, ev *player.Evaluator, o *evalOptions, id string) error {
	p, err := o.cube.parse(id, o.dice)
	if err != nil {
		return err
	}
	model, err := o.cube.of(&p)
	if err != nil {
		return err
	}
	if model == nil {
		if err := checkCubeless(e, &p, id); err != nil {
			return err
		}
	}
	r := protocol.Evaluate(ev, &p, o.ply, model, o.plays)
	if r.Rollout, err = o.rollOut(ctx, e, &p); err != nil {
		return err
	}
	if o.json {
		return json.NewEncoder(e.Stdout).Encode(r)
	}
	if o.board {
		fmt.Fprint(e.Stdout, p.Board.Draw())
	}
	if err := r.WriteText(e.Stdout); err != nil {
		return err
	}
	for i, rolled := range r.Rollout {
		if i == 0 {
			fmt.Fprintf(e.Stdout, "rolled out, %d trials:\n", o.trials)
		}
		if err := rolled.WriteText(e.Stdout); err != nil {
			return err
		}
	}
	return nil
}

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
func (o *evalOptions) rollOut(ctx context.Context, e *env, p *cube.ID) ([]job.Result, error) {
	if o.job == nil || bg.Classify(&p.Board) == bg.Over {
		return nil, nil
	}
	a := job.Asked{ID: *p, Handling: cube.Handling{Model: o.cube.model}, Plays: o.plays}
	if p.Given && !o.cube.changed("cube") {
		a.Handling.Model = cube.GNUbg{}
	}
	bar := newProgress(e, 0, "trials")
	defer bar.end()
	rolled, err := o.job.RollOut(ctx, &a, 0, bar.Set)
	if err != nil {
		return nil, err
	}
	return rolled.Results, nil
}
