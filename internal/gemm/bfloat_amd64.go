package gemm

import "bgtrain/internal/cpu"

//go:generate go run -C ../asm . -kernels gemm -tier amx -to ../gemm

// bfloat returns the kernels of this processor, nil where it has none.
func bfloat() *Squares {
	if !cpu.AMX() {
		return nil
	}
	return &Squares{squares{
		multiply: func(groups, steps int, a []uint16, astep, agroup int, b []uint16, init, c []float32) {
			multiplySquaresAMX(groups, steps, &a[0], uintptr(2*astep), uintptr(2*agroup), &b[0], &init[0], &c[0])
		},
		round: func(rows int, x []float32, to []uint16, apart int) {
			roundRowsAMX(rows, &x[0], &to[0], uintptr(2*apart))
		},
		pair: func(n int, from, to []uint16) { pairRowsAMX(n, &from[0], &to[0]) },
		turn: func(n int, from, to []uint16, apart int) { turnTilesAMX(n, &from[0], &to[0], uintptr(2*apart)) },
	}}
}
