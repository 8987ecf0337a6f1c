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
	From int // games played before it holds
}

// ParseRates reads a learning rate, as "0.2", or steps of it, as
// "0.1@0,0.02@200000": each rate holds from so many games on.
func ParseRates(text string) ([]Rate, error) {
	var rates []Rate
	for i, part := range strings.Split(text, ",") {
		number, from, step := strings.Cut(part, "@")
		r := Rate{}
		var err error
		if r.Rate, err = strconv.ParseFloat(number, 64); err != nil || !(r.Rate > 0 && r.Rate <= 10) {
			return nil, fmt.Errorf("rate %q: a number above 0, up to 10, expected", number)
		}
		if step {
			if r.From, err = strconv.Atoi(from); err != nil {
				return nil, fmt.Errorf("step %q: RATE@GAMES expected", part)
			}
		}
		switch {
		case i == 0 && r.From != 0:
			return nil, fmt.Errorf("the first step begins at game %d, not at 0", r.From)
		case i > 0 && r.From <= rates[i-1].From:
			return nil, fmt.Errorf("step %q: after %d games or more expected", part, rates[i-1].From+1)
		}
		rates = append(rates, r)
	}
	return rates, nil
}

// alpha returns the output layer's learning rate after so many games: that of the
// last step begun, or, without steps, exponentially from Alpha to AlphaEnd.
func (s *Settings) alpha(games int) float64 {
	rates, err := ParseRates(s.Alpha)
	if err != nil {
		panic(err) // Check lets none pass
	}
	if !strings.Contains(s.Alpha, "@") {
		done := float64(games) / float64(s.Games)
		return rates[0].Rate * math.Pow(s.AlphaEnd/rates[0].Rate, done)
	}
	rate := rates[0].Rate
	for _, r := range rates {
		if games >= r.From {
			rate = r.Rate
		}
	}
	return rate
}
