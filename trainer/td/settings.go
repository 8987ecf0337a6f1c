package td

import (
	"fmt"
	"maps"
	"time"

	"bgtrain/internal/bearoff"
	"bgtrain/internal/cpu"
	"bgtrain/internal/identity"
	"bgtrain/internal/nn"
	"bgtrain/internal/parallel"
	"bgtrain/internal/setting"
)

// Settings are those of TD training; List has what each means. The zero value is
// not usable; start from Defaults.
type Settings struct {
	Games int // those of earlier runs included
	Seed  uint64

	Inputs     string // "": as the net to start from; for random weights see fromRandom
	Hidden     []int
	Activation string
	Init       float64
	Phases     int
	Outputs    int
	Symmetric  bool

	Alpha      Rates
	AlphaEnd   float64
	HiddenRate float64
	Lambda     float64

	RoundGames int
	MaxPlies   int
	Overlap    bool

	Estimator   Estimators // nil: plain TD
	Minibatches int
	Minibatch   int
	AdamRate    float64
	Replay      int

	Bearoff bearoff.Options // the sizes of the databases; for who opens them

	// These change no result.
	Workers         int
	CheckpointEvery time.Duration
}

// Defaults returns the settings of "bgtrain td". With --overlap=false they are
// those that made the embedded net td.
func Defaults() Settings {
	return Settings{
		Games: 2_000_000, Seed: 1, Hidden: []int{128}, Activation: "sigmoid", Phases: 3, Outputs: 5,
		Alpha: Rates{{0.2, smooth}}, AlphaEnd: 0.005, HiddenRate: 1,
		RoundGames: 32, MaxPlies: 1000, Overlap: true, Replay: 100_000,
		Minibatches: 500, Minibatch: 128, AdamRate: 0.001,
		CheckpointEvery: 30 * time.Second,
	}
}

// List has each setting: its flag, what it may be, what it does.
func (s *Settings) List() setting.List {
	const most = 1 << 30
	estimator := s.Estimator != nil
	return append(setting.List{
		{Name: "games", Short: "n", Key: "td.games", To: &s.Games, Range: setting.From(1, most),
			Help: "self-play games"},
		{Name: "inputs", Key: "td.inputs", To: &s.Inputs,
			Help: "input sets: gnubg (a set for each class) or one for all classes; a net of fewer inputs is moved " +
				"to them " +
				"(default as the net to start from, gnubg from random weights)"},
		{Name: "hidden", Key: "td.hidden", To: &s.Hidden, Range: setting.From(1, 1<<14),
			Help: "hidden units of a net from random weights, of several layers with commas"},
		{Name: "activation", Key: "td.activation", To: &s.Activation, Known: nn.TrainedActivations,
			Help: "of the hidden units of a net from random weights"},
		{Name: "init", Key: "td.init", To: &s.Init, Range: setting.From(0, 100),
			Help: "random weights, those of new inputs too, are within ± this; 0: by the number of inputs, and 0 " +
				"for new inputs"},
		{Name: "phases", Key: "td.phases", To: &s.Phases, Range: setting.From(1, 3),
			Help: "nets to learn: 3 contact, crashed and race; 2 one for contact and crashed; 1 one for all positions"},
		{Name: "outputs", Key: "td.outputs", To: &s.Outputs, Range: setting.From(1, 5),
			Help: "outputs to learn: 5; 3 without backgammons; 1 the win only; the others stay near 0"},
		{Name: "symmetric", Key: "td.symmetric_weights", To: &s.Symmetric,
			Help: "weights with which the chances to win of a position and of the same one seen by the other side " +
				"sum to 1, whoever rolls, with --outputs 1; random ones are on the inputs tesauro"},
		{Name: "alpha", Key: "td.alpha", To: &s.Alpha, Unused: estimator,
			Help: "learning rate of the output layer: at the beginning, or in steps such as 0.1@0,0.02@200000"},
		{Name: "alpha-end", Key: "td.alpha_end", To: &s.AlphaEnd, Unused: estimator || s.Alpha.Steps(),
			Range: setting.From(1e-9, 10),
			Help:  "learning rate at the end, exponential between; steps do without"},
		{Name: "hidden-rate", Key: "td.hidden_rate", To: &s.HiddenRate, Unused: estimator, Range: setting.From(1e-9, 1e6),
			Help: "the hidden layers' learning rate, as a multiple of the output layer's"},
		{Name: "lambda", Key: "td.lambda", To: &s.Lambda, Unused: estimator, Range: setting.From(0, 1),
			Help: "λ of TD(λ): 0 learns from the next position only, 1 from the game's end only"},
		{Name: "round", Key: "td.round_games", To: &s.RoundGames, Range: setting.From(1, 1<<20),
			Help: "games played with one set of weights"},
		{Name: "max-plies", Key: "td.max_plies", To: &s.MaxPlies, Unused: estimator || s.MaxPlies == Defaults().MaxPlies,
			Range: setting.From(1, most),
			Help:  "plies after which a game ends with the net's own value: those of random weights go on and on"},
		{Name: "overlap", Key: "td.overlap", To: &s.Overlap, Unused: estimator,
			Help: "learn from a round while the next is played, with the weights before; uses all processors"},
		{Name: "estimator", Key: "td.estimator", To: &s.Estimator,
			Help: "learn from all positions that this values to play the games: net:PLY, pipcount:PLY, or one " +
				"after the " +
				"other, as pipcount:1@0,net:1@500; by Adam on minibatches, one net for all positions (default " +
				"plain TD)"},
		{Name: "minibatches", Key: "td.minibatches", To: &s.Minibatches, Unused: !estimator, Range: setting.From(1, 1<<20),
			Help: "minibatches after each round, with --estimator"},
		{Name: "minibatch", Key: "td.minibatch", To: &s.Minibatch, Unused: !estimator, Range: setting.From(1, 1<<16),
			Help: "positions of one"},
		{Name: "adam-rate", Key: "td.adam_rate", To: &s.AdamRate, Unused: !estimator, Range: setting.From(1e-9, 10),
			Help: "Adam's learning rate, with --estimator"},
		{Name: "replay", Key: "td.replay", To: &s.Replay, Unused: !estimator, Range: setting.From(1, most),
			Help: "of the last so many positions minibatches are drawn"},
		{Name: "seed", Key: "td.seed", To: &s.Seed, Help: "seed of weights and dice"},
		parallel.Setting(&s.Workers),
		{Name: "checkpoint-every", To: &s.CheckpointEvery, Help: "time between checkpoints"},
	}, s.databases()...)
}

// databases has the settings of the bearoff databases; the usual sizes are not in the identity.
func (s *Settings) databases() setting.List {
	o := &s.Bearoff
	l := bearoff.SettingsOrNone(&o.OneSidedPoints, &o.TwoSidedCheckers)
	l[0].Key, l[0].Unused = "td.one_sided", o.Text() == ""
	l[1].Key = "td.two_sided"
	l[1].Unused = o.TwoSidedCheckers == 0 || o.TwoSidedCheckers == bearoff.DefaultTwoSided
	return l
}

// Check reports the first setting that makes no sense.
func (s *Settings) Check() error {
	if err := s.List().Check(); err != nil {
		return err
	}
	if err := s.Bearoff.Check(); err != nil {
		return err
	}
	if err := s.Alpha.check(); err != nil {
		return fmt.Errorf("alpha %v: %w", s.Alpha, err)
	}
	switch {
	case s.Alpha.Steps() && s.AlphaEnd != Defaults().AlphaEnd:
		return fmt.Errorf("alpha-end %g beside steps of alpha: the last step is the end", s.AlphaEnd)
	case s.Estimator != nil && s.Phases != 1:
		return fmt.Errorf("estimator %v: one net for all positions expected, phases 1", s.Estimator)
	case s.Estimator != nil && s.Alpha.Steps():
		return fmt.Errorf("estimator %v: steps of alpha are for plain TD", s.Estimator)
	case s.Symmetric && s.Outputs != 1:
		return fmt.Errorf("symmetric weights: the win only expected, outputs 1")
	case len(s.Hidden) == 0:
		return fmt.Errorf("hidden: no units")
	case s.Outputs != 1 && s.Outputs != 3 && s.Outputs != 5:
		return fmt.Errorf("outputs %d: 1, 3 or 5 expected", s.Outputs)
	}
	return nil
}

// Identity returns what the result of a training depends on, for the identity of the
// run and the provenance of its net. from is the fingerprint of the net that it begins
// with, "" for random weights.
func (s *Settings) Identity(from string) identity.ID {
	id := identity.ID(s.List().Values())
	id["training"], id["td.from"] = "td", from
	id[cpu.RoundingName] = cpu.Rounding()
	if from == "" {
		id["td.inputs"] = s.fromRandom()
	}
	if from != "" {
		delete(id, "td.hidden")
		delete(id, "td.activation")
	}
	maps.DeleteFunc(id, func(_, v string) bool { return v == "" })
	return id
}

// fromRandom is the inputs of random weights.
func (s *Settings) fromRandom() string {
	switch {
	case s.Inputs != "":
		return s.Inputs
	case s.Symmetric:
		return "tesauro"
	}
	return "gnubg"
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
