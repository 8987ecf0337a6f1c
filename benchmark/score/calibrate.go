package score

import (
	"context"
	"fmt"
	"math"

	"bgtrain/benchmark/bm"
	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/parallel"
	"bgtrain/internal/player"
	"bgtrain/internal/stats"
)

// Sample is a position with the outputs that are taken for true, both as the
// player on roll sees them.
type Sample struct {
	Board   bg.Board
	Outputs bg.Outputs
}

// Samples returns the rolled-out positions of files: the candidates with #R
// lines, and the cube records. Finished games are left out.
func Samples(files ...*bm.File) []Sample {
	var all []Sample
	add := func(k bg.Key, o bg.Outputs) {
		if b, err := k.Board(); err == nil && bg.Classify(&b) != bg.Over {
			all = append(all, Sample{b, o})
		}
	}
	for _, f := range files {
		for i := range f.Records {
			for _, c := range f.Records[i].Candidates {
				if c.RolledOut {
					add(c.Key, c.Outputs)
				}
			}
		}
		for i := range f.Cubes {
			add(f.Cubes[i].Key, f.Cubes[i].Outputs)
		}
	}
	return all
}

// calibrationBins is how many bins an output's range is cut into.
const calibrationBins = 20

// Calibration describes how predicted outputs relate to rolled-out ones.
type Calibration struct {
	Positions int                              `json:"positions"`
	Outputs   [bg.NumOutputs]OutputCalibration `json:"outputs"`
	Equity    ErrorStat                        `json:"equity"`
	Classes   map[string]ClassError            `json:"classes"` // equity by bg.Classify, classes with positions
	Themes    []ThemeError                     `json:"themes"`  // equity by bg.ThemeOf, contact and crashed positions

	// Noise is the root mean square of the standard errors that the positions'
	// equities come with, where they come with any: what the RMS error of
	// perfect outputs would be.
	Noise float64 `json:"noise,omitempty"`

	// Choices is nil unless the positions are a database's and plays of one roll among them.
	Choices *Choices `json:"choices,omitempty"`
}

// ClassError is the equity error of the positions of one class.
type ClassError struct {
	Positions int       `json:"positions"`
	Equity    ErrorStat `json:"equity"`
}

// ThemeError is the equity error of the contact and crashed positions of one
// theme in which the player on roll has the back game, say, or the opponent has.
type ThemeError struct {
	Theme     string    `json:"theme"`
	Mine      bool      `json:"mine"` // true for a theme without sides
	Positions int       `json:"positions"`
	Equity    ErrorStat `json:"equity"`
}

// String states which positions these are.
func (e *ThemeError) String() string {
	switch e.Theme {
	case bg.Primes.String(), bg.OtherThemes.String():
		return e.Theme
	}
	if e.Mine {
		return e.Theme + ", on roll"
	}
	return e.Theme + ", the opponent's"
}

// OutputCalibration is the calibration of one output.
type OutputCalibration struct {
	Error ErrorStat `json:"error"`
	Bins  []Bin     `json:"bins"` // by rising prediction, those that hold any
}

// Bin sums up the positions whose prediction is in one part of the range.
type Bin struct {
	Positions int        `json:"positions"`
	Predicted float64    `json:"predicted"`  // mean prediction
	RolledOut stats.Stat `json:"rolled_out"` // mean of the rolled-out values
}

// ErrorStat sums up the differences prediction less rolled-out value.
type ErrorStat struct {
	Bias         float64 `json:"bias"` // mean
	RMS          float64 `json:"rms"`
	RMSSE        float64 `json:"rms_se"` // its standard error, positions being independent
	MeanAbsolute float64 `json:"mean_absolute"`
}

// Calibrate evaluates samples at a ply and compares the outputs.
func Calibrate(ctx context.Context, p *player.Player, ply int, samples []Sample, o Options) (*Calibration, error) {
	c := newCalibrator(p, ply, len(samples), o)
	if err := c.add(ctx, samples); err != nil {
		return nil, err
	}
	return c.calibration(), nil
}

// CalibrateDatabase evaluates all rows of a rollout database that have outputs
// and compares the outputs.
func CalibrateDatabase(ctx context.Context, p *player.Player, ply int, db *dataset.DB, o Options) (*Calibration,
	error) {
	c := newCalibrator(p, ply, int(db.NumRows()), o)
	var samples []Sample
	var chooser chooser
	for rows, err := range db.Batches(ctx, dataset.Filter{Columns: dataset.ColOutputs | dataset.ColEquitySE}) {
		if err != nil {
			return nil, err
		}
		samples = samples[:0]
		for i := range rows.Len() {
			r := rows.Row(i)
			if !r.HasOutputs {
				continue
			}
			b, err := r.Key.Board()
			if err != nil {
				return nil, fmt.Errorf("%s: position %s: %w", db.Path(), r.Key, err)
			}
			samples = append(samples, Sample{b, r.Outputs})
			if r.HasSE {
				c.noise.add(float64(r.EquitySE))
			}
		}
		c.count.Add(rows.Len() - len(samples))
		if err := c.add(ctx, samples); err != nil {
			return nil, err
		}
		for i := range samples {
			chooser.add(&samples[i], &c.predicted[i])
		}
	}
	r := c.calibration()
	r.Choices = chooser.choices()
	return r, nil
}

// calibrator adds up a Calibration.
type calibrator struct {
	player     *player.Player
	ply        int
	workers    int
	count      *parallel.Counter
	evaluators []*player.Evaluator
	predicted  []bg.Outputs

	equity  errorTally
	noise   errorTally
	classes [bg.NumClasses]errorTally
	themes  [bg.NumThemes][2]errorTally // the opponent's, then those of the player on roll
	outputs [bg.NumOutputs]struct {
		errors errorTally
		bins   [calibrationBins]struct{ predicted, rolledOut stats.Tally }
	}
}

func newCalibrator(p *player.Player, ply, total int, o Options) *calibrator {
	return &calibrator{player: p, ply: ply, workers: o.Workers, count: parallel.NewCounter(total, o.Progress),
		evaluators: make([]*player.Evaluator, parallel.Workers(o.Workers))}
}

func (c *calibrator) add(ctx context.Context, samples []Sample) error {
	if err := c.evaluate(ctx, samples); err != nil {
		return err
	}
	for i := range samples {
		p, r := &c.predicted[i], &samples[i].Outputs
		e := float64(p.Equity()) - float64(r.Equity())
		c.equity.add(e)
		class := bg.Classify(&samples[i].Board)
		c.classes[class].add(e)
		if class >= bg.Crashed {
			theme, mine := bg.ThemeOf(&samples[i].Board)
			c.themes[theme][side(mine)].add(e)
		}
		for k := range c.outputs {
			o := &c.outputs[k]
			predicted, rolledOut := float64(p[k]), float64(r[k])
			o.errors.add(predicted - rolledOut)
			b := &o.bins[min(max(int(predicted*calibrationBins), 0), calibrationBins-1)]
			b.predicted.Add(predicted)
			b.rolledOut.Add(rolledOut)
		}
	}
	return nil
}

func (c *calibrator) calibration() *Calibration {
	r := &Calibration{Positions: c.equity.n, Equity: c.equity.Stat(), Noise: c.noise.Stat().RMS,
		Classes: make(map[string]ClassError)}
	for k := range c.classes {
		if t := &c.classes[k]; t.n > 0 {
			r.Classes[bg.Class(k).String()] = ClassError{t.n, t.Stat()}
		}
	}
	for theme := range c.themes {
		for _, mine := range []bool{true, false} {
			if t := &c.themes[theme][side(mine)]; t.n > 0 {
				r.Themes = append(r.Themes, ThemeError{bg.Theme(theme).String(), mine, t.n, t.Stat()})
			}
		}
	}
	for k := range c.outputs {
		o := &c.outputs[k]
		r.Outputs[k].Error = o.errors.Stat()
		for i := range o.bins {
			if b := &o.bins[i]; b.predicted.N > 0 {
				r.Outputs[k].Bins = append(r.Outputs[k].Bins, Bin{b.predicted.N, b.predicted.Mean, b.rolledOut.Stat()})
			}
		}
	}
	return r
}

// evaluate fills c.predicted; the result does not depend on the number of
// workers.
func (c *calibrator) evaluate(ctx context.Context, samples []Sample) error {
	const chunk = 128
	if cap(c.predicted) < len(samples) {
		c.predicted = make([]bg.Outputs, len(samples))
	}
	c.predicted = c.predicted[:len(samples)]
	return parallel.For(ctx, c.workers, (len(samples)+chunk-1)/chunk, func(worker, k int) error {
		if c.evaluators[worker] == nil {
			c.evaluators[worker] = c.player.NewEvaluator()
		}
		e := c.evaluators[worker]
		part := samples[k*chunk : min((k+1)*chunk, len(samples))]
		out := c.predicted[k*chunk:][:len(part)]
		if c.ply == 0 {
			var bs [chunk]bg.Board
			for i := range part {
				bs[i] = part[i].Board
			}
			e.EvaluateBatch(bs[:len(part)], out)
			c.count.Add(len(part))
			return nil
		}
		for i := range part {
			if err := ctx.Err(); err != nil {
				return err
			}
			out[i] = e.Evaluate(&part[i].Board, c.ply)
			c.count.Add(1)
		}
		return nil
	})
}

func side(mine bool) int {
	if mine {
		return 1
	}
	return 0
}

// errorTally adds up errors.
type errorTally struct {
	n                          int
	sum, squares, fourth, size float64
}

func (t *errorTally) add(e float64) {
	t.n++
	t.sum += e
	t.squares += e * e
	t.fourth += e * e * e * e
	t.size += math.Abs(e)
}

// Stat sums the errors up; zeros without any.
func (t *errorTally) Stat() ErrorStat {
	if t.squares == 0 {
		return ErrorStat{}
	}
	n := float64(t.n)
	s := ErrorStat{Bias: t.sum / n, RMS: math.Sqrt(t.squares / n), MeanAbsolute: t.size / n}
	s.RMSSE = math.Sqrt(max(t.fourth/n-s.RMS*s.RMS*s.RMS*s.RMS, 0)/n) / (2 * s.RMS)
	return s
}
