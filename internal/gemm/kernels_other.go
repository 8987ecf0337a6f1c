//go:build !amd64

package gemm

import "bgtrain/internal/cpu"

var tiers = cpu.Table[kernels]{cpu.Go: &goKernels}
