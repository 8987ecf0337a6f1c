package score

import (
	"context"
	"encoding/json"
	"fmt"
	"math"

	"bgtrain/benchmark/bm"
	"bgtrain/benchmark/opponents"
	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/parallel"
	"bgtrain/internal/stats"
)

// CubeScore is a player's result on the cube decisions of a file. In every
// position two decisions are judged: of the player on roll, whether to double;
// of the opponent, whether to take if doubled. A cube model turns outputs into
// cubeful equities: the player's own outputs decide. What the decision costs, normalized to
// the cube before it, is said by the equities that were rolled out with the cube in play, at
// the score of the record; where there are none, by the model from the rolled-out outputs.
type CubeScore struct {
	Player    string     `json:"player"`
	Model     string     `json:"model"`
	Positions int        `json:"decisions"`
	ER        stats.Stat `json:"-"`         // loss per position, doubling and answer together, × 1000
	Double    stats.Stat `json:"double_er"` // loss of the doubling decision alone, × 1000
	Answer    stats.Stat `json:"answer_er"` // loss of take or pass alone, × 1000

	WrongDoubles  int `json:"wrong_doubles"` // doubled: too early, or too good to
	MissedDoubles int `json:"missed_doubles"`
	WrongTakes    int `json:"wrong_takes"` // taken: was a pass
	WrongPasses   int `json:"wrong_passes"`
}

// MarshalJSON writes the score as those of files of plays are, of a class "cube".
func (c *CubeScore) MarshalJSON() ([]byte, error) {
	type fields CubeScore
	return json.Marshal(struct {
		Class string `json:"class"`
		*fields
		ER float64 `json:"er"`
		SE float64 `json:"se"`
	}{"cube", (*fields)(c), c.ER.Mean, c.ER.SE})
}

// cubeLoss is what one position's two decisions cost.
type cubeLoss struct {
	double, answer float64
	own, right     cube.Decision
}

// Cubes judges the cube records of files by a model, with the cube and the score
// as at says; the player on roll must be allowed to double. The player must be one
// that evaluates positions.
func Cubes(ctx context.Context, p opponents.Player, fs []*bm.File, model cube.Model, at cube.State,
	o Options) (*CubeScore, error) {
	var records []*bm.CubeRecord
	var from []*bm.File
	byModel := false // some are judged by the model
	for _, f := range fs {
		for i := range f.Cubes {
			records, from = append(records, &f.Cubes[i]), append(from, f)
			byModel = byModel || f.Cubes[i].Rolled == nil
		}
	}
	if byModel && !at.MayDouble() {
		return nil, fmt.Errorf("no cube decision where the player on roll must not double or has no use for it")
	}
	if byModel && cube.UsesVolatility(model) {
		return nil, fmt.Errorf("cube model %s: rolled-out outputs have no volatility of their own", model)
	}
	table, err := at.Table.OrDefault()
	if err != nil {
		return nil, err
	}
	losses := make([]cubeLoss, len(records))
	ms := opponents.NewPool(p, o.Workers)
	defer ms.Close()
	count := parallel.NewCounter(len(records), o.Progress)
	err = parallel.For(ctx, o.Workers, len(records), func(worker, i int) error {
		m, err := ms.Get(worker)
		if err != nil {
			return err
		}
		e, ok := m.(opponents.Evaluator)
		if !ok {
			return fmt.Errorf("%s makes no cube decisions: it gives no chances to win", p.Name())
		}
		b, err := records[i].Key.Board()
		switch rolled := records[i].Rolled; {
		case err != nil:
		case rolled != nil:
			s := rolled.State(table)
			losses[i].right = rolled.Decision(table)
			losses[i].own, err = opponents.Decide(m, &b, &s, model)
		default:
			var o bg.Outputs
			o, err = e.Evaluate(&b)
			losses[i] = decideCube(model, &at, &b, &o, &records[i].Outputs)
		}
		losses[i].judge()
		if err != nil {
			return fmt.Errorf("%s:%d: %w", from[i].Name, records[i].Line, err)
		}
		count.Add(1)
		return nil
	})
	if err != nil {
		return nil, err
	}
	s := sumCube(losses)
	s.Player, s.Model = p.Name(), model.String()
	return s, nil
}

// decideCube makes the decisions by a player's outputs and those by the rolled-out outputs.
func decideCube(m cube.Model, at *cube.State, b *bg.Board, own, rolledOut *bg.Outputs) cubeLoss {
	decide := func(o *bg.Outputs) cube.Decision {
		p := cube.PositionOf(b, o)
		return cube.Decide(m, &p, at)
	}
	return cubeLoss{own: decide(own), right: decide(rolledOut)}
}

// judge sets what the decisions cost.
func (l *cubeLoss) judge() {
	r := &l.right
	if l.own.Action.Doubles() != r.Action.Doubles() {
		l.double = math.Abs(min(r.DoubleTake, r.DoublePass) - r.NoDouble)
	}
	if l.own.Action.Takes() != r.Action.Takes() {
		l.answer = math.Abs(r.DoubleTake - r.DoublePass)
	}
}

func sumCube(losses []cubeLoss) *CubeScore {
	s := &CubeScore{Positions: len(losses)}
	var both, double, answer stats.Tally
	for i := range losses {
		l := &losses[i]
		both.Add(l.double + l.answer)
		double.Add(l.double)
		answer.Add(l.answer)
		switch doubles := l.own.Action.Doubles(); {
		case doubles && !l.right.Action.Doubles():
			s.WrongDoubles++
		case !doubles && l.right.Action.Doubles():
			s.MissedDoubles++
		}
		switch takes := l.own.Action.Takes(); {
		case takes && !l.right.Action.Takes():
			s.WrongTakes++
		case !takes && l.right.Action.Takes():
			s.WrongPasses++
		}
	}
	s.ER, s.Double, s.Answer = both.Stat().Scaled(1000), double.Stat().Scaled(1000), answer.Stat().Scaled(1000)
	return s
}
