// Package gemm writes the kernels of internal/gemm. They are the same for both
// tiers but for the width of a register and the number of rows that fit the
// register file.
package gemm

import . "bgtrain/internal/asm/simd"

const (
	// panel is the number of columns of a panel, see internal/gemm.
	panel = 32
	// columns is the number of vector registers across a multiplication tile.
	columns = 2
)

// shapes are the heights of the tiles of a tier.
type shapes struct {
	tallest       int   // of a multiplication
	rows, columns []int // that many rows, and the columns of a panel, are cut into
}

func shapesOf(t *Tier) shapes {
	if t.AVX512 {
		return shapes{14, []int{12, 13, 14}, []int{10, 11}}
	}
	return shapes{6, []int{5, 6}, []int{5, 6}}
}

// Kernels generates those of the tier.
func Kernels() {
	if T.BF16 {
		bfloat()
		return
	}
	s := shapesOf(T)
	for r := 1; r <= s.tallest; r++ {
		multiply(r)
	}
	for _, r := range s.rows {
		panelRows(r)
	}
	for _, r := range s.columns {
		panelColumns(r)
	}
	if !T.AVX512 { // good for AVX-512 too
		transpose()
	}
	dots()
	columnSums()
	sparseMultiply(1)
	if T.AVX512 {
		sparseMultiply(2)
	}
	sparseAccumulate()
	columnAccumulate()
	compress()
	gradients()
	optimizers()
	Peak()
}
