package td

import (
	"fmt"
	"math"
)

// Settings say how TD training goes. The zero value is not usable; start from
// Defaults.
type Settings struct {
	Games  int    // self-play games to train for, those of earlier runs included
	Seed   uint64 // of the weights and of all dice
	Inputs string // input set of the contact and crashed nets: "gnubg" or "tesauro"; the race net's follows
	Hidden int    // hidden units of each net, when training starts from random weights

	Alpha      float64 // learning rate of the output layer at the beginning
	AlphaEnd   float64 // and at the end; it falls exponentially between
	HiddenRate float64 // learning rate of the hidden layer, as a multiple of the output layer's
	Lambda     float64 // λ of TD(λ): 0 learns from the next position only, 1 from the game's end only

	RoundGames int // games played with one set of weights

	Amplify int // positions a round that learn from a one-ply look-ahead; 0: none
	Replay  int // of the last so many positions they are drawn from

	Warmup int // first so many games are against the pip-count player; 0: none

	Workers int // goroutines, 0 one a processor; the result does not depend on it
}

// Defaults are the settings that made the nets that ship.
var Defaults = Settings{
	Games: 1_000_000, Seed: 1, Inputs: "gnubg", Hidden: 128,
	Alpha: 0.1, AlphaEnd: 0.01, HiddenRate: 1, Lambda: 0,
	RoundGames: 32, Replay: 100_000, Workers: 2,
}

// Check reports the first setting that makes no sense.
func (s *Settings) Check() error {
	switch {
	case s.Games <= 0:
		return fmt.Errorf("games %d: 0 or more expected", s.Games)
	case s.Hidden <= 0 || s.Hidden > 4096:
		return fmt.Errorf("hidden %d: 1 to 4096 expected", s.Hidden)
	case !(s.Alpha > 0) || !(s.AlphaEnd > 0) || s.Alpha > 10:
		return fmt.Errorf("learning rates %g to %g: 0 or more expected", s.Alpha, s.AlphaEnd)
	case !(s.HiddenRate > 0):
		return fmt.Errorf("hidden rate %g: 0 or more expected", s.HiddenRate)
	case !(s.Lambda >= 0 && s.Lambda <= 1):
		return fmt.Errorf("lambda %g: 0 to 1 expected", s.Lambda)
	case s.RoundGames <= 0:
		return fmt.Errorf("games a round %d: 0 or more expected", s.RoundGames)
	case s.Amplify < 0 || s.Amplify > 0 && s.Replay <= 0:
		return fmt.Errorf("amplify %d of %d positions: the buffer must hold some", s.Amplify, s.Replay)
	case s.Workers < 0:
		return fmt.Errorf("workers %d: 0 or more expected", s.Workers)
	}
	return nil
}

// alpha returns the output layer's learning rate after so many games.
func (s *Settings) alpha(games int) float64 {
	done := float64(games) / float64(s.Games)
	return s.Alpha * math.Pow(s.AlphaEnd/s.Alpha, done)
}
