package fit

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"bgtrain/features"
	"bgtrain/internal/backprop"
	"bgtrain/internal/identity"
	"bgtrain/internal/nn"
	"bgtrain/internal/stats"
)

// Hooks are what Run does besides training. All may be left out.
type Hooks struct {
	Name string // of the net, in points and messages

	// Checkpoint is the file that keeps the state of the run. Run goes on from
	// it where it exists, and fails where it belongs to another run.
	Checkpoint string

	// Score returns the error rate of a net on a benchmark file, which ScoredBy
	// identifies: the run's result depends on it.
	Score    func(ctx context.Context, net *nn.Net) (er stats.Stat, err error)
	ScoredBy string

	// Epoch gets all points of the curve after each epoch, and before the
	// first. After going on from a checkpoint it may see an epoch again.
	Epoch func(points []Point) error

	// Progress gets how many positions were trained on, of how many.
	Progress func(done, total int)
}

// Report is how a run went.
type Report struct {
	Points     []Point
	Best       int    // index in Points of the net that Run returned
	Training   int    // positions of the training set
	Validation int    // positions held out
	Resumed    int64  // step of the checkpoint that the run went on from; 0: none
	Stopped    string // why the run ended
}

// Run trains a net from start on data, whose positions set encodes. The result
// depends on start, set, data and the settings only. If ctx ends, Run writes a
// checkpoint and returns the context's error; the same call goes on from there
// and ends with the same net, to the bit, as one that was not disturbed.
func Run(ctx context.Context, start *nn.Net, set *features.Set, data *Data, s Settings, h Hooks) (*nn.Net, *Report,
	error) {
	r, err := newRun(ctx, start, set, data, s, h)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", strings.TrimSpace("train "+h.Name), err)
	}
	defer r.stepper.Close()
	if err := r.train(); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", strings.TrimSpace("train "+h.Name), err)
	}
	rep := &Report{Points: r.Points, Best: r.Best, Training: data.Training(), Validation: data.Validation(),
		Resumed: r.resumed, Stopped: r.Stopped}
	return r.stepper.NetOf(r.best), rep, nil
}

// run is one call of Run.
type run struct {
	progress // what a checkpoint keeps besides the stepper's state

	ctx     context.Context
	set     *features.Set
	data    *Data
	s       Settings
	h       Hooks
	stepper *backprop.Stepper
	best    []float32 // weights of the best net so far, in the stepper's layout

	order    []uint32 // of the training set in the epoch shuffled
	shuffled int64    // the epoch that order is of; -1: none
	rows     batchRows
	steps    int64 // of the whole run
	perEpoch int64
	identity identity.ID
	resumed  int64
	saved    time.Time
	clock    time.Time
}

// progress is how far a run is.
type progress struct {
	Loss, Weight float64 // sums over the epoch in progress
	Points       []Point
	Best         int // index in Points
	Seconds      float64
	Stopped      string // why the run is over; "": it is not
}

func newRun(ctx context.Context, start *nn.Net, set *features.Set, data *Data, s Settings, h Hooks) (*run, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	switch {
	case start.Inputs() != set.Size:
		return nil, fmt.Errorf("the net has %d inputs, %s version %d has %d", start.Inputs(), set.Name, set.Version,
			set.Size)
	case data.Training() == 0:
		return nil, fmt.Errorf("no positions to train on")
	case data.share != s.Validation:
		return nil, fmt.Errorf("the data holds out %v of the positions, the settings say %v", data.share, s.Validation)
	case data.families != s.ByDecision():
		return nil, fmt.Errorf("the data holds out whole decisions: %v, the settings: %v", data.families, s.ByDecision())
	case s.Monitor == "validation" && data.Validation() == 0:
		return nil, fmt.Errorf("none of %d positions is held out for validation: more are needed, or a larger "+
			"--validation", data.Training())
	case s.Monitor == "er" && h.Score == nil:
		return nil, fmt.Errorf("no benchmark to choose the best net by")
	}
	r := &run{ctx: ctx, set: set, data: data, s: s, h: h, shuffled: -1}
	opt := s.backpropOptions()
	opt.Density = r.density()
	var err error
	if r.stepper, err = backprop.New(start, opt); err != nil {
		return nil, err
	}
	r.order = make([]uint32, data.Training())
	r.rows = newBatchRows(set, s.Batch, float32(float64(data.Training())/data.weight))
	r.perEpoch = int64((data.Training() + s.Batch - 1) / s.Batch)
	r.steps = r.perEpoch * int64(s.Epochs)
	r.best = make([]float32, len(r.stepper.Weights))
	copy(r.best, r.stepper.Weights)
	r.identity = r.identify(start)
	if err := r.resume(); err != nil {
		r.stepper.Close()
		return nil, err
	}
	r.saved, r.clock = time.Now(), time.Now()
	return r, nil
}

// train does what is left of the run.
func (r *run) train() error {
	for r.Stopped == "" {
		err := r.ctx.Err()
		if err == nil {
			if r.stepper.Step/r.perEpoch >= int64(len(r.Points)) {
				err = r.endEpoch() // also of epoch 0: the net as it starts
			} else {
				err = r.step()
			}
		}
		// Stopped by ctx, the state is between two of these, and worth keeping.
		if err != nil && r.ctx.Err() == nil {
			return err
		}
		if err != nil || r.Stopped != "" || time.Since(r.saved) >= r.s.CheckpointEvery {
			if e := r.save(); e != nil {
				return e
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// step trains on one minibatch.
func (r *run) step() error {
	step := r.stepper.Step
	epoch, at := step/r.perEpoch, int(step%r.perEpoch)*r.s.Batch
	if r.shuffled != epoch {
		if r.s.ByDecision() {
			r.data.training.shuffleDecisions(r.order, r.s.Seed, uint64(epoch))
		} else {
			shuffle(r.order, r.s.Seed, uint64(epoch))
		}
		r.shuffled = epoch
	}
	n := min(r.s.Batch, len(r.order)-at)
	r.rows.table, r.rows.order = &r.data.training, r.order[at:at+n]
	loss, weight := r.stepper.Train(&r.rows, n, r.s.RateAt(step, r.steps, r.perEpoch))
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		return fmt.Errorf("diverged: the loss of step %d is %v; a lower learning rate may help", step+1, loss)
	}
	r.Loss += loss
	r.Weight += weight
	if r.h.Progress != nil && (step%64 == 0 || step+1 == r.steps) {
		r.h.Progress(int(epoch)*len(r.order)+at+n, r.s.Epochs*len(r.order))
	}
	return nil
}

// density returns how often each input is not zero in the first examples.
func (r *run) density() []float32 {
	x, d := make([]float32, r.set.Size), make([]float32, r.set.Size)
	n := min(1000, r.data.Training())
	for i := 0; i < n; i++ {
		b, err := r.data.training.at(uint32(i)).Key.Board()
		if err != nil {
			panic(err) // Add checked it
		}
		r.set.Encode(&b, x)
		for j, v := range x {
			if v != 0 {
				d[j] += 1 / float32(n)
			}
		}
	}
	return d
}
