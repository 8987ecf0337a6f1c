package gemm

import "unsafe"

// Panel is the number of columns of a panel.
const Panel = 32

// Panels is the number of panels of a matrix of n columns.
func Panels(n int) int { return (n + Panel - 1) / Panel }

// Alloc returns n zeros that begin on a cache line, as the kernels like it.
func Alloc(n int) []float32 {
	const line = 64
	s := make([]float32, n+line/4)
	shift := int(-uintptr(unsafe.Pointer(&s[0]))%line) / 4
	return s[shift : shift+n : shift+n]
}

// Pack stores the k×n matrix b, element (i, j) at b[i*rs+j*cs], in panels:
// dst[:Panels(n)*k*Panel]. Padding columns become zero.
func Pack(dst, b []float32, k, n, rs, cs int) {
	for p := 0; p < Panels(n); p++ {
		for i := 0; i < k; i++ {
			row := dst[(p*k+i)*Panel:][:Panel]
			for j := range row {
				if col := p*Panel + j; col < n {
					row[j] = b[i*rs+col*cs]
				} else {
					row[j] = 0
				}
			}
		}
	}
}

// Unpack is the inverse of Pack; padding columns are dropped.
func Unpack(b, src []float32, k, n, rs, cs int) {
	for j := 0; j < n; j++ {
		for i := 0; i < k; i++ {
			b[i*rs+j*cs] = src[(j/Panel*k+i)*Panel+j%Panel]
		}
	}
}
