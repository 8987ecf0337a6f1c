package td

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Rate is a learning rate from a game on.
type Rate struct {
	Rate float64
	From int // games played before it holds; smooth for the only one of Rates without steps
}

// smooth is From of a rate that changes from game to game.
const smooth = -1

// Rates are steps of a learning rate, in the order of From, or a single one to begin
// with. As text they are "0.1@0,0.02@200000" or "0.2".
type Rates []Rate

// Steps reports whether each rate holds until the next; else the only one changes
// towards Settings.AlphaEnd.
func (r Rates) Steps() bool { return len(r) > 0 && r[0].From != smooth }

// String returns the text that Set reads.
func (r Rates) String() string {
	words := make([]string, len(r))
	for i, step := range r {
		words[i] = strconv.FormatFloat(step.Rate, 'g', -1, 64)
		if step.From != smooth {
			words[i] += "@" + strconv.Itoa(step.From)
		}
	}
	return strings.Join(words, ",")
}

// Set reads rates. A first one without a step begins at game 0 where others follow.
func (r *Rates) Set(text string) error {
	var rates Rates
	for part := range strings.SplitSeq(text, ",") {
		number, from, step := strings.Cut(part, "@")
		next := Rate{From: smooth}
		var err error
		if next.Rate, err = strconv.ParseFloat(number, 64); err != nil {
			return fmt.Errorf("rate %q: a number above 0, up to 10, expected", number)
		}
		if step {
			if next.From, err = strconv.Atoi(from); err != nil || next.From < 0 {
				return fmt.Errorf("step %q: RATE@GAMES expected", part)
			}
		}
		rates = append(rates, next)
	}
	if len(rates) > 1 {
		rates[0].From = max(rates[0].From, 0)
	}
	if err := rates.check(); err != nil {
		return err
	}
	*r = rates
	return nil
}

// check reports the first rate that makes no sense.
func (r Rates) check() error {
	if len(r) == 0 {
		return fmt.Errorf("no rate")
	}
	for i, step := range r {
		switch {
		case !(step.Rate > 0 && step.Rate <= 10):
			return fmt.Errorf("rate %g: a number above 0, up to 10, expected", step.Rate)
		case i == 0 && step.From > 0:
			return fmt.Errorf("the first step begins at game %d, not at 0", step.From)
		case i > 0 && step.From <= r[i-1].From:
			return fmt.Errorf("step %g@%d: after %d games or more expected", step.Rate, step.From, r[i-1].From+1)
		}
	}
	return nil
}

// alpha returns the output layer's learning rate after so many games: that of the
// last step begun, or, without steps, exponentially from Alpha to AlphaEnd.
func (s *Settings) alpha(games int) float64 {
	rate := s.Alpha[0].Rate
	if !s.Alpha.Steps() {
		return rate * math.Pow(s.AlphaEnd/rate, float64(games)/float64(s.Games))
	}
	for _, r := range s.Alpha {
		if games >= r.From {
			rate = r.Rate
		}
	}
	return rate
}
