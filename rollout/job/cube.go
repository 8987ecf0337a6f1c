package job

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/stats"
	"bgtrain/rollout"
)

// RolledCube is a cube decision rolled out, as the player on roll sees it: equities
// normalized to the cube before it.
type RolledCube struct {
	Position   string       `json:"position"`
	State      string       `json:"state"` // where the cube lies and what is played for
	NoDouble   stats.Stat   `json:"no_double"`
	DoubleTake *stats.Stat  `json:"double_take,omitempty"` // nil where the player on roll may not double
	DoublePass float64      `json:"double_pass,omitempty"`
	Gain       *stats.Stat  `json:"double_take_less_no_double,omitempty"`
	Action     *cube.Action `json:"action,omitempty"`
	Beaver     bool         `json:"beaver,omitempty"` // a double would be: it is counted as that
	MWC        *stats.Stat  `json:"mwc,omitempty"`    // with the best decision
	Trials     int          `json:"trials"`
	Method     string       `json:"method"`
	Elapsed    float64      `json:"elapsed_s,omitempty"` // 0 of an AskedFile
}

// cubeMethod is how positions are rolled out with the cube.
func cubeMethod(o *rollout.Options, h *cube.Handling) string {
	text := o.Method() + " cube=" + h.Model.String()
	if h.Beavers {
		text += " beavers"
	}
	return text
}

// rollOutCube rolls out the cube decision of a position.
func (j *Job) rollOutCube(ctx context.Context, a *Asked, h how) (*Answer, error) {
	begun := time.Now()
	e, err := rollout.NewCubeEngine(j.Player, j.Engine.Options(), a.Handling)
	if err != nil {
		return nil, err
	}
	o := e.Options()
	method := cubeMethod(&o, &a.Handling)
	as := func(d *rollout.CubeDecision) *Answer {
		r := rolledCube(a, d)
		if r.Method = method; h.parts == nil { // else what is made is the same whenever and wherever
			r.Elapsed = time.Since(begun).Seconds()
		}
		return answer("", []*RolledCube{r})
	}
	w := watch(h, as)
	w.Trials = h.parts.of(a, []rollout.CubeLine{{}, {Doubled: true}})
	d, err := e.Decide(ctx, &a.Board, &a.State, w)
	if err != nil {
		return nil, fmt.Errorf("roll out %s: %w", a.Board.Key().PositionID(), err)
	}
	return as(d), nil
}

// rolledCube is a decision as commands print it.
func rolledCube(a *Asked, d *rollout.CubeDecision) *RolledCube {
	s := &a.State
	r := &RolledCube{Position: a.Board.Key().PositionID(), State: s.String(), NoDouble: d.NoDouble, Trials: d.Trials}
	best := d.NoDouble
	if d.Judged.Available {
		r.DoubleTake, r.DoublePass, r.Gain, r.Action, r.Beaver = &d.DoubleTake, 1, &d.Gain, &d.Judged.Action, d.Beaver
		switch d.Judged.Action {
		case cube.DoubleTake:
			best = d.DoubleTake
		case cube.DoublePass:
			best = stats.Stat{Mean: 1}
		}
	}
	if s.Table != nil {
		r.MWC = &stats.Stat{Mean: s.Value(best.Mean), SE: best.SE * (s.Value(1) - s.Value(0))}
	}
	return r
}

// WriteText writes the decision for people.
func (r *RolledCube) WriteText(w io.Writer) error {
	text := fmt.Sprintf("%s  cube %s\n  %s, %d trials", r.Position, r.State, r.Method, r.Trials)
	if r.Elapsed > 0 {
		text += fmt.Sprintf(" in %.2f s", r.Elapsed)
	}
	text += "\n"
	line := func(name string, s *stats.Stat) { text += fmt.Sprintf("  %-16s %+8.4f ± %.4f", name, s.Mean, s.SE) }
	line("no double", &r.NoDouble)
	if text += "\n"; r.DoubleTake != nil {
		taken := "double/take"
		if r.Beaver {
			taken = "double/beaver"
		}
		line(taken, r.DoubleTake)
		text += fmt.Sprintf("   less no double %+8.4f ± %.4f\n", r.Gain.Mean, r.Gain.SE)
		text += fmt.Sprintf("  %-16s %+8.4f\n  %s", "double/pass", r.DoublePass, *r.Action)
	} else {
		text += "  the player on roll cannot double, or has no use for it"
	}
	if r.MWC != nil {
		text += fmt.Sprintf("; chance to win the match %.2f%% ± %.2f", 100*r.MWC.Mean, 100*r.MWC.SE)
	}
	_, err := fmt.Fprintln(w, text)
	return err
}

// RolledCubePlay is a play rolled out with the cube in play, as the player who makes it
// sees it: equities normalized to the cube.
type RolledCubePlay struct {
	Position   string     `json:"position"` // before the roll
	State      string     `json:"state"`
	Dice       string     `json:"dice"`
	Play       string     `json:"play"`
	After      string     `json:"after"` // the position after it, the opponent on roll
	Equity     stats.Stat `json:"equity"`
	Difference stats.Stat `json:"difference"` // to the best play
	Trials     int        `json:"trials"`
	Method     string     `json:"method"`
}

// rollOutCubePlays rolls out the best plays of a roll, chosen at 0-ply by what they leave
// the opponent with the cube, or those asked for, with common dice, and returns them best
// first.
func (j *Job) rollOutCubePlays(ctx context.Context, a *Asked, h how) (*Answer, error) {
	e, err := rollout.NewCubeEngine(j.Player, j.Engine.Options(), a.Handling)
	if err != nil {
		return nil, err
	}
	after := a.After
	if len(after) == 0 {
		after = e.BestPlays(&a.Board, &a.State, a.Dice, cmp.Or(a.Plays, math.MaxInt))
	}
	o := e.Options()
	as := func(rolled []rollout.CubePlay) *Answer {
		return cubePlays(a, after, rolled, cubeMethod(&o, &a.Handling))
	}
	w := watch(h, as)
	lines := make([]rollout.CubeLine, len(after))
	for i := range after {
		lines[i].After = &after[i]
	}
	w.Trials = h.parts.of(a, lines)
	rolled, err := e.Plays(ctx, after, &a.State, a.Board.Key(), w)
	if err != nil {
		return nil, fmt.Errorf("roll out plays of %s: %w", a.Board.Key().PositionID(), err)
	}
	return as(rolled), nil
}

// cubePlays are plays as commands print them, best first.
func cubePlays(a *Asked, after []bg.Board, rolled []rollout.CubePlay, method string) *Answer {
	id, dice := a.Board.Key().PositionID(), a.Dice
	all := make([]*RolledCubePlay, len(rolled))
	for i, r := range rolled {
		all[i] = &RolledCubePlay{Position: id, State: a.State.String(), Dice: fmt.Sprintf("%d%d", dice[0], dice[1]),
			Play: bg.Notation(&a.Board, &after[i], dice[0], dice[1]), After: after[i].Key().PositionID(),
			Equity: r.Equity, Difference: r.Difference, Trials: r.Trials, Method: method}
	}
	slices.SortStableFunc(all, func(x, y *RolledCubePlay) int { return cmp.Compare(y.Equity.Mean, x.Equity.Mean) })
	heading := ""
	if len(all) > 0 {
		heading = fmt.Sprintf("%s  %d-%d, cube %s\n  %s, %d trials, common dice\n", id, dice[0], dice[1], &a.State,
			all[0].Method, all[0].Trials)
	}
	return answer(heading, all)
}

// WriteText writes the play for people.
func (p *RolledCubePlay) WriteText(w io.Writer) error {
	difference := ""
	if p.Difference != (stats.Stat{}) {
		difference = fmt.Sprintf("  %+8.4f ± %.4f", p.Difference.Mean, p.Difference.SE)
	}
	_, err := fmt.Fprintf(w, "  %-24s %+8.4f ± %.4f%s\n", p.Play, p.Equity.Mean, p.Equity.SE, difference)
	return err
}
