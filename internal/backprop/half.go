package backprop

import (
	"errors"

	"bgtrain/internal/cpu"
	"bgtrain/internal/gemm"
)

// Precision is how the products of training are computed.
type Precision uint8

// The precisions.
const (
	// Float32 computes with float32 throughout.
	Float32 Precision = iota
	// BFloat16 rounds activations, weights and errors to bfloat16 where hidden layers
	// multiply them, and sums in float32. All else, the output layer, biases, the
	// weights as the optimizer keeps them and Evaluate included, stays float32.
	BFloat16
)

// ErrNoBFloat16 is the reason that BFloat16 cannot be had.
var ErrNoBFloat16 = errors.New("bfloat16 takes a processor with AMX on Linux (amx_tile and amx_bf16), or not by " +
	"Intel with AVX-512 BF16, and kernels not lowered by " + cpu.EnvVar)

// HasBFloat16 reports whether this machine computes faster with BFloat16. Others could, to the
// same bits, but more slowly than with Float32, some of them hundreds of times: they refuse.
func HasBFloat16() bool { return gemm.BFloat() != nil }

// Rounding is cpu.Rounding of training in a precision. Sums of bfloat16 by AVX-512 BF16 are not
// those of AMX, which Rounding does not name.
func (p Precision) Rounding() string {
	if k := gemm.BFloat(); p == BFloat16 && k != nil && k.Portable() == &gemm.Dots {
		return cpu.Rounding() + "-avx512_bf16"
	}
	return cpu.Rounding()
}

// half is what a Stepper of BFloat16 computes with: squares of package gemm. What both
// phases of a step need is of the whole batch, what one block needs its worker's.
type half struct {
	*gemm.Squares
	inputs []uint16 // the inputs, transposed, by rows: a panel's squares of the batch
	layers []halfLayer
	blocks int // squares of rows of a batch
	work   []halfWork
}

// halfLayer is a hidden layer.
type halfLayer struct {
	in     int       // squares of inputs
	y      []uint16  // activations, as half.inputs; the last layer has none
	d      []uint16  // errors, by pairs: a panel's squares of the batch
	sums   []float32 // of the errors of each square of rows: the same
	w      []uint16  // weights, by pairs: a panel's squares of inputs
	across []uint16  // transposed, by pairs: an input panel's squares of units
}

// halfWork is the working memory of one worker.
type halfWork struct {
	row    []float32  // inputs of one row, padded with zeros
	x      []uint16   // inputs of a block by rows
	y, d   [][]uint16 // of a block, by rows: activations and errors of each layer
	values [][]float32
	panel  []float32 // a panel of a block
	a, b   []uint16  // the same
	g      []float32 // gradients of groupSquares squares, and of a panel's rest
}

// groupSquares is the number of squares of a gradient that are computed together.
const groupSquares = 8

func newHalf(e *Stepper, k *gemm.Squares) (*half, error) {
	if k == nil {
		return nil, ErrNoBFloat16
	}
	h := &half{Squares: k, blocks: gemm.Panels(e.opt.Batch)}
	block := gemm.Panels(e.block)
	for i := range e.lay.hidden {
		l := &e.lay.hidden[i]
		in := gemm.Panels(l.in)
		hl := halfLayer{in: in,
			d:    gemm.AllocSquares(l.panels * h.blocks),
			sums: gemm.Alloc(l.panels * h.blocks * gemm.Panel),
			w:    gemm.AllocSquares(l.panels * in)}
		if i == 0 {
			h.inputs = gemm.AllocSquares(in * h.blocks)
		} else {
			hl.across = gemm.AllocSquares(l.panels * in)
		}
		if i < len(e.lay.hidden)-1 {
			hl.y = gemm.AllocSquares(l.panels * h.blocks)
		}
		h.layers = append(h.layers, hl)
	}
	for range e.opt.Workers {
		in := h.layers[0].in
		w := halfWork{row: gemm.Alloc(in * gemm.Panel), x: gemm.AllocSquares(in * block),
			panel: gemm.Alloc(block * gemm.SquareSize),
			a:     gemm.AllocSquares(block), b: gemm.AllocSquares(block),
			g: gemm.Alloc(groupSquares*gemm.SquareSize + (1+outputs)*gemm.Panel)}
		for i := range h.layers {
			n := e.lay.hidden[i].panels * block
			w.y = append(w.y, gemm.AllocSquares(n))
			w.d = append(w.d, gemm.AllocSquares(n))
			w.values = append(w.values, gemm.Alloc(n*gemm.SquareSize))
		}
		h.work = append(h.work, w)
	}
	return h, nil
}

// squaresAt are the squares from row lo on of panel p of what is of the batch.
func (h *half) squaresAt(s []uint16, p, lo int) []uint16 {
	return s[(p*h.blocks+lo/gemm.Square)*gemm.SquareSize:]
}

// String returns the name that flags and files use.
func (p Precision) String() string {
	if p == BFloat16 {
		return "bf16"
	}
	return "float32"
}
