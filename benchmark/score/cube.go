package score

import (
	"context"
	"fmt"
	"math"

	"bgtrain/benchmark/bm"
	"bgtrain/benchmark/cube"
	"bgtrain/benchmark/opponents"
	"bgtrain/internal/bg"
	"bgtrain/internal/parallel"
	"bgtrain/internal/stats"
)

// CubeScore is a player's result on the cube decisions of a file. In every
// position two decisions are judged: of the player on roll, whether to double;
// of the opponent, whether to take if doubled. Janowski's model turns outputs
// into cubeful equities: the player's own outputs decide, the rolled-out outputs
// say what the decision costs.
type CubeScore struct {
	Positions int        `json:"positions"`
	ER        stats.Stat `json:"er"`        // loss per position, doubling and answer together, × 1000
	Double    stats.Stat `json:"double_er"` // loss of the doubling decision alone, × 1000
	Answer    stats.Stat `json:"answer_er"` // loss of take or pass alone, × 1000

	WrongDoubles  int `json:"wrong_doubles"` // doubled: too early, or too good to
	MissedDoubles int `json:"missed_doubles"`
	WrongTakes    int `json:"wrong_takes"` // taken: was a pass
	WrongPasses   int `json:"wrong_passes"`
}

// cubeLoss is what one position's two decisions cost.
type cubeLoss struct {
	double, answer float64
	own, right     cube.Equities
}

// Cubes judges the cube records of files. h is Centred or Owned. The player
// must be one that evaluates positions.
func Cubes(ctx context.Context, p opponents.Player, fs []*bm.File, j cube.Janowski, h cube.Holder, workers int) (*CubeScore, error) {
	var records []*bm.CubeRecord
	var from []*bm.File
	for _, f := range fs {
		for i := range f.Cubes {
			records, from = append(records, &f.Cubes[i]), append(from, f)
		}
	}
	losses := make([]cubeLoss, len(records))
	ms := opponents.NewPool(p, workers)
	defer ms.Close()
	err := parallel.For(ctx, workers, len(records), func(worker, i int) error {
		m, err := ms.Get(worker)
		if err != nil {
			return err
		}
		e, ok := m.(opponents.Evaluator)
		if !ok {
			return fmt.Errorf("%s makes no cube decisions: it gives no chances to win", p.Name())
		}
		b, err := records[i].Key.Board()
		if err == nil {
			var o bg.Outputs
			o, err = e.Evaluate(&b)
			losses[i] = judgeCube(j, h, &o, &records[i].Outputs)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", from[i].Name, records[i].Line, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return sumCube(losses), nil
}

// judgeCube compares the decisions by a player's outputs with those by the
// rolled-out outputs.
func judgeCube(j cube.Janowski, h cube.Holder, own, rolledOut *bg.Outputs) cubeLoss {
	l := cubeLoss{own: j.Equities(own, h), right: j.Equities(rolledOut, h)}
	r := &l.right
	if l.own.Double() != r.Double() {
		l.double = math.Abs(min(r.DoubleTake, r.DoublePass) - r.NoDouble)
	}
	if l.own.Take() != r.Take() {
		l.answer = math.Abs(r.DoubleTake - r.DoublePass)
	}
	return l
}

func sumCube(losses []cubeLoss) *CubeScore {
	s := &CubeScore{Positions: len(losses)}
	var both, double, answer stats.Tally
	for i := range losses {
		l := &losses[i]
		both.Add(l.double + l.answer)
		double.Add(l.double)
		answer.Add(l.answer)
		switch doubles := l.own.Double(); {
		case doubles && !l.right.Double():
			s.WrongDoubles++
		case !doubles && l.right.Double():
			s.MissedDoubles++
		}
		switch takes := l.own.Take(); {
		case takes && !l.right.Take():
			s.WrongTakes++
		case !takes && l.right.Take():
			s.WrongPasses++
		}
	}
	s.ER, s.Double, s.Answer = both.Stat().Scaled(1000), double.Stat().Scaled(1000), answer.Stat().Scaled(1000)
	return s
}
