//go:build !amd64

package nn

import "bgtrain/internal/cpu"

var tiers = cpu.Table[kernels]{cpu.Go: &goKernels}
