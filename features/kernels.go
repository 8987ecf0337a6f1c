package features

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
