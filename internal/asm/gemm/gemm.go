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

// tileRows is the number of rows of the largest multiplication tile.
func tileRows() int {
	if T.AVX512 {
		return 14
	}
	return 6
}

// rowTiles are the heights of tiles that blocks of many rows are cut into.
func rowTiles() []int {
	if T.AVX512 {
		return []int{12, 13, 14}
	}
	return []int{5, 6}
}

// columnTiles are the heights of tiles that the columns of a panel are cut into.
func columnTiles() []int {
	if T.AVX512 {
		return []int{10, 11}
	}
	return []int{5, 6}
}

// Kernels generates those of the tier.
func Kernels() {
	if T.AMX {
		bfloat()
		return
	}
	for r := 1; r <= tileRows(); r++ {
		multiply(r)
	}
	for _, r := range rowTiles() {
		panelRows(r)
	}
	for _, r := range columnTiles() {
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
	if T.AVX512 {
		compress()
	}
	gradients()
	optimizers()
	Peak()
}
