package cubestudy

import (
	"math"

	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/stats"
)

// BearoffError is how far a model is from the exact cubeful equities for money of
// the two-sided bearoff database, over all its pairs of positions.
type BearoffError struct {
	Model string `json:"model"`
	Pairs int    `json:"pairs"`
	// Of equities without doubling now, with a centered cube, one's own, the
	// opponent's: mean, mean absolute, root mean square and largest difference from the exact ones.
	Mean    [3]float64 `json:"mean"`
	MeanAbs [3]float64 `json:"mean_abs"`
	RMS     [3]float64 `json:"rms"`
	Largest [3]float64 `json:"largest"`
	// Of decisions with a centered cube and with one's own: mean loss by doubling or
	// not, and by taking or not, as the model says; × 1000 in points per cube.
	Double [2]stats.Stat `json:"double_er"`
	Answer stats.Stat    `json:"answer_er"`
}

// ModelErrors are the errors of models, in their order.
type ModelErrors []BearoffError

// BearoffErrors compares models with the database. They are told the exact
// cubeless chance to win.
func BearoffErrors(db *bearoff.Cubeful, models []cube.Model) ModelErrors {
	homes := bearoff.Homes(db.Positions())
	all := make(ModelErrors, len(models))
	for k, m := range models {
		e := &all[k]
		e.Model = m.String()
		var double [2]stats.Tally
		var answer stats.Tally
		for me := 1; me < len(homes); me++ {
			for opp := 1; opp < len(homes); opp++ {
				x := db.At(me, opp)
				b := bg.Board{}
				copy(b.Me[:], homes[me][:])
				copy(b.Opp[:], homes[opp][:])
				p := cube.PositionOf(&b, &bg.Outputs{float32((x.Cubeless + 1) / 2)})
				e.add(m, &p, &x, &double, &answer)
			}
		}
		for h := range e.Mean {
			e.Mean[h] /= float64(e.Pairs)
			e.MeanAbs[h] /= float64(e.Pairs)
			e.RMS[h] = math.Sqrt(e.RMS[h] / float64(e.Pairs))
		}
		e.Double = [2]stats.Stat{double[0].Stat().Scaled(1000), double[1].Stat().Scaled(1000)}
		e.Answer = answer.Stat().Scaled(1000)
	}
	return all
}

// add compares one position.
func (e *BearoffError) add(m cube.Model, p *cube.Position, x *bearoff.CubeEquities, double *[2]stats.Tally,
	answer *stats.Tally) {
	exact := [3]float64{x.Centered, x.Owned, x.OpponentOwned}
	e.Pairs++
	for h, s := range [3]*cube.State{&centered, &owned, &theirs} {
		off := m.Equity(p, s) - exact[h]
		e.Mean[h] += off
		e.MeanAbs[h] += math.Abs(off)
		e.RMS[h] += off * off
		e.Largest[h] = max(e.Largest[h], math.Abs(off))
		if h == 2 {
			continue
		}
		own := cube.Decide(m, p, s)
		right := cube.Judge(exact[h], 2*x.OpponentOwned, 1, s, false)
		loss := 0.0
		if own.Action.Doubles() != right.Action.Doubles() {
			loss = right.DoubleError()
		}
		double[h].Add(loss)
		if h == 0 {
			loss = 0
			if own.Action.Takes() != right.Action.Takes() {
				loss = right.AnswerError()
			}
			answer.Add(loss)
		}
	}
}

// theirs is the state in which only the opponent may double.
var theirs = cube.State{Cube: 2, Owner: cube.OpponentOwned}
