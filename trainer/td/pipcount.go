package td

import "bgtrain/internal/bg"

// pipCountChoice returns the play with the best ratio of pip counts, which is
// what a beginner of a few minutes would choose: run, and hit what costs most.
// results are the positions after the plays, the opponent on roll.
func pipCountChoice(results []bg.Board) int {
	best, bestShare := 0, -1.0
	for i := range results {
		mine, theirs := results[i].Opp.Pips(), results[i].Me.Pips()
		if share := float64(theirs) / float64(mine+theirs); share > bestShare {
			best, bestShare = i, share
		}
	}
	return best
}
