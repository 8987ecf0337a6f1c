package fit

import (
	"math"
	"time"

	"bgtrain/internal/bg"
)

// Point is one line of a learning curve: a net after an epoch.
type Point struct {
	Net   string  `json:"net,omitempty"`       // Hooks.Name
	Epoch int     `json:"epoch"`               // epochs done; 0: the net as it started
	Of    int     `json:"of_epochs,omitempty"` // that the run is to have
	Step  int64   `json:"step"`                // minibatches done
	Rate  float64 `json:"lr"`                  // learning rate of the last of them

	// TrainLoss is the mean loss over the epoch, of the net as it was at each
	// step. Nil before the first epoch.
	TrainLoss *float64 `json:"train_loss,omitempty"`

	// On the validation set, with the averaged weights; nil without one.
	ValidationLoss *float64 `json:"validation_loss,omitempty"`
	RMS            *float64 `json:"rms_equity_error,omitempty"`  // points
	MAE            *float64 `json:"mean_equity_error,omitempty"` // mean absolute, points
	// Within is the rms error that is left when the mean error of a decision's candidates
	// is taken off, over one candidate less, as benchmark files are scored; nil where none
	// are kept together.
	Within *float64 `json:"within_equity_error,omitempty"`

	ER      *float64 `json:"er,omitempty"`    // what Hooks.Score returned; nil where not asked
	ERSE    *float64 `json:"er_se,omitempty"` // its standard error
	Seconds float64  `json:"seconds"`         // of training so far
}

// endEpoch measures the net, adds a point to the curve, and decides whether the
// run is over.
func (r *run) endEpoch() error {
	p := Point{Net: r.h.Name, Step: r.stepper.Step, Epoch: int(r.stepper.Step / r.perEpoch), Of: r.s.Epochs}
	if p.Step > 0 {
		p.Rate = r.s.RateAt(p.Step-1, r.steps, r.perEpoch)
	}
	if r.Weight > 0 {
		p.TrainLoss = number(r.Loss / r.Weight)
	}
	over := r.stepper.Step >= r.steps
	if err := r.validate(&p); err != nil {
		return err
	}
	if r.h.Score != nil && (over || p.Epoch%r.s.ScoreEvery == 0) {
		er, err := r.h.Score(r.ctx, r.stepper.AverageNet())
		if err != nil {
			return err
		}
		p.ER, p.ERSE = number(er.Mean), number(er.SE)
	}
	r.Seconds += time.Since(r.clock).Seconds()
	r.clock = time.Now()
	p.Seconds = r.Seconds
	r.Points = append(r.Points, p)
	r.Loss, r.Weight = 0, 0
	r.judge(over)
	if r.h.Epoch != nil {
		return r.h.Epoch(r.Points)
	}
	return nil
}

// judge compares the newest point with the best and applies the stopping rule.
func (r *run) judge(over bool) {
	last := len(r.Points) - 1
	p := &r.Points[last]
	value, best := p.monitored(r.s.Monitor), r.Points[r.Best].monitored(r.s.Monitor)
	switch {
	case r.s.Monitor == "last", value != nil && (best == nil || *value < *best):
		r.Best = last
		copy(r.best, r.stepper.AverageWeights())
	case value != nil && r.s.Patience > 0 && p.Epoch-r.Points[r.Best].Epoch >= r.s.Patience:
		r.Stopped = "no better net for the epochs that patience allows"
	}
	if over {
		r.Stopped = "all epochs done"
	}
}

// monitored is the value that the best net has least of; nil: not measured.
func (p *Point) monitored(by string) *float64 {
	switch by {
	case "validation":
		return p.ValidationLoss
	case "er":
		return p.ER
	}
	return nil
}

// validate measures the averaged net on the validation set.
func (r *run) validate(p *Point) error {
	n := r.data.Validation()
	if n == 0 {
		return nil
	}
	rows := r.rows
	rows.table, rows.order, rows.scale = &r.data.validation, nil, 1
	var loss, weight, squares, sum float64
	var within decisionErrors
	for lo := 0; lo < n; lo += r.s.Batch {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		rows.first = uint32(lo)
		m := min(r.s.Batch, n-lo)
		l, w := r.stepper.Evaluate(&rows, m)
		loss += l
		weight += w
		for i := 0; i < m; i++ {
			out, target, w := r.stepper.Output(i)
			e := equityError(out, target)
			squares += float64(w) * e * e
			sum += float64(w) * math.Abs(e)
			within.add(e, float64(w), rows.Sibling(i))
		}
	}
	if within.end(); within.weight > 0 {
		p.Within = number(math.Sqrt(within.squares / within.weight))
	}
	p.ValidationLoss, p.RMS, p.MAE = number(loss/weight), number(math.Sqrt(squares/weight)), number(sum/weight)
	return nil
}

// decisionErrors sums the errors of equities about the mean one of each decision.
type decisionErrors struct {
	squares, weight      float64 // of the decisions before
	n                    float64 // positions of the one that is being added
	all, errors, squared float64 // their weights, and weighted sums
}

// add adds the error of a position, of the same decision as the one before if it is a sibling.
func (d *decisionErrors) add(e, weight float64, sibling bool) {
	if !sibling {
		d.end()
	}
	d.n++
	d.all += weight
	d.errors += weight * e
	d.squared += weight * e * e
}

// end ends a decision. One of a single position says nothing.
func (d *decisionErrors) end() {
	if d.n > 1 {
		d.squares += max(0, d.squared-d.errors*d.errors/d.all)
		d.weight += d.all * (d.n - 1) / d.n
	}
	d.n, d.all, d.errors, d.squared = 0, 0, 0, 0
}

func equityError(p, t *bg.Outputs) float64 { return float64(p.Equity()) - float64(t.Equity()) }

func number(x float64) *float64 { return &x }
