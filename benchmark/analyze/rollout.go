package analyze

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/player"
	"bgtrain/rollout"
)

// rolledPlays is how many of the best plays of a decision are rolled out, besides the one
// that was made.
const rolledPlays = 4

// rollOptions are how decisions are rolled out.
func (s *Settings) rollOptions() rollout.Options {
	o := rollout.DefaultOptions()
	o.Trials, o.Truncate, o.Seed, o.Small = s.Trials, s.Truncate, s.Seed, s.Small
	return o
}

// cubeful reports whether rollouts have the cube in play: where plays and cube are judged
// with it.
func (a *Analysis) cubeful() bool { return a.Model != nil && a.by(a.Match) != byMoney }

// rollMethod says how decisions are rolled out.
func (a *Analysis) rollMethod() string {
	o := a.rollOptions()
	if a.cubeful() {
		return o.Method() + " cube=" + a.Model.String()
	}
	return o.Method()
}

// roller rolls decisions of an analysis out.
type roller struct {
	*Analysis
	cubeless *rollout.Engine
	cubeful  *rollout.CubeEngine // nil: without the cube
	e        *player.Evaluator
}

// rollOut rolls out the decisions that lost most, so many as the settings say, and judges
// them anew: with the cube in play where they were judged with it, else without, and the
// cube model makes equities of that.
func (a *Analysis) rollOut(ctx context.Context, p *player.Player) error {
	if a.Rollouts == 0 {
		return nil
	}
	engine, err := rollout.NewEngine(p, a.rollOptions())
	if err != nil {
		return err
	}
	r := &roller{Analysis: a, cubeless: engine, e: p.NewEvaluator()}
	if a.cubeful() {
		if r.cubeful, err = rollout.NewCubeEngine(p, engine.Options(), cube.Handling{Model: a.Model}); err != nil {
			return err
		}
	}
	worst := a.worst(a.Rollouts, func(*Decision) bool { return true })
	for n, d := range worst {
		if a.Rolling != nil {
			a.Rolling(n, len(worst))
		}
		if d.Kind == Play {
			err = r.play(ctx, d)
		} else {
			err = r.cube(ctx, d)
		}
		if err != nil {
			return fmt.Errorf("game %d move %d: %w", d.Game, d.Move, err)
		}
		d.Rolled = a.rollMethod()
	}
	if a.Rolling != nil {
		a.Rolling(len(worst), len(worst))
	}
	return nil
}

// worst returns the decisions that lost most and something, the worst first, of those wanted.
func (a *Analysis) worst(n int, wanted func(*Decision) bool) []*Decision {
	var all []*Decision
	for i := range a.Decisions {
		if d := &a.Decisions[i]; d.Wrong() && wanted(d) {
			all = append(all, d)
		}
	}
	slices.SortStableFunc(all, func(x, y *Decision) int { return cmp.Compare(y.Loss, x.Loss) })
	return all[:min(n, len(all))]
}

// play rolls out the best candidates of a play and the one made, with common dice.
func (r *roller) play(ctx context.Context, d *Decision) error {
	var boards []bg.Board
	var which []int
	for i := range d.Candidates {
		if i < rolledPlays || d.Candidates[i].Made {
			boards, which = append(boards, d.Candidates[i].After), append(which, i)
		}
	}
	roll := r.plays
	if r.cubeful != nil {
		roll = r.playsWithCube
	}
	if err := roll(ctx, d, boards, which); err != nil {
		return err
	}
	for _, i := range which {
		d.Candidates[i].Ply, d.Candidates[i].Rolled = 0, true
	}
	rank(d.Candidates)
	d.setPlays()
	return nil
}

// plays rolls out some of the candidates of a play without the cube.
func (r *roller) plays(ctx context.Context, d *Decision, boards []bg.Board, which []int) error {
	rolled, err := r.cubeless.Compare(ctx, boards, d.Board.Key(), rollout.Watch[[]rollout.Compared]{Workers: r.Workers})
	if err != nil {
		return err
	}
	value := r.value(r.Match, &d.State, r.e)
	for k, i := range which {
		c := &d.Candidates[i]
		c.Outputs, c.SE = rolled[k].Outputs.Inverted(), rolled[k].DifferenceSE
		c.Equity = value(&player.Candidate{Result: c.After, Outputs: c.Outputs, Equity: c.Outputs.Equity()})
	}
	return nil
}

// playsWithCube rolls out some of the candidates of a play with the cube in play. Their
// outputs remain those of the look-ahead.
func (r *roller) playsWithCube(ctx context.Context, d *Decision, boards []bg.Board, which []int) error {
	rolled, err := r.cubeful.Plays(ctx, boards, &d.State, d.Board.Key(),
		rollout.Watch[[]rollout.CubePlay]{Workers: r.Workers})
	if err != nil {
		return err
	}
	for k, i := range which {
		d.Candidates[i].Equity, d.Candidates[i].SE = rolled[k].Equity.Mean, rolled[k].Difference.SE
	}
	return nil
}

// cube rolls out the position of a cube decision.
func (r *roller) cube(ctx context.Context, d *Decision) error {
	if r.cubeful != nil && d.State.MayDouble() {
		rolled, err := r.cubeful.Decide(ctx, &d.Board, &d.State,
			rollout.Watch[*rollout.CubeDecision]{Workers: r.Workers})
		if err != nil {
			return err
		}
		d.setCube(rolled.Judged)
		switch { // of the two that are compared; to pass is worth 1, without an error
		case d.Kind == Answer:
			d.SE = rolled.DoubleTake.SE
		case d.Cube.DoubleTake > d.Cube.DoublePass:
			d.SE = rolled.NoDouble.SE
		default:
			d.SE = rolled.Gain.SE
		}
		return nil
	}
	rolled, err := r.cubeless.Rollout(ctx, &d.Board, r.Workers, nil)
	if err != nil {
		return err
	}
	p := cube.PositionOf(&d.Board, &rolled.Outputs)
	if rolled.Exact || cube.UsesVolatility(r.Model) { // the bearoff database has more, or the model asks for more
		exact := cube.PositionAt(r.e, &d.Board, 0, r.Model)
		p.Class, p.Exact, p.Volatility = exact.Class, exact.Exact, exact.Volatility
	}
	d.setCube(cube.Decide(r.Model, &p, &d.State))
	d.SE = rolled.EquitySE
	return nil
}
