package td

import (
	"fmt"
	"maps"
	"time"

	"bgtrain/internal/cpu"
	"bgtrain/internal/nn"
	"bgtrain/internal/setting"
)

// Settings say how TD training goes; List says what each means. The zero value is
// not usable; start from Defaults.
type Settings struct {
	Games int // those of earlier runs included
	Seed  uint64

	Inputs     string // "": as the net to start from; "gnubg" for random weights
	Hidden     []int
	Activation string
	Init       float64
	Phases     int
	Outputs    int
	Symmetric  bool

	Alpha      string // see ParseRates
	AlphaEnd   float64
	HiddenRate float64
	Lambda     float64

	RoundGames int
	Overlap    bool

	Amplify int
	Replay  int

	Estimator   string // "": plain TD; see ParseEstimators
	Minibatches int
	Minibatch   int
	AdamRate    float64

	Opponent   string
	FirstGames int

	// These change no result.
	Workers         int
	CheckpointEvery time.Duration
}

// Defaults returns the settings of "bgtrain td". With --overlap=false they are
// those that made the embedded net td.
func Defaults() Settings {
	return Settings{
		Games: 2_000_000, Seed: 1, Hidden: []int{128}, Activation: "sigmoid", Phases: 3, Outputs: 5,
		Alpha: "0.2", AlphaEnd: 0.005, HiddenRate: 1,
		RoundGames: 32, Overlap: true, Replay: 100_000, Opponent: "self", FirstGames: 10_000,
		Minibatches: 500, Minibatch: 128, AdamRate: 0.001,
		CheckpointEvery: 30 * time.Second,
	}
}

// List says each setting: its flag, what it may be, what it does.
func (s *Settings) List() setting.List {
	const most = 1 << 30
	return setting.List{
		{Name: "games", Short: "n", Key: "td.games", To: &s.Games, Range: setting.From(1, most),
			Help: "self-play games"},
		{Name: "inputs", Key: "td.inputs", To: &s.Inputs,
			Help: "input sets: gnubg (a set for each class) or one for all classes; a net of fewer inputs is moved " +
				"to them " +
				"(default as the net to start from, gnubg from random weights)"},
		{Name: "hidden", Key: "td.hidden", To: &s.Hidden, Range: setting.From(1, 4096),
			Help: "hidden units of a net from random weights, of several layers with commas"},
		{Name: "activation", Key: "td.activation", To: &s.Activation, Known: []string{"sigmoid", "relu", "tanh"},
			Help: "of the hidden units of a net from random weights"},
		{Name: "init", Key: "td.init", To: &s.Init, Range: setting.From(0, 100),
			Help: "random weights, those of new inputs too, are within ± this; 0: by the number of inputs, and 0 " +
				"for new inputs"},
		{Name: "phases", Key: "td.phases", To: &s.Phases, Range: setting.From(1, 3),
			Help: "nets to learn: 3 contact, crashed and race; 2 one for contact and crashed; 1 one for all positions"},
		{Name: "outputs", Key: "td.outputs", To: &s.Outputs, Range: setting.From(1, 5),
			Help: "outputs to learn: 5; 3 without backgammons; 1 the win only; the others stay near 0"},
		{Name: "symmetric", Key: "td.symmetric", To: &s.Symmetric,
			Help: "the weights of the opponent's inputs are those of the player's with the other sign"},
		{Name: "alpha", Key: "td.alpha", To: &s.Alpha,
			Help: "learning rate of the output layer: at the beginning, or in steps such as 0.1@0,0.02@200000"},
		{Name: "alpha-end", Key: "td.alpha_end", To: &s.AlphaEnd, Range: setting.From(1e-9, 10),
			Help: "learning rate at the end, exponential between; steps do without"},
		{Name: "hidden-rate", Key: "td.hidden_rate", To: &s.HiddenRate, Range: setting.From(1e-9, 1e6),
			Help: "the hidden layers' learning rate, as a multiple of the output layer's"},
		{Name: "lambda", Key: "td.lambda", To: &s.Lambda, Range: setting.From(0, 1),
			Help: "λ of TD(λ): 0 learns from the next position only, 1 from the game's end only"},
		{Name: "round", Key: "td.round_games", To: &s.RoundGames, Range: setting.From(1, 1<<20),
			Help: "games played with one set of weights"},
		{Name: "overlap", Key: "td.overlap", To: &s.Overlap,
			Help: "learn from a round while the next is played, with the weights before; uses all processors"},
		{Name: "amplify", Key: "td.amplify", To: &s.Amplify, Range: setting.From(0, 1<<20),
			Help: "positions a round that learn from a 1-ply look-ahead; 0 for none"},
		{Name: "replay", Key: "td.replay", To: &s.Replay, Range: setting.From(1, most),
			Help: "of the last so many positions they, and minibatches, are drawn from"},
		{Name: "estimator", Key: "td.estimator", To: &s.Estimator,
			Help: "learn from all positions that this values to play the games: net:PLY, pipcount:PLY, or one " +
				"after the " +
				"other, as pipcount:1@0,net:1@500; by Adam on minibatches, one net for all positions (default " +
				"plain TD)"},
		{Name: "minibatches", Key: "td.minibatches", To: &s.Minibatches, Range: setting.From(1, 1<<20),
			Help: "minibatches after each round, with --estimator"},
		{Name: "minibatch", Key: "td.minibatch", To: &s.Minibatch, Range: setting.From(1, 1<<16),
			Help: "positions of one"},
		{Name: "adam-rate", Key: "td.adam_rate", To: &s.AdamRate, Range: setting.From(1e-9, 10),
			Help: "Adam's learning rate, with --estimator"},
		{Name: "opponent", Key: "td.opponent", To: &s.Opponent, Known: []string{"self", "pipcount"},
			Help: "opponent of the first games"},
		{Name: "first-games", Key: "td.first_games", To: &s.FirstGames, Range: setting.From(0, most),
			Help: "how many games --opponent pipcount plays"},
		{Name: "seed", Key: "td.seed", To: &s.Seed, Help: "seed of weights and dice"},
		{Name: "workers", To: &s.Workers, Range: setting.Below(0, 1<<12),
			Help: "goroutines, 0 for one a processor; the result does not depend on it"},
		{Name: "checkpoint-every", To: &s.CheckpointEvery, Help: "time between checkpoints"},
	}
}

// Check reports the first setting that makes no sense.
func (s *Settings) Check() error {
	if err := s.List().Check(); err != nil {
		return err
	}
	if s.Estimator != "" {
		if _, err := ParseEstimators(s.Estimator); err != nil {
			return fmt.Errorf("estimator %w", err)
		}
	}
	rates, err := ParseRates(s.Alpha)
	switch {
	case err != nil:
		return fmt.Errorf("alpha %s: %w", s.Alpha, err)
	case len(rates) > 1 && s.AlphaEnd != Defaults().AlphaEnd:
		return fmt.Errorf("alpha-end %g beside steps of alpha: the last step is the end", s.AlphaEnd)
	case s.Estimator != "" && s.Phases != 1:
		return fmt.Errorf("estimator %s: one net for all positions expected, phases 1", s.Estimator)
	case s.Estimator != "" && (s.Symmetric || s.Amplify > 0 || s.Opponent != "self" || len(rates) > 1):
		return fmt.Errorf("estimator %s: symmetric, amplify, opponent and steps of alpha are for plain TD", s.Estimator)
	case len(s.Hidden) == 0:
		return fmt.Errorf("hidden: no units")
	case s.Outputs != 1 && s.Outputs != 3 && s.Outputs != 5:
		return fmt.Errorf("outputs %d: 1, 3 or 5 expected", s.Outputs)
	}
	return nil
}

// Describe returns the settings that results depend on, by name, as provenance of
// a net file and identity of a run.
func (s *Settings) Describe() map[string]string {
	p := s.List().Values()
	p["training"] = "td"
	p[cpu.RoundingName] = cpu.Rounding()
	if s.Opponent == "self" {
		delete(p, "td.first_games")
	}
	unused := []string{"td.alpha", "td.alpha_end", "td.hidden_rate", "td.lambda", "td.overlap"}
	if s.Estimator == "" {
		unused = []string{"td.minibatches", "td.minibatch", "td.adam_rate"}
	}
	for _, k := range unused {
		delete(p, k)
	}
	maps.DeleteFunc(p, func(_, v string) bool { return v == "" })
	return p
}

// warmup is the number of first games against the pip-count player.
func (s *Settings) warmup() int {
	if s.Opponent == "pipcount" {
		return s.FirstGames
	}
	return 0
}

// outputs are the outputs that learn, by their index.
func (s *Settings) outputs() []int {
	switch s.Outputs {
	case 1:
		return []int{0}
	case 3:
		return []int{0, 1, 3}
	}
	return []int{0, 1, 2, 3, 4}
}

func (s *Settings) activation() nn.Activation {
	a, _ := nn.ParseActivation(s.Activation) // checked
	return a
}
