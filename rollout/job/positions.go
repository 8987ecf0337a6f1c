package job

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/rollout"
)

// Rolled is a position rolled out, as the player on roll sees it.
type Rolled struct {
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

// rollOut rolls one position out.
func (j *Job) rollOut(ctx context.Context, b *bg.Board, h how) (*Answer, error) {
	begun := time.Now()
	opts := j.Engine.Options()
	as := func(all []rollout.Compared) *Answer {
		res := &all[0]
		r := &Rolled{
			Position: b.Key().PositionID(), Class: dataset.ClassOf(b).String(), Outputs: res.Outputs, SE: res.SE,
			Equity: res.Equity(), EquitySE: res.EquitySE, Trials: res.Trials, Method: opts.Method(),
			Elapsed: time.Since(begun).Seconds(),
		}
		if res.Exact {
			r.Method = "exact bearoff"
		}
		return answer("", []*Rolled{r})
	}
	all, err := j.Engine.Compare(ctx, []bg.Board{*b}, b.Key(), watch(h, as))
	if err != nil {
		return nil, err
	}
	return as(all), nil
}

// WriteText writes the position for people.
func (r *Rolled) WriteText(w io.Writer) error {
	text := fmt.Sprintf("%s  %s  %s, %d trials in %.2f s\n", r.Position, r.Class, r.Method, r.Trials, r.Elapsed)
	for k, name := range [...]string{"win", "win gammon", "win backgammon", "lose gammon", "lose backgammon"} {
		text += fmt.Sprintf("  %-16s %8.5f ± %.5f\n", name, r.Outputs[k], r.SE[k])
	}
	_, err := fmt.Fprintf(w, "%s  %-16s %+8.5f ± %.5f\n", text, "equity", r.Equity, r.EquitySE)
	return err
}

// RolledPlay is a play rolled out, as the player who makes it sees it.
type RolledPlay struct {
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

// rollOutPlays rolls out the best plays of a roll, chosen at 0-ply, or those asked for, with
// common dice, and returns them best first.
func (j *Job) rollOutPlays(ctx context.Context, a *Asked, h how) (*Answer, error) {
	begun := time.Now()
	boards := a.After
	if len(boards) == 0 {
		cs := j.Player.NewEvaluator().Plays(&a.Board, a.Dice[0], a.Dice[1], 0)
		for i := range cs[:min(cmp.Or(a.Plays, len(cs)), len(cs))] {
			boards = append(boards, cs[i].Result)
		}
	}
	o := j.Engine.Options()
	as := func(rolled []rollout.Compared) *Answer {
		return plays(a, boards, rolled, o.Method(), time.Since(begun).Seconds())
	}
	rolled, err := j.Engine.Compare(ctx, boards, a.Board.Key(), watch(h, as))
	if err != nil {
		return nil, err
	}
	return as(rolled), nil
}

// plays are plays as commands print them, best first.
func plays(a *Asked, boards []bg.Board, rolled []rollout.Compared, method string, elapsed float64) *Answer {
	id := a.Board.Key().PositionID()
	all := make([]*RolledPlay, len(rolled))
	for i := range rolled {
		r := &rolled[i]
		all[i] = &RolledPlay{Position: id, Dice: fmt.Sprintf("%d%d", a.Dice[0], a.Dice[1]),
			Play: bg.Notation(&a.Board, &boards[i], a.Dice[0], a.Dice[1]), After: boards[i].Key().PositionID(),
			Outputs: r.Outputs.Inverted(), Equity: -r.Equity(), EquitySE: r.EquitySE,
			Difference: 0 - r.Difference, DifferenceSE: r.DifferenceSE, Trials: r.Trials}
	}
	slices.SortStableFunc(all, func(x, y *RolledPlay) int { return cmp.Compare(y.Equity, x.Equity) })
	return answer(fmt.Sprintf("%s  %d-%d, %s, common dice, %.1f s\n  %-24s %17s  %17s\n      %6s %6s %6s  %6s %6s\n",
		id, a.Dice[0], a.Dice[1], method, elapsed, "play", "equity", "difference", "win", "wg", "wbg", "lg", "lbg"), all)
}

// WriteText writes the play for people.
func (p *RolledPlay) WriteText(w io.Writer) error {
	difference := ""
	if p.Difference != 0 || p.DifferenceSE != 0 {
		difference = fmt.Sprintf("  %+8.4f ± %.4f", p.Difference, p.DifferenceSE)
	}
	o := &p.Outputs
	_, err := fmt.Fprintf(w, "  %-24s %+8.4f ± %.4f%s\n      %6.4f %6.4f %6.4f  %6.4f %6.4f\n", p.Play, p.Equity,
		p.EquitySE, difference, o[0], o[1], o[2], o[3], o[4])
	return err
}
