package benchmark

import (
	"context"
	"math"

	"bgtrain/internal/bg"
	"bgtrain/internal/player"
)

// Sample is a position with the outputs that are taken for true, both as the
// player on roll sees them.
type Sample struct {
	Board   bg.Board
	Outputs bg.Outputs
}

// Samples returns the rolled-out positions of a file: the candidates with #R
// lines, and the cube records. Finished games are left out.
func (f *File) Samples() []Sample {
	var all []Sample
	add := func(k bg.Key, o bg.Outputs) {
		if b, err := k.Board(); err == nil && bg.Classify(&b) != bg.Over {
			all = append(all, Sample{b, o})
		}
	}
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
	return all
}

// calibrationBins is how many bins an output's range is cut into.
const calibrationBins = 20

// Calibration says how predicted outputs relate to rolled-out ones.
type Calibration struct {
	Positions int
	Outputs   [bg.NumOutputs]OutputCalibration
	Equity    ErrorStat
}

// OutputCalibration is the calibration of one output.
type OutputCalibration struct {
	Error ErrorStat
	Bins  []Bin // by rising prediction, those that hold any
}

// Bin sums up the positions whose prediction is in one part of the range.
type Bin struct {
	Positions int
	Predicted float64 // mean prediction
	RolledOut Stat    // mean of the rolled-out values
}

// ErrorStat sums up the differences prediction less rolled-out value.
type ErrorStat struct {
	Bias         float64 // mean
	RMS          float64
	MeanAbsolute float64
}

// Calibrate evaluates samples at a ply and compares the outputs.
func Calibrate(ctx context.Context, p *player.Player, ply int, samples []Sample, workers int) (*Calibration, error) {
	predicted, err := evaluateSamples(ctx, p, ply, samples, workers)
	if err != nil {
		return nil, err
	}
	c := &Calibration{Positions: len(samples)}
	var equity errorTally
	for i := range samples {
		equity.add(float64(predicted[i].Equity()) - float64(samples[i].Outputs.Equity()))
	}
	c.Equity = equity.stat()
	for k := range c.Outputs {
		c.Outputs[k] = calibrateOutput(k, predicted, samples)
	}
	return c, nil
}

func calibrateOutput(k int, predicted []bg.Outputs, samples []Sample) OutputCalibration {
	var errors errorTally
	var bins [calibrationBins]struct{ predicted, rolledOut tally }
	for i := range samples {
		p, r := float64(predicted[i][k]), float64(samples[i].Outputs[k])
		errors.add(p - r)
		b := &bins[min(max(int(p*calibrationBins), 0), calibrationBins-1)]
		b.predicted.add(p)
		b.rolledOut.add(r)
	}
	o := OutputCalibration{Error: errors.stat()}
	for i := range bins {
		if b := &bins[i]; b.predicted.n > 0 {
			o.Bins = append(o.Bins, Bin{b.predicted.n, b.predicted.mean, b.rolledOut.stat()})
		}
	}
	return o
}

// evaluateSamples evaluates all samples; the result does not depend on the
// number of workers.
func evaluateSamples(ctx context.Context, p *player.Player, ply int, samples []Sample, workers int) ([]bg.Outputs, error) {
	const chunk = 128
	out := make([]bg.Outputs, len(samples))
	evaluators := make([]*player.Evaluator, workerCount(workers))
	err := inParallel(ctx, workers, (len(samples)+chunk-1)/chunk, func(worker, c int) error {
		if evaluators[worker] == nil {
			evaluators[worker] = p.NewEvaluator()
		}
		e := evaluators[worker]
		from, to := c*chunk, min((c+1)*chunk, len(samples))
		if ply == 0 {
			var bs [chunk]bg.Board
			for i := from; i < to; i++ {
				bs[i-from] = samples[i].Board
			}
			e.EvaluateBatch(bs[:to-from], out[from:to])
			return nil
		}
		for i := from; i < to; i++ {
			out[i] = e.Evaluate(&samples[i].Board, ply)
		}
		return nil
	})
	return out, err
}

// errorTally adds up errors.
type errorTally struct {
	n                  int
	sum, squares, size float64
}

func (t *errorTally) add(e float64) {
	t.n++
	t.sum += e
	t.squares += e * e
	t.size += abs(e)
}

func (t *errorTally) stat() ErrorStat {
	if t.n == 0 {
		return ErrorStat{}
	}
	n := float64(t.n)
	return ErrorStat{t.sum / n, math.Sqrt(t.squares / n), t.size / n}
}
