package protocol

import (
	"bufio"
	"fmt"
	"io"

	"bgtrain/benchmark/opponents"
	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/player"
	"bgtrain/rollout/job"
)

// Evaluation is a position as commands and the HTTP interface print it, seen by the player
// on roll.
type Evaluation struct {
	Position string       `json:"position"`
	Class    string       `json:"class"`
	Outputs  [5]float32   `json:"outputs"`
	Equity   float32      `json:"equity"` // cubeless, for money
	Ply      int          `json:"ply"`
	Dice     string       `json:"dice,omitempty"`
	Plays    []Play       `json:"plays,omitempty"` // of the dice, best first
	Cube     *cube.Report `json:"cube,omitempty"`
	Rollout  []job.Result `json:"rollout,omitempty"` // one, or one a play
}

// Play is a play of an Evaluation: its outputs are those of the player who makes it,
// Position is the one it leads to, the opponent on roll.
type Play struct {
	Play     string     `json:"play"`
	Position string     `json:"position"`
	Outputs  [5]float32 `json:"outputs"`
	Equity   float32    `json:"equity"` // cubeless, for money
	Ply      int        `json:"ply"`

	// Cubeful is the equity with the cube in play, at the score, normalized to the cube as it
	// lies, where a model was named.
	Cubeful *float64 `json:"cubeful,omitempty"`
}

// Evaluate evaluates a position at a look-ahead, with its cube decision by a model, nil for
// none, and with dice the best plays: so many, 0 for all, the best by cubeless equity.
func Evaluate(ev *player.Evaluator, p *cube.ID, ply int, model cube.Model, plays int) *Evaluation {
	b := p.Board
	out := ev.Evaluate(&b, ply)
	r := &Evaluation{Position: b.Key().PositionID(), Class: ev.Class(&b).String(), Outputs: out, Equity: out.Equity(),
		Ply: ply, Cube: cube.ReportAt(ev, &b, &p.State, ply, model)}
	if p.Dice == [2]int{} || ev.Class(&b) == bg.Over {
		return r
	}
	r.Dice = fmt.Sprintf("%d%d", p.Dice[0], p.Dice[1])
	best := ev.Plays(&b, p.Dice[0], p.Dice[1], ply)
	if plays > 0 && len(best) > plays {
		best = best[:plays]
	}
	after := p.State.Swapped()
	for i := range best {
		c := &best[i]
		play := Play{Play: bg.Notation(&b, &c.Result, p.Dice[0], p.Dice[1]),
			Position: c.Result.Key().PositionID(), Outputs: c.Outputs, Equity: c.Equity, Ply: c.Ply}
		if model != nil {
			cubeful := -opponents.LeavesExactly(ev, c, &after, model)
			play.Cubeful = &cubeful
		}
		r.Plays = append(r.Plays, play)
	}
	return r
}

// WriteText writes the evaluation for people, but for the rollout.
func (r *Evaluation) WriteText(out io.Writer) error {
	w := bufio.NewWriter(out)
	const outputs = "%7.4f %7.4f %7.4f  %7.4f %7.4f"
	line := func(o [5]float32) string { return fmt.Sprintf(outputs, o[0], o[1], o[2], o[3], o[4]) }
	fmt.Fprintf(w, "%s  %s, %d-ply\n", r.Position, r.Class, r.Ply)
	fmt.Fprintf(w, "      win      wg     wbg       lg     lbg   equity\n  %s  %+7.4f\n", line(r.Outputs), r.Equity)
	if r.Cube != nil {
		if err := r.Cube.WriteText(w); err != nil {
			return err
		}
		return w.Flush()
	}
	if r.Dice != "" {
		fmt.Fprintf(w, "plays of %s\n", r.Dice)
	}
	for i, p := range r.Plays { // within 80 columns
		lost, o := "", p.Outputs
		if i > 0 {
			lost = fmt.Sprintf(" (%+.4f)", p.Equity-r.Plays[0].Equity)
		}
		if p.Ply != r.Ply {
			lost += fmt.Sprintf(" %d-ply", p.Ply)
		}
		fmt.Fprintf(w, "  %-18s %6.4f %6.4f %6.4f  %6.4f %6.4f %+7.4f%s\n", p.Play, o[0], o[1], o[2], o[3], o[4],
			p.Equity, lost)
	}
	return w.Flush()
}
