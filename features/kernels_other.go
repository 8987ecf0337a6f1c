//go:build !amd64

package features

// tallyFree tallies shots with nobody on the bar.
func (s *shots) tallyFree() tally { return s.tallyFreeGo() }

// tallyOneOnBar tallies shots with one checker on the bar.
func (s *shots) tallyOneOnBar() tally { return s.tallyOneOnBarGo() }
