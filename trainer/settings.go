package trainer

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bgtrain/dataset"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
	"bgtrain/internal/setting"
	"bgtrain/trainer/fit"
)

// Settings describe how a player is trained; List describes what each means.
type Settings struct {
	fit.Settings // of the training of each net

	Nets       []string // roles; the other nets stay as they are
	Random     bool
	Inputs     string // "": as the net to start from, gnubg for random weights
	Hidden     []int  // units of each hidden layer; nil: as the net to start from
	Activation string
	Revive     bool // start idle units anew

	Mix          []string // NET:CLASS=WEIGHT
	WeightSE     float64
	WeightTrials float64
}

// Defaults returns the settings of "bgtrain train".
func Defaults() Settings {
	return Settings{Settings: fit.Defaults(), Nets: []string{"contact", "crashed", "race"}, Activation: "sigmoid"}
}

// List returns each setting: its flag, what it may be, what it does.
func (s *Settings) List() setting.List {
	return append(setting.List{
		{Name: "nets", To: &s.Nets,
			Help: "nets to train; the others stay as they are. Also prune.contact, prune.crashed, prune.race"},
		{Name: "random", To: &s.Random,
			Help: "start the nets to train from random weights, as --from random; the others stay those of --from"},
		{Name: "inputs", To: &s.Inputs,
			Help: "gnubg (a set for each class) or an input set, such as tesauro; a net of fewer inputs is moved " +
				"to them without " +
				"a change of its function (default as the net to start from, gnubg from random weights)"},
		{Name: "hidden", To: &s.Hidden, Range: setting.From(1, 1<<14),
			Help: "hidden units, of several layers with commas; a smaller net of as many is widened without a change " +
				"of its function (default as the net to start from, 128 from random weights)"},
		{Name: "activation", To: &s.Activation, Known: nn.TrainedActivations,
			Help: "of the hidden units of nets from random weights"},
		{Name: "revive", To: &s.Revive,
			Help: "start rectified hidden units anew that are 0 on 20,000 of the positions to train on, without a change " +
				"of the net's function there: such units learn nothing"},
		{Name: "mix", To: &s.Mix, Help: "NET:CLASS=WEIGHT: let a net also train on another class, as " +
			"contact:crashed=0.25"},
		{Name: "weight-se", To: &s.WeightSE, Range: setting.From(0, 1e6),
			Help: "standard error at which a position counts half, in points; 0: all count alike"},
		{Name: "weight-trials", To: &s.WeightTrials, Range: setting.From(0, 1e9),
			Help: "rollout trials at which a position counts half; 0: all count alike"},
	}, s.Settings.List()...)
}

// TrimSettings describe how hidden units are left out, see Trim.
type TrimSettings struct {
	Rows   int
	Hidden []int
}

// List returns each setting.
func (s *TrimSettings) List() setting.List {
	return setting.List{
		{Name: "rows", To: &s.Rows, Range: setting.From(1, 1e9),
			Help: "positions of its class, spread over the databases, on which a unit is looked at"},
		{Name: "hidden", To: &s.Hidden, Range: setting.From(1, 1<<14), Help: "units of each hidden layer that may be " +
			"left: those that give the next layer least go too, and the outputs change"},
	}
}

// Check reports the first setting that makes no sense.
func (s *Settings) Check() error {
	if _, err := s.weightings(); err != nil {
		return err
	}
	if err := s.List().Check(); err != nil {
		return err
	}
	if err := s.Settings.Check(); err != nil {
		return err
	}
	if s.Random {
		return s.mayBeRandom()
	}
	return nil
}

// mayBeRandom reports settings that make no sense for a net of random weights.
func (s *Settings) mayBeRandom() error {
	if s.Keep > 0 {
		return fmt.Errorf("keep %v: of random weights nothing is kept", s.Keep)
	}
	return nil
}

// weightings returns what each of the nets to train learns from: its own class,
// and what Mix adds or changes.
func (s *Settings) weightings() (map[nets.Role]Weighting, error) {
	out := map[nets.Role]Weighting{}
	for _, name := range s.Nets {
		role := nets.Role(name)
		if !slices.Contains(nets.Roles, role) {
			return nil, fmt.Errorf("nets %s: unknown net (known: %v)", name, nets.Roles)
		}
		w := Weighting{SE: float32(s.WeightSE), Trials: float32(s.WeightTrials)}
		w.Classes[role.Class()] = 1
		out[role] = w
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("nets: no net to train")
	}
	for _, m := range s.Mix {
		name, rest, ok1 := strings.Cut(m, ":")
		class, number, ok2 := strings.Cut(rest, "=")
		weight, err := strconv.ParseFloat(number, 32)
		if !ok1 || !ok2 || err != nil || !(weight >= 0) {
			return nil, fmt.Errorf("mix %s: NET:CLASS=WEIGHT expected", m)
		}
		w, ok := out[nets.Role(name)]
		if !ok {
			return nil, fmt.Errorf("mix %s: net %q is not trained (nets %s)", m, name, strings.Join(s.Nets, ","))
		}
		c, err := dataset.ParseClass(class)
		if err != nil {
			return nil, fmt.Errorf("mix %s: %w", m, err)
		}
		w.Classes[c] = float32(weight)
		out[nets.Role(name)] = w
	}
	return out, nil
}

// roles are the nets to train, in the order of net files.
func (s *Settings) roles() []nets.Role {
	var rs []nets.Role
	for _, r := range nets.Roles {
		if slices.Contains(s.Nets, string(r)) {
			rs = append(rs, r)
		}
	}
	return rs
}
