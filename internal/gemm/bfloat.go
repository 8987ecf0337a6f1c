package gemm

import "unsafe"

// Square is the number of rows and of columns of a square of bfloat16, and SquareSize
// that of its values.
const (
	Square     = Panel
	SquareSize = Square * Square
)

// squares are the kernels for matrices of bfloat16, which is the upper half of a float32, for products
// with few instructions. In squares of rows, row follows row. In squares of pairs, the
// left 16 columns precede the right ones, and in both, the values of two rows
// alternate: (0,0) (1,0) (0,1) (1,1) ...
//
// A product takes its left side by rows and its right side by pairs, and each matrix
// takes part in two products, in one of them transposed. Now the pairs of a matrix,
// transposed as squares of 16×16 pairs, are the rows of the transpose, and the rows are
// its pairs. So Round, Pair and Turn make all that products need.
type squares struct {
	multiply multiplySquares
	round    func(rows int, x []float32, to []uint16, apart int)
	pair     func(n int, from, to []uint16)
	turn     func(n int, from, to []uint16, apart int)
}

type multiplySquares = func(groups, steps int, a []uint16, astep, agroup int, b []uint16, init, c []float32)

// Squares are the kernels of bfloat16 of a processor, or Tiles or Dots.
type Squares struct {
	squares
	portable *Squares // nil: itself
}

// Portable returns the kernels in Go that give the same bits: Tiles or Dots.
func (s *Squares) Portable() *Squares {
	if s.portable == nil {
		return s
	}
	return s.portable
}

// AllocSquares returns n squares of zeros that begin on a cache line.
func AllocSquares(n int) []uint16 {
	f := Alloc(n*SquareSize/2 + 1) // one more: n may be 0
	return unsafe.Slice((*uint16)(unsafe.Pointer(&f[0])), n*SquareSize)
}

// Multiply computes groups of 32 rows of a panel, every row of init being the row init:
//
//	C = Init + A·B
//
// A has steps squares by rows, astep values apart, for each group, agroup values apart;
// B has steps squares by pairs, one after the other.
//
// By Tiles, from one square to the next, a sum is that of 16 products of even and 16 of odd columns
// of A, each added one by one in the order of columns, added to what was before. By Dots, products
// are added one by one in the order of columns, of every two the second first. Numbers below
// the normal ones count as zero.
func (s *Squares) Multiply(groups, steps int, a []uint16, astep, agroup int, b []uint16, init, c []float32) {
	if groups <= 0 {
		return
	}
	_, _ = init[Panel-1], c[groups*SquareSize-1]
	_, _ = a[(groups-1)*agroup+(steps-1)*astep+SquareSize-1], b[steps*SquareSize-1]
	s.squares.multiply(groups, steps, a, astep, agroup, b, init, c)
}

// Round writes rows of a panel as rows of squares, apart values apart: Square where they
// follow each other. It rounds to the nearest, where there are two to the even one.
func (s *Squares) Round(rows int, x []float32, to []uint16, apart int) {
	if rows > 0 {
		_, _ = x[rows*Panel-1], to[(rows-1)*apart+Square-1]
		s.round(rows, x, to, apart)
	}
}

// Pair turns n squares of rows into squares of pairs.
func (s *Squares) Pair(n int, from, to []uint16) {
	if n > 0 {
		_, _ = from[n*SquareSize-1], to[n*SquareSize-1]
		s.pair(n, from, to)
	}
}

// Turn transposes n squares and turns rows into pairs and pairs into rows; the results
// are apart values from each other.
func (s *Squares) Turn(n int, from, to []uint16, apart int) {
	if n > 0 {
		_, _ = from[n*SquareSize-1], to[(n-1)*apart+SquareSize-1]
		s.turn(n, from, to, apart)
	}
}
