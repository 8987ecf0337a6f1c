package score

import (
	"slices"

	"bgtrain/internal/bg"
	"bgtrain/internal/stats"
)

// Choices tells how a player would choose among positions that plays of the same roll lead
// to: neighbors in a database that are bg.Siblings. Plays that are not there are not missed.
type Choices struct {
	ER     stats.Stat  `json:"er"`    // as in Summary
	Wrong  int         `json:"wrong"` // decisions that lost something
	Equity EquityError `json:"equity_error"`
}

// chooser adds up Choices, given the positions in their order.
type chooser struct {
	first       bg.Board
	truth, mine []float64 // equities of the player who made the play, the database's and the judged player's

	score  Score
	errors EquityErrors
}

func (c *chooser) add(s *Sample, predicted *bg.Outputs) {
	if len(c.truth) > 0 && !bg.Siblings(&c.first, &s.Board) {
		c.end()
	}
	if len(c.truth) == 0 {
		c.first = s.Board
	}
	c.truth = append(c.truth, -float64(s.Outputs.Equity()))
	c.mine = append(c.mine, -float64(predicted.Equity()))
}

// end ends a decision.
func (c *chooser) end() {
	if len(c.truth) > 1 {
		loss := slices.Max(c.truth) - c.truth[slices.Index(c.mine, slices.Max(c.mine))]
		c.score.Decisions = append(c.score.Decisions, Decision{Loss: loss})
		for i := range c.mine {
			c.mine[i] -= c.truth[i]
		}
		c.errors.decisions = append(c.errors.decisions, sumErrors(c.mine))
	}
	c.truth, c.mine = c.truth[:0], c.mine[:0]
}

// choices is nil where there was nothing to choose.
func (c *chooser) choices() *Choices {
	c.end()
	sum := c.score.Summary()
	if sum.Decisions == 0 {
		return nil
	}
	return &Choices{sum.ER, sum.Wrong, c.errors.Summary()}
}
