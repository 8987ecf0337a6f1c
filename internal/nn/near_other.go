//go:build !amd64

package nn

import "bgtrain/internal/cpu"

var nearKernelsOf map[cpu.Tier]*nearKernels
