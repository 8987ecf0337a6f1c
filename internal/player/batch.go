package player

import (
	"bgtrain/internal/bg"
	"bgtrain/internal/nn"
)

// batch collects positions for one net.
type batch struct {
	net     *evalNet
	scratch *nn.Scratch
	inputs  []float32 // batchSize rows of the net's stride
	results []float32
	n       int
	waiting [batchSize]waiting
}

func (t *batch) init(net *evalNet) {
	if net == nil {
		return
	}
	t.net = net
	t.scratch = net.net.NewScratch()
	t.inputs = make([]float32, batchSize*net.net.Stride())
	t.results = make([]float32, batchSize*bg.NumOutputs)
}

// add encodes a position; its result will go to out. It reports whether the batch
// is full.
func (t *batch) add(b *bg.Board, key cacheKey, out *bg.Outputs) bool {
	t.set(t.n, b)
	t.waiting[t.n] = waiting{*b, key, out}
	t.n++
	return t.n == batchSize
}

// set encodes a position as row i.
func (t *batch) set(i int, b *bg.Board) {
	stride := t.net.net.Stride()
	t.net.set.Encode(b, t.inputs[i*stride:i*stride+t.net.set.Size])
}

// run evaluates the batch and writes the raw outputs; it leaves n as it is.
func (t *batch) run() {
	t.net.net.Eval(t.scratch, t.inputs, t.n, t.results)
	for i := range t.waiting[:t.n] {
		*t.waiting[i].out = bg.Outputs(t.results[i*bg.NumOutputs : (i+1)*bg.NumOutputs])
	}
}
