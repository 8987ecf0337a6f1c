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
