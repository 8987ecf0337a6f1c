//go:build !amd64

package gemm

import "bgtrain/internal/cpu"

var tiers = cpu.Table[kernels]{cpu.Go: &goKernels}

// Peak returns 0: there is no loop here that shows what the processor can do at most.
func Peak() (flops float64) { return 0 }
