//go:build !amd64

package gemm

// bfloat returns nil: there are no kernels of bfloat16 here.
func bfloat() *Squares { return nil }
