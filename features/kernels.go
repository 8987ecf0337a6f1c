package features

import (
	"bgtrain/internal/bg"
	"bgtrain/internal/cpu"
)

// kernels tallies the shots of one tier, see shots.
type kernels struct {
	free     func(shots) tally // with nobody on the bar
	oneOnBar func(shots) tally // with one checker there
}

// goKernels is the portable tier.
var goKernels = kernels{
	free:     func(s shots) tally { return s.tallyFreeGo() },
	oneOnBar: func(s shots) tally { return s.tallyOneOnBarGo() },
}

// best is what this run uses.
var best = tiers.Best()

// level is the tier of this run, for writeRolls: what goes to a function of a table by
// its address would be allocated.
var level = cpu.Level()

// writeRollsGo writes, in portable Go, the inputs of both sides that count rolls.
func writeRollsGo(sides *[2]nextRoll, d *[2 * bcSide]float32) {
	for k := range sides {
		var t rollCounts
		sides[k].count(&t)
		t.write((*[2 * bg.Bar]float32)(d[k*bcSide:]))
	}
}
