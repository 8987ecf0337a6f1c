//go:build !amd64

package features

import "bgtrain/internal/cpu"

var tiers = cpu.Table[kernels]{cpu.Go: &goKernels}
