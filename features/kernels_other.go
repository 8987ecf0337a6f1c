//go:build !amd64

package features

import "bgtrain/internal/cpu"

var tiers = cpu.Table[kernels]{cpu.Go: &goKernels}

// writeRolls writes the inputs of both sides that count rolls.
func writeRolls(_ cpu.Tier, sides *[2]nextRoll, d *[2 * bcSide]float32) { writeRollsGo(sides, d) }
