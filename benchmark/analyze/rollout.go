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

// rollOut rolls out the decisions that lost most, so many as the settings say, and judges
// them anew: cubeless rollouts, of which the cube model makes equities.
func (a *Analysis) rollOut(ctx context.Context, p *player.Player) error {
	if a.Rollouts == 0 {
		return nil
	}
	engine, err := rollout.NewEngine(p, a.rollOptions())
	if err != nil {
		return err
	}
	e := p.NewEvaluator()
	worst := a.worst(a.Rollouts, func(*Decision) bool { return true })
	for n, d := range worst {
		if a.Rolling != nil {
			a.Rolling(n, len(worst))
		}
		if d.Kind == Play {
			err = a.rollPlays(ctx, engine, e, d)
		} else {
			err = a.rollCube(ctx, engine, e, d)
		}
		if err != nil {
			return fmt.Errorf("game %d move %d: %w", d.Game, d.Move, err)
		}
		o := engine.Options()
		d.Rolled = o.Method()
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

// rollPlays rolls out the best candidates of a play and the one made, with common dice.
func (a *Analysis) rollPlays(ctx context.Context, engine *rollout.Engine, e *player.Evaluator, d *Decision) error {
	var boards []bg.Board
	var which []int
	for i := range d.Candidates {
		if i < rolledPlays || d.Candidates[i].Made {
			boards, which = append(boards, d.Candidates[i].After), append(which, i)
		}
	}
	rolled, err := engine.Compare(ctx, boards, d.Board.Key(), a.Workers, nil)
	if err != nil {
		return err
	}
	value := a.value(a.Match, &d.State, e)
	for k, i := range which {
		c := &d.Candidates[i]
		c.Outputs, c.Ply, c.Rolled, c.SE = rolled[k].Outputs.Inverted(), 0, true, rolled[k].DifferenceSE
		c.Equity = value(&player.Candidate{Result: c.After, Outputs: c.Outputs, Equity: c.Outputs.Equity()})
	}
	rank(d.Candidates)
	d.setPlays()
	return nil
}

// rollCube rolls out the position of a cube decision.
func (a *Analysis) rollCube(ctx context.Context, engine *rollout.Engine, e *player.Evaluator, d *Decision) error {
	r, err := engine.Rollout(ctx, &d.Board, a.Workers, nil)
	if err != nil {
		return err
	}
	p := cube.PositionOf(&d.Board, &r.Outputs)
	if r.Exact || cube.UsesVolatility(a.Model) { // the bearoff database has more, or the model asks for more
		exact := cube.PositionAt(e, &d.Board, 0, a.Model)
		p.Class, p.Exact, p.Volatility = exact.Class, exact.Exact, exact.Volatility
	}
	d.setCube(cube.Decide(a.Model, &p, &d.State))
	d.SE = r.EquitySE
	return nil
}
