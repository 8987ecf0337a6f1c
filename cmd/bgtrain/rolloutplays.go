package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"bgtrain/internal/bg"
	"bgtrain/rollout/job"
)

// rolledPlayJSON is one line of `rollout --dice 31 --json ID`: a play, rolled out, as the
// player who makes it sees it.
type rolledPlayJSON struct {
	Position     string     `json:"position"` // before the roll
	Dice         string     `json:"dice"`
	Play         string     `json:"play"`
	After        string     `json:"after"` // the position after it, the opponent on roll
	Outputs      [5]float32 `json:"outputs"`
	Equity       float64    `json:"equity"`
	EquitySE     float64    `json:"equity_se"`
	Difference   float64    `json:"difference"` // to the best play
	DifferenceSE float64    `json:"difference_se"`
	Trials       int        `json:"trials"`
}

// rolloutPlays rolls out the best plays of a roll, chosen at 0-ply, with common dice.
func rolloutPlays(ctx context.Context, e *env, j *job.Job, b *bg.Board, dice [2]int, plays, workers int,
	asJSON bool) error {
	begun := time.Now()
	cs := j.Player.NewEvaluator().Plays(b, dice[0], dice[1], 0)
	cs = cs[:min(plays, len(cs))]
	boards := make([]bg.Board, len(cs))
	for i := range cs {
		boards[i] = cs[i].Result
	}
	opts := j.Engine.Options()
	bar := newProgress(e, opts.Trials*len(boards), "trials")
	rolled, err := j.Engine.Compare(ctx, boards, b.Key(), workers, bar.Set)
	bar.end()
	if err != nil {
		return err
	}
	order := make([]int, len(rolled))
	for i := range order {
		order[i] = i
	}
	// The opponent is on roll: the less the better.
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(rolled[x].Equity(), rolled[y].Equity()) })
	if !asJSON {
		fmt.Fprintf(e.Stdout, "%s  %d-%d, %s, common dice, %.1f s\n", b.Key().PositionID(), dice[0], dice[1],
			opts.Method(), time.Since(begun).Seconds())
		fmt.Fprintf(e.Stdout, "  %-24s %17s  %17s\n      %6s %6s %6s  %6s %6s\n", "play", "equity", "difference", "win",
			"wg", "wbg", "lg", "lbg")
	}
	for _, i := range order {
		r := &rolled[i]
		line := rolledPlayJSON{Position: b.Key().PositionID(), Dice: fmt.Sprintf("%d%d", dice[0], dice[1]),
			Play: bg.Notation(b, &boards[i], dice[0],
				dice[1]), After: boards[i].Key().PositionID(), Outputs: r.Outputs.Inverted(),
			Equity: -r.Equity(), EquitySE: r.EquitySE, Difference: 0 - r.Difference, DifferenceSE: r.DifferenceSE, Trials: r.Trials}
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

func (j *rolledPlayJSON) print(e *env) error {
	difference := ""
	if j.Difference != 0 || j.DifferenceSE != 0 {
		difference = fmt.Sprintf("  %+8.4f ± %.4f", j.Difference, j.DifferenceSE)
	}
	o := &j.Outputs
	_, err := fmt.Fprintf(e.Stdout, "  %-24s %+8.4f ± %.4f%s\n      %6.4f %6.4f %6.4f  %6.4f %6.4f\n", j.Play, j.Equity,
		j.EquitySE, difference, o[0], o[1], o[2], o[3], o[4])
	return err
}
