package gemm

import "bgtrain/internal/cpu"

//go:generate go run -C ../asm . -kernels gemm -tier bf16 -to ../gemm

// BFloat returns the kernels of bfloat16 of this processor, nil where it has none that are faster than float32.
func BFloat() *Squares {
	if cpu.AMX() || cpu.FastAVX512BF16() {
		return bfloats()[0]
	}
	return nil
}

// bfloats returns the kernels of this processor, the best first.
func bfloats() []*Squares {
	var all []*Squares
	if cpu.AMX() {
		all = append(all, squaresOf(multiplyTiles, &Tiles))
	}
	if cpu.AVX512BF16() {
		all = append(all, squaresOf(multiplyDots, &Dots))
	}
	return all
}

// squaresOf are the kernels around a multiplication.
func squaresOf(multiply multiplySquares, portable *Squares) *Squares {
	return &Squares{squares{
		multiply: multiply,
		round: func(rows int, x []float32, to []uint16, apart int) {
			roundRowsBF16(rows, &x[0], &to[0], uintptr(2*apart))
		},
		pair: func(n int, from, to []uint16) { pairRowsBF16(n, &from[0], &to[0]) },
		turn: func(n int, from, to []uint16, apart int) { turnTilesBF16(n, &from[0], &to[0], uintptr(2*apart)) },
	}, portable}
}

func multiplyTiles(groups, steps int, a []uint16, astep, agroup int, b []uint16, init, c []float32) {
	multiplyTilesBF16(groups, steps, &a[0], uintptr(2*astep), uintptr(2*agroup), &b[0], &init[0], &c[0])
}

// multiplyDots cuts the rows of a group into tiles that fit the registers.
func multiplyDots(groups, steps int, a []uint16, astep, agroup int, b []uint16, init, c []float32) {
	for g := range groups {
		a, c := a[g*agroup:], c[g*SquareSize:]
		multiplyDots11BF16(steps, &a[0], uintptr(2*astep), &b[0], &init[0], &c[0])
		multiplyDots11BF16(steps, &a[11*Square], uintptr(2*astep), &b[0], &init[0], &c[11*Panel])
		multiplyDots10BF16(steps, &a[22*Square], uintptr(2*astep), &b[0], &init[0], &c[22*Panel])
	}
}
