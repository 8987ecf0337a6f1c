package grow

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
	"bgtrain/internal/setting"
	"bgtrain/rollout"
	"bgtrain/rollout/selfplay"
	"bgtrain/trainer"
	"bgtrain/trainer/cubelife"
	"bgtrain/trainer/td"
)

// Recipe describes how a player is grown. Parse reads one.
type Recipe struct {
	Name    string // for messages and pictures
	Seed    uint64
	Teacher string // net whose values and plays label the positions; "": the newest player's own
	Steer   bool   // measurements change the settings of later rounds
	Rules   Rules  // how

	Nets   map[nets.Role]Net // of random weights, by main role
	From   string            // net to start from instead of TD games
	Start  td.Settings       // the TD games; but for what Nets says
	Prune  Prune
	Rounds []RoundSpec
	Stop   Stop
	Cube   Cube

	Measure Measure
}

// Net describes what a net of random weights is like.
type Net struct {
	Inputs     string // input set; "gnubg" or "": that of the role's class
	Hidden     []int
	Activation string
}

// list says the settings as td's list does.
func (n *Net) list() setting.List {
	s := td.Defaults()
	l := pick(s.List(), "inputs", "hidden", "activation")
	l[0].To, l[1].To, l[2].To = &n.Inputs, &n.Hidden, &n.Activation
	return l
}

// Prune describes how the pruning nets of each round are trained: on the player's 0-ply values of
// positions of its games, and on the labels of the round before.
type Prune struct {
	Positions int // 0: no pruning nets, but those that the net to start from has
	Training  trainer.Settings
}

func (p *Prune) list() setting.List {
	return append(setting.List{{Name: "n", To: &p.Positions, Range: setting.From(0, most),
		Help: "positions, valued anew, that the pruning nets learn from beside the labels of the round before; " +
			"0: no pruning nets"}},
		trainingList(&p.Training).Without("inputs", "hidden", "revive", "mix")...)
}

// Stop says when to end before the rounds do.
type Stop struct {
	Hours   float64 // no round begins that would end later; 0: no limit
	MinGain float64 // points a game won over the round before, in an hour; less, twice, ends; 0: no limit
}

func (s *Stop) list() setting.List {
	return setting.List{
		{Name: "hours", To: &s.Hours, Range: setting.From(0, 1e4),
			Help: "hours after which no round begins; 0: no limit"},
		{Name: "min-gain", To: &s.MinGain, Range: setting.From(0, 10),
			Help: "points a game gained in an hour; two rounds with less are the last ones; 0: no limit"},
	}
}

// Measure describes how much is spent on measuring a round's player.
type Measure struct {
	Positions      int // that two labels each are made of
	Trials         int // whole trials a theme
	Decisions      int // that error rates are of; 0: none
	DecisionTrials int // rollout trials a candidate
	Every          int // rounds between new decisions
	Games          int // against the round before, and against each other opponent
}

func (m *Measure) list() setting.List {
	return setting.List{
		{Name: "positions", To: &m.Positions, Range: setting.From(20, most),
			Help: "positions, new and learned from, that get two labels each"},
		{Name: "trials", To: &m.Trials, Range: setting.From(0, most), Help: "whole trials of each theme"},
		{Name: "decisions", To: &m.Decisions, Range: setting.From(0, most),
			Help: "decisions of full games that no net learns from"},
		{Name: "decision-trials", To: &m.DecisionTrials, Range: setting.From(2, 1<<20),
			Help: "rollout trials of each of their candidates"},
		{Name: "every", To: &m.Every, Range: setting.From(1, 1000), Help: "rounds between new decisions"},
		{Name: "games", To: &m.Games, Range: setting.From(2, most), Help: "games against the round before"},
	}
}

// RoundSpec is a round, or several alike, as a recipe has it: what changes from the
// round before.
type RoundSpec struct {
	Repeat int // rounds; 0: until Stop says so, in the last one only
	Growth float64
	set    []assignment
}

func (s *RoundSpec) list() setting.List {
	return setting.List{
		{Name: "repeat", To: &s.Repeat, Range: setting.From(0, 10000), Help: "so many rounds; 0: until stop ends them"},
		{Name: "growth", To: &s.Growth, Range: setting.From(0.01, 100),
			Help: "each repeated round has so many times the positions of the one before"},
	}
}

// Round is the settings of one round.
type Round struct {
	Positions Positions
	Labels    Labels
	Training  Training
	Races     Training // of the race net, where races are labeled apart
}

// Positions states which positions trials begin at.
type Positions struct {
	selfplay.Settings // but for quota, seed and workers
	N                 int
	Shares            selfplay.Shares
	Themes            ThemeShares
}

func (p *Positions) list() setting.List {
	return append(setting.List{
		{Name: "n", To: &p.N, Range: setting.From(1, most), Help: "positions that trials begin at"},
		{Name: "share", To: &p.Shares, Help: "shares of the classes contact, crashed, race, bearoff"},
		{Name: "themes", To: &p.Themes, Help: "more positions of a theme, as a part of n"},
	}, p.Settings.List().Without("seed", "workers")...)
}

// settings returns what selfplay is asked for: n positions by the shares of the
// classes.
func (p *Positions) settings(n int, seed uint64, workers int) selfplay.Settings {
	s := p.Settings
	s.Seed, s.Workers = seed, workers
	s.SetQuota(n, p.Shares)
	return s
}

// check reports values that make no sense.
func (p *Positions) check() error {
	if p.Select.Differ {
		return fmt.Errorf("select %s: there are no rivals to differ from", &p.Select)
	}
	s := p.settings(p.N, 1, 0)
	return s.Check()
}

// ThemeShares are how many more positions of each theme there are, as parts of all. As
// text they are "back game=0.05,containment=0.02".
type ThemeShares [bg.NumThemes]float64

// String returns the text that Set reads.
func (s *ThemeShares) String() string {
	var words []string
	for t, share := range s {
		if share > 0 {
			words = append(words, bg.Theme(t).String()+"="+strconv.FormatFloat(share, 'g', -1, 64))
		}
	}
	return strings.Join(words, ",")
}

// Set reads shares.
func (s *ThemeShares) Set(text string) error {
	var shares ThemeShares
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' }) {
		name, number, _ := strings.Cut(word, "=")
		t, err := bg.ParseTheme(name)
		if err != nil {
			return err
		}
		if shares[t], err = strconv.ParseFloat(number, 64); err != nil || !(shares[t] >= 0 && shares[t] <= 100) {
			return fmt.Errorf("%s: a share such as 0.05 expected", word)
		}
	}
	*s = shares
	return nil
}

// Labels describes how trials are followed, see rollout.Engine.NewFollow.
type Labels struct {
	rollout.Options
	Lambda      float64
	Own         bool      // by the newest player, though there is a teacher
	Values      bool      // no trials: what the teacher, or else the player, says by look-ahead
	Mean        int       // players whose mean says it where there is no teacher, the newest and those before it
	Whole       int       // whole trials of each of WholeThemes, with λ = 1
	WholeThemes bg.Themes // that the net's values are biased on
}

func (l *Labels) list() setting.List {
	return append(pick(l.Options.List("position", "the dice"), "truncate", "picks", "ply", "deep-plies", "leaf-ply"),
		setting.List{
			{Name: "lambda", To: &l.Lambda, Range: setting.From(0, 1),
				Help: "1 counts all that a trial finds, less mixes in the net's values on its way"},
			{Name: "own", To: &l.Own, Help: "by the newest player, where the recipe names a teacher too"},
			{Name: "values", To: &l.Values,
				Help: "no trials: the positions themselves, valued by the teacher, or else the player, at ply"},
			{Name: "mean", To: &l.Mean, Range: setting.From(1, 16),
				Help: "players whose mean these values are, without a teacher: the newest and those before it"},
			{Name: "whole", To: &l.Whole, Range: setting.From(0, most),
				Help: "trials played to the end, with lambda 1, of each of whole-themes"},
			{Name: "whole-themes", To: &l.WholeThemes, Help: "themes of such trials"},
		}...)
}

// Training describes how a round trains the nets.
type Training struct {
	trainer.Settings
	Rows  int
	Renew int // times that the round trains, labels anew before each; 0: once, labels as they are
}

func (t *Training) list() setting.List {
	l := append(setting.List{{Name: "rows", To: &t.Rows, Range: setting.From(0, 10000),
		Help: "rounds whose labels are learned from, this one and those of its kind before it, trials or values; " +
			"0: all, of both"},
		{Name: "renew", To: &t.Renew, Range: setting.From(0, 20), Help: "trainings of a round, each with labels " +
			"anew by the newest player's values; 0: one, with labels as they are"}}, trainingList(&t.Settings)...)
	return append(l, pick(t.Settings.List(), "random")...)
}

// trainingList is the settings of a training that a recipe may have: those of train
// but what follows from the recipe.
func trainingList(s *trainer.Settings) setting.List {
	return s.List().Without("nets", "random", "monitor", "patience", "score-every", "seed", "workers",
		"checkpoint-every", "weight-trials")
}

// most is the largest number of anything.
const most = 1 << 30

// pick returns the settings of these names, in their order.
func pick(l setting.List, names ...string) (out setting.List) {
	for _, name := range names {
		out = append(out, *l.Lookup(name))
	}
	return out
}

// sections are the parts of a round by the names that recipes have for them.
func (r *Round) sections() map[string]setting.List {
	return map[string]setting.List{"positions": r.Positions.list(), "labels": r.Labels.list(),
		"training": r.Training.list(), "races": r.Races.list()}
}

// sectionNames are the names of sections in their order.
var sectionNames = []string{"positions", "labels", "training", "races"}

// check reports settings of a section that make no sense one by one.
func (r *Round) check(section string) error {
	if section == "positions" {
		return r.Positions.check()
	}
	return nil
}

// newRound returns the settings of a first round that has nothing.
func newRound() Round {
	t, p := trainer.Defaults(), selfplay.Defaults
	t.Epochs, t.Rate = 6, 0.003
	races := t
	races.Batch = 256
	p.Select.Candidates, p.Margin, p.Diversity = true, 0.12, 0.3
	return Round{
		Positions: Positions{Settings: p, N: 150_000,
			Shares: selfplay.Shares{bg.Contact: 0.75, bg.Crashed: 0.2, bg.Race: 0.05}},
		Labels:   Labels{Options: rollout.DefaultOptions(), Lambda: 0.7, Mean: 1, Whole: 1000},
		Training: Training{Settings: t, Rows: 3},
		Races:    Training{Settings: races, Rows: 6},
	}
}

// clone returns a copy that shares nothing that assignments change.
func (r *Round) clone() Round {
	c := *r
	c.Positions.Shares = maps.Clone(r.Positions.Shares)
	for _, t := range []*Training{&c.Training, &c.Races} {
		t.Hidden, t.Mix, t.OutputWeights = slices.Clone(t.Hidden), slices.Clone(t.Mix), slices.Clone(t.OutputWeights)
	}
	return c
}

// newRecipe returns what a recipe that has nothing means.
func newRecipe(name string) *Recipe {
	r := &Recipe{Name: name, Seed: 1, Steer: true, Rules: defaultRules(), Nets: map[nets.Role]Net{}, Start: td.Defaults()}
	r.Start.Games, r.Start.Hidden, r.Start.Activation = 120_000, []int{384, 48}, "relu"
	r.Start.MaxPlies = 150 // random weights play thousands
	r.Prune = Prune{Positions: 40_000, Training: trainer.Defaults()}
	r.Prune.Training.Epochs, r.Prune.Training.Batch = 6, 32
	r.Cube.Training = cubelife.Defaults
	r.Measure = Measure{Positions: 2000, Trials: 100, Decisions: 200, DecisionTrials: 36, Every: 4, Games: 1000}
	return r
}

// startNet returns what the net of a role is like before the first game.
func (r *Recipe) startNet(role nets.Role) Net {
	if n, ok := r.Nets[role]; ok {
		return n
	}
	return Net{r.Start.Inputs, r.Start.Hidden, r.Start.Activation}
}

// alike reports whether the main nets of random weights are alike, as td makes them.
func (r *Recipe) alike() bool { return len(r.Nets) == 0 }

// startSettings returns the settings of the TD games for the net of a role.
func (r *Recipe) startSettings(role nets.Role) td.Settings {
	s, n := r.Start, r.startNet(role)
	s.Inputs, s.Hidden, s.Activation, s.Seed = n.Inputs, n.Hidden, n.Activation, r.Seed
	return s
}

// startSet returns the nets of random weights where the roles' are not alike.
func (r *Recipe) startSet() (*nets.Set, error) {
	set := &nets.Set{Nets: map[nets.Role]*nets.Entry{}}
	for _, role := range nets.Main {
		n := r.startNet(role)
		act, err := nn.ParseActivation(n.Activation)
		if err != nil {
			return nil, err
		}
		s := nets.Start{Seed: r.Seed, Inputs: n.Inputs, Hidden: n.Hidden, Activation: act, Init: r.Start.Init, Used: 70}
		if set.Nets[role], err = s.Random(role); err != nil {
			return nil, err
		}
	}
	return set, nil
}
