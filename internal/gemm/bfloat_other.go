//go:build !amd64

package gemm

// bfloats returns nothing: there are no kernels of bfloat16 here.
func bfloats() []*Squares { return nil }
