package score

import (
	"bgtrain/internal/bg"
	"bgtrain/internal/stats"
)

// Choices tells how a player would choose among positions that plays of the same roll lead
// to: neighbors in a database that are bg.Siblings. Plays that are not there are not missed.
type Choices struct {
	Decisions int         `json:"decisions"`
	ER        stats.Stat  `json:"er"`    // as in Summary
	Wrong     int         `json:"wrong"` // decisions that lost something
	Equity    EquityError `json:"equity_error"`
}

// chooser adds up Choices, given the positions in their order.
type chooser struct {
	first         bg.Board
	truth, errors []float64 // equities of the player who made the play, and how far from them the player's are

	losses stats.Tally
	wrong  int
	all    EquityErrors
}

func (c *chooser) add(s *Sample, predicted *bg.Outputs) {
	if len(c.truth) > 0 && !bg.Siblings(&c.first, &s.Board) {
		c.end()
	}
	if len(c.truth) == 0 {
		c.first = s.Board
	}
	truth := -float64(s.Outputs.Equity())
	c.truth = append(c.truth, truth)
	c.errors = append(c.errors, -float64(predicted.Equity())-truth)
}

// end ends a decision.
func (c *chooser) end() {
	best, chosen := 0, 0
	for i, t := range c.truth {
		if t > c.truth[best] {
			best = i
		}
		if t+c.errors[i] > c.truth[chosen]+c.errors[chosen] {
			chosen = i
		}
	}
	if len(c.truth) > 1 {
		loss := c.truth[best] - c.truth[chosen]
		c.losses.Add(loss)
		if loss > 0 {
			c.wrong++
		}
		c.all.decisions = append(c.all.decisions, sumErrors(c.errors))
	}
	c.truth, c.errors = c.truth[:0], c.errors[:0]
}

// choices is nil where there was nothing to choose.
func (c *chooser) choices() *Choices {
	c.end()
	if c.losses.N == 0 {
		return nil
	}
	return &Choices{Decisions: c.losses.N, ER: c.losses.Stat().Scaled(1000), Wrong: c.wrong, Equity: c.all.Summary()}
}
