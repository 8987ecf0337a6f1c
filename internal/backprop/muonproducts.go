package backprop

import "bgtrain/internal/gemm"

// word is what matrices of Muon's products hold: a float32, or the bits of a bfloat16.
type word interface{ float32 | uint16 }

// products are those of a precision, in the layouts of gemm.Squares.
type products[T word] interface {
	alloc(n int) []T

	// multiply computes groups of 32 rows of a panel, C = A·B, over steps squares: A's by rows
	// in panels apart values apart, B's by pairs.
	multiply(groups, steps int, a []T, apart int, b []T, c []float32)

	round(x []float32, to []T) // rows of a panel
	Pair(n int, from, to []T)
	Turn(n int, from, to []T, apart int)

	cushion() float32 // what rounding may make singular values greater by, as a factor
}

// halfProducts are those of BFloat16.
type halfProducts struct {
	*gemm.Squares
	zeros []float32 // a row of a panel
}

func (k halfProducts) alloc(n int) []uint16 { return gemm.AllocSquares(n) }

// cushion keeps gradients of nearly one direction, as of squared-relu at first, from growing without bound.
func (halfProducts) cushion() float32 { return 1.02 }

func (k halfProducts) multiply(groups, steps int, a []uint16, apart int, b []uint16, c []float32) {
	k.Multiply(groups, steps, a, apart, gemm.SquareSize, b, k.zeros, c)
}

func (k halfProducts) round(x []float32, to []uint16) {
	k.Round(len(x)/gemm.Panel, x, to, gemm.Square)
}

// floatProducts are those of Float32, where squares by pairs are squares by rows.
type floatProducts struct{ zeros []float32 }

func (k floatProducts) alloc(n int) []float32 { return gemm.Alloc(n * gemm.SquareSize) }

func (floatProducts) cushion() float32 { return 1 }

func (k floatProducts) multiply(groups, steps int, a []float32, apart int, b, c []float32) {
	gemm.MultiplyPanels(groups*gemm.Square, steps*gemm.Square, a, apart, b, k.zeros, 0, c)
}

func (floatProducts) round(x, to []float32) { copy(to, x) }

// Pair copies n squares: their rows are used one by one.
func (floatProducts) Pair(n int, from, to []float32) { copy(to, from[:n*gemm.SquareSize]) }

// Turn writes n squares transposed, so many numbers apart.
func (floatProducts) Turn(n int, from, to []float32, apart int) {
	for i := range n {
		gemm.TransposeSquare(to[i*apart:], from[i*gemm.SquareSize:])
	}
}
