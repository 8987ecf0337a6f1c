//go:build !amd64

package nn

import "bgtrain/internal/cpu"

var kernelsOf map[cpu.Tier]*kernels
