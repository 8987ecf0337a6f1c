package cubestudy

import (
	"context"

	"bgtrain/internal/cube"
	"bgtrain/internal/parallel"
	"bgtrain/internal/setting"
)

// Defaults are the settings of the command.
var Defaults = Settings{Games: 100_000, Part: PartGames, Seed: 1}

// List returns each setting: its flag, what it may be, what it does.
func (s *Settings) List() setting.List {
	return setting.List{
		{Name: "games", Short: "n", To: &s.Games, Range: setting.From(1, 1e9),
			Help: "number of games: a multiple of --part, or fewer"},
		{Name: "part", To: &s.Part, Range: setting.From(1, PartGames),
			Help: "games in a part file, which is what an interruption can lose"},
		{Name: "seed", To: &s.Seed, Help: "seed of the dice"},
		{Name: "volatility", To: &s.Volatility,
			Help: "also measure the volatility of positions, for jump=local: some ten times slower"},
		{Name: "positions", To: &s.Positions, Help: "also keep the positions, for cube models that look at them"},
		{Name: "rolls", To: &s.Rolls, Help: "also keep the positions and what the best plays of all rolls lead to, for " +
			"'cube train': some four times slower"},
		parallel.Setting(&s.Workers),
	}
}

// Study states which models are compared.
type Study struct {
	Models  []cube.Model
	Against cube.Model
	Workers int // goroutines, 0: one a processor; the result does not depend on it
}

// List returns each setting: its flag, what it may be, what it does.
func (s *Study) List() setting.List {
	return setting.List{
		{Name: "a", To: cube.ModelsValue(&s.Models), Help: "the models, with commas between"},
		{Name: "against", To: cube.ModelValue(&s.Against), Help: "the other model"},
		parallel.Setting(&s.Workers),
	}
}

// Fits reports whether a parabola may be fitted to the models.
func (s *Study) Fits() bool {
	_, _, ok := numbers(s.Models)
	return ok
}

// Run compares the models on the games of part files, and fits a parabola where it can.
func (s *Study) Run(ctx context.Context, parts []string, h Hooks) (*Studied, error) {
	results, err := Compare(ctx, parts, s.Models, s.Against, s.Workers, h)
	if err != nil {
		return nil, err
	}
	return &Studied{results, Fit(s.Models, results)}, nil
}
