package cubelife

import (
	"bgtrain/internal/cube/life"
	"bgtrain/internal/parallel"
	"bgtrain/internal/setting"
)

// Settings state how nets are trained.
type Settings struct {
	Hidden int     // units of each net
	Rounds int     // times that the games are labeled by the nets so far, and trained on
	Epochs int     // passes over the labels in a round
	Lambda float64 // share that what happened later in a game has in a label; 0: the next roll alone
	// Matches is the share of positions that are labeled at a score of a match too, drawn by
	// chance.
	Matches float64
	Pairs   int     // pairs of positions of the exact bearoff database in an epoch
	Rate    float64 // learning rate at the beginning; it falls to nothing along a cosine
	Seed    uint64
	Spread  bool // the nets also see the spread over the next roll, where it is measured

	Workers int // goroutines that label, 0 one a processor; the result does not depend on it
}

// Defaults are the settings of the command.
var Defaults = Settings{Hidden: 32, Rounds: 6, Epochs: 2, Matches: 0.5, Pairs: 200_000, Rate: 0.003, Seed: 1}

// List returns each setting: its flag, what it may be, what it does.
func (s *Settings) List() setting.List {
	return setting.List{
		{Name: "hidden", To: &s.Hidden, Range: setting.From(1, life.MaxHidden), Help: "hidden units of each net"},
		{Name: "rounds", To: &s.Rounds, Range: setting.From(1, 1000),
			Help: "times that the games are labeled by the nets so far, and trained on"},
		{Name: "epochs", To: &s.Epochs, Range: setting.From(1, 1000), Help: "passes over the labels in a round"},
		{Name: "lambda", To: &s.Lambda, Range: setting.From(0, 1),
			Help: "share that what came later in a game has in a label; 0: the next roll alone"},
		{Name: "matches", To: &s.Matches, Range: setting.From(0, 1),
			Help: "share of positions that are labeled at a score of a match too, drawn by chance"},
		{Name: "pairs", To: &s.Pairs, Range: setting.From(0, 1e8),
			Help: "positions of the exact two-sided bearoff database in an epoch"},
		{Name: "rate", To: &s.Rate, Range: setting.Above(0, 1), Help: "learning rate at the beginning; it falls to nothing"},
		{Name: "seed", To: &s.Seed, Help: "seed of the weights and of the order"},
		{Name: "spread", To: &s.Spread, Help: "let the nets see the mean change of the chance to win by the next roll, " +
			"which decisions then have to measure"},
		parallel.Setting(&s.Workers),
	}
}
