package backprop

import (
	"fmt"
	"slices"

	"bgtrain/internal/bg"
	"bgtrain/internal/gemm"
	"bgtrain/internal/nn"
)

// Rows is a batch of training rows.
type Rows interface {
	// Fetch announces that one worker is about to ask for rows lo to lo+n-1: a
	// chance to get them from memory all at once.
	Fetch(lo, n int)

	// Row writes the target of row i of the batch to t and returns its inputs and
	// its weight. The inputs are x, filled, or a slice that stays as it is until
	// the next call of the same worker. Several goroutines call it at once.
	Row(i int, x []float32, t *bg.Outputs) (inputs []float32, weight float32)
}

// Options are those of a Stepper; none but Loss, Optimizer and Precision changes
// results beyond rounding in float32.
type Options struct {
	Batch     int // most rows of a batch
	Workers   int // goroutines, at least 1
	Loss      Loss
	Optimizer Optimizer
	Precision Precision

	// Density is, for each input, the part of rows in which it is not zero. Where
	// it is given, the first layer skips zeros as far as that saves time; results
	// differ in rounding from those without.
	Density []float32

	// Keep is the part of the net's first weights in those that AverageWeights gives.
	Keep float64

	squares *gemm.Squares // instead of the processor's, for tests
}

// slabRows is what the number of rows that a worker takes at a time is a multiple of.
const slabRows = 64

// mostSlabs is the most that a worker takes at a time: more rows fetch the weights
// into the cache less often, until their activations no longer fit themselves.
const mostSlabs = 2

// blockRows is the number of rows that each of some workers takes at a time, such that
// all of them have as much to do.
func blockRows(batch, workers int) int {
	slabs := (batch + slabRows - 1) / slabRows
	rounds := (slabs + workers*mostSlabs - 1) / (workers * mostSlabs)
	return (slabs + workers*rounds - 1) / (workers * rounds) * slabRows
}

// Stepper trains one net. It is for one goroutine; its workers are its own.
type Stepper struct {
	State // what steps change

	lay    *layout
	opt    Options
	crew   *crew
	block  int // rows that a worker takes at a time
	coef   coefficients
	inputs inputs
	hidden []activations // a hidden layer's, for the batch
	// active and wrong list a hidden layer's activations and errors that are not zero, for the layer
	// after it and that before it; nil where that does not pay.
	active, wrong []*nonzeros
	// transposed are, with Float32, the weights of hidden layers but the first, transposed and
	// packed: those of layer i lead from its units (rows) to those of layer i-1.
	transposed [][]float32

	probs   []float32 // batch×5: sums, then outputs
	errors  []float32 // batch×5: derivative of the loss by the sums
	targets []bg.Outputs
	weights []float32
	losses  []float32
	scratch []scratch // a worker's
	zeros   []float32 // rows of panels that are multiplied at once
	half    *half     // nil with Float32
	muon    muon      // nil without
	start   []float32 // weights that Options.Keep is of; nil without
	kept    []float32 // what AverageWeights gives then

	// The step in progress.
	rows      Rows
	n         int       // rows
	forwardBy []float32 // weights of the forward pass: State.Weights or what AverageWeights gives
	training  bool
	doBlock   func(worker, task int)
	doPanels  func(worker, task int)
}

// activations of a hidden layer: values and derivatives by the sums, in panels of
// batch rows.
type activations struct{ y, d []float32 }

// scratch is the working memory of one worker.
type scratch struct {
	gradient []float32
	x        []float32
}

// New returns a Stepper that starts from net. Close it when done.
func New(net *nn.Net, opt Options) (*Stepper, error) {
	lay, err := newLayout(net)
	if err != nil {
		return nil, err
	}
	if opt.Batch < 1 || opt.Workers < 1 {
		return nil, fmt.Errorf("batch of %d, %d workers", opt.Batch, opt.Workers)
	}
	if opt.Density != nil && len(opt.Density) != net.Inputs() {
		return nil, fmt.Errorf("density of %d inputs, the net has %d", len(opt.Density), net.Inputs())
	}
	if opt.Precision == BFloat16 {
		opt.Batch = (opt.Batch + slabRows - 1) / slabRows * slabRows // whole squares
	}
	e := &Stepper{lay: lay, opt: opt, State: newState(lay.total, &opt.Optimizer)}
	batch := opt.Batch
	e.block = blockRows(batch, opt.Workers)
	e.inputs.init(opt.Density, batch, lay.hidden[0].in, lay.hidden[0].panels)
	largest := biasRoom
	for i := range lay.hidden {
		h := &lay.hidden[i]
		var active, wrong *nonzeros
		if opt.Precision == Float32 && i < len(lay.hidden)-1 {
			active = newNonzeros(h, batch)
		}
		if opt.Precision == Float32 && i > 0 {
			wrong = newNonzeros(h, batch)
		}
		e.active, e.wrong = append(e.active, active), append(e.wrong, wrong)
		n := h.panels * batch * gemm.Panel
		a := activations{y: gemm.Alloc(n)}
		largest = max(largest, h.size*e.group(i))
		var tr []float32
		if opt.Precision == Float32 {
			a.d = gemm.Alloc(n)
		}
		e.hidden = append(e.hidden, a)
		if opt.Precision == Float32 && i > 0 {
			tr = gemm.Alloc(gemm.Panels(h.in) * h.panels * gemm.Panel * gemm.Panel)
		}
		e.transposed = append(e.transposed, tr)
	}
	widest := 0
	for i := range lay.hidden {
		widest = max(widest, lay.hidden[i].panels)
	}
	e.zeros = gemm.Alloc((panelsAtOnce-1)*widest*gemm.SquareSize + gemm.Panel)
	room := batch*outputs + gemm.Panel
	e.probs, e.errors = gemm.Alloc(room), gemm.Alloc(room)
	e.targets = make([]bg.Outputs, batch)
	e.weights, e.losses = make([]float32, batch), make([]float32, batch)
	for i := 0; i < opt.Workers; i++ {
		e.scratch = append(e.scratch, scratch{gradient: gemm.Alloc(largest), x: gemm.Alloc(net.Inputs())})
	}
	if opt.Precision == BFloat16 {
		if opt.squares == nil {
			opt.squares = gemm.BFloat()
		}
		if e.half, err = newHalf(e, opt.squares); err != nil {
			return nil, err
		}
	}
	if opt.Optimizer.Kind == Muon {
		if e.half != nil {
			e.muon = newMuon(e, halfProducts{e.half.Squares, e.zeros})
		} else {
			e.muon = newMuon(e, floatProducts{e.zeros})
		}
	}
	e.doBlock, e.doPanels = e.rowBlock, e.panels
	e.crew = newCrew(opt.Workers)
	lay.load(net, e.Weights)
	copy(e.Average, e.Weights)
	if opt.Keep > 0 {
		e.start, e.kept = slices.Clone(e.Weights), gemm.Alloc(len(e.Weights))
	}
	e.Restored()
	return e, nil
}

// Close ends the workers.
func (e *Stepper) Close() { e.crew.close() }

// NetOf returns a net with weights in the layout of State.
func (e *Stepper) NetOf(weights []float32) *nn.Net { return e.lay.net(weights) }

// Net returns a net with the weights as they are.
func (e *Stepper) Net() *nn.Net { return e.lay.net(e.Weights) }

// SetNet sets the weights as they are to those of a net of the same shape, but no average;
// the optimizer's moments stay.
func (e *Stepper) SetNet(n *nn.Net) {
	e.lay.load(n, e.Weights)
	e.Restored()
}

// AverageNet returns a net with the moving average of the weights, or the weights
// as they are where no average is kept.
func (e *Stepper) AverageNet() *nn.Net { return e.lay.net(e.AverageWeights()) }

// AverageWeights is the moving average of the weights, or the weights as they are
// where no average is kept, with Options.Keep in it. It must not be changed, and is valid
// until the next call.
func (e *Stepper) AverageWeights() []float32 {
	weights := e.Weights
	if e.Average != nil {
		weights = e.Average
	}
	if e.start == nil {
		return weights
	}
	for i, w := range weights {
		e.kept[i] = w + float32(e.opt.Keep*(float64(e.start[i])-float64(w)))
	}
	return e.kept
}

// Restored must be called after the State was changed from outside.
func (e *Stepper) Restored() {
	for i := range e.lay.hidden {
		for p := range e.lay.hidden[i].panels {
			for q := range gemm.Panels(e.lay.hidden[i].in) {
				e.stepped(0, i, p, q)
			}
		}
	}
}

// Train trains on the rows 0 to n-1, n up to Options.Batch, at a learning rate. It
// returns the sum of the weighted losses and the sum of the weights, both before
// the update. The gradient is that of the mean over n.
func (e *Stepper) Train(rows Rows, n int, rate float64) (loss, weight float64) {
	e.State.Step++
	e.coef.at(&e.opt.Optimizer, e.State.Step, rate)
	e.run(rows, n, e.Weights, true)
	e.crew.run(e.tasks()+1, e.doPanels)
	if e.muon != nil {
		e.muon.orthogonalize()
	}
	return e.sums()
}

// Evaluate runs the rows 0 to n-1, n up to Options.Batch, through the net with
// AverageWeights and returns the sum of the weighted losses and that of the weights. Output tells
// more until the next call.
func (e *Stepper) Evaluate(rows Rows, n int) (loss, weight float64) {
	e.run(rows, n, e.AverageWeights(), false)
	return e.sums()
}

// Output returns the outputs of row i in the last Evaluate or Train, its target
// and its weight.
func (e *Stepper) Output(i int) (p, t *bg.Outputs, weight float32) {
	return (*bg.Outputs)(e.probs[i*outputs:]), &e.targets[i], e.weights[i]
}

func (e *Stepper) run(rows Rows, n int, weights []float32, training bool) {
	e.rows, e.n, e.forwardBy, e.training = rows, n, weights, training
	e.crew.run((n+e.block-1)/e.block, e.doBlock)
}

func (e *Stepper) sums() (loss, weight float64) {
	for i := 0; i < e.n; i++ {
		loss += float64(e.losses[i])
		weight += float64(e.weights[i])
	}
	return loss, weight
}

// group is the number of panels of hidden layer i that are one task.
func (e *Stepper) group(i int) int {
	switch {
	case e.opt.Precision == BFloat16:
		return min(max(1, e.lay.hidden[i].panels/(2*e.opt.Workers)), mostTogether)
	case i == 0:
		return e.inputs.group
	case e.active[i-1] != nil:
		return min(max(1, e.lay.hidden[i].panels/e.opt.Workers), panelGroup)
	}
	return 1
}

// groups is the number of groups of panels of hidden layer i.
func (e *Stepper) groups(i int) int {
	return (e.lay.hidden[i].panels + e.group(i) - 1) / e.group(i)
}

// tasks is the number of groups of panels of all hidden layers.
func (e *Stepper) tasks() int {
	n := 0
	for i := range e.lay.hidden {
		n += e.groups(i)
	}
	return n
}
