//go:build !amd64

package gemm

// BFloat returns nil: there are no kernels of bfloat16 here.
func BFloat() *Squares { return nil }

// bfloats returns nothing: there are no kernels of bfloat16 here.
func bfloats() []*Squares { return nil }
