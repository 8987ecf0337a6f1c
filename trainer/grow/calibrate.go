package grow

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"bgtrain/data"
	"bgtrain/dataset"
	"bgtrain/features"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
	"bgtrain/internal/parallel"
	"bgtrain/internal/player"
	"bgtrain/internal/setting"
	"bgtrain/rollout"
	"bgtrain/rollout/selfplay"
	"bgtrain/trainer"
	"bgtrain/trainer/fit"
	"bgtrain/trainer/td"
)

// shape is what a player's contact net is like, as its speed goes.
type shape struct {
	inputs, activation string
	hidden             string // as --hidden has it
}

// pruning is the shape of pruning nets.
var pruning = shape{inputs: "gnubg-prune", activation: "sigmoid", hidden: "16"}

// shapeOf returns the shape of a player.
func shapeOf(set *nets.Set) shape {
	e := set.Nets[nets.Contact]
	var hidden []string
	for _, l := range e.Net.Layers[:len(e.Net.Layers)-1] {
		hidden = append(hidden, strconv.Itoa(l.Out))
	}
	return shape{e.Inputs, e.Net.Layers[0].Activation.String(), strings.Join(hidden, ",")}
}

// trained returns the shape that a training gives a player.
func (s shape) trained(t *trainer.Settings) shape {
	if len(t.Nets) > 0 && !slices.Contains(t.Nets, string(nets.Contact)) {
		return s
	}
	l := t.List()
	for name, to := range map[string]*string{"inputs": &s.inputs, "hidden": &s.hidden} {
		if text := valueText(l.Lookup(name)); text != "" {
			*to = text
		}
	}
	if t.Random {
		s.activation = t.Activation
	}
	return s
}

// shapeOf returns the shape that the nets of a role begin with.
func (r *Recipe) shapeOf(role nets.Role) shape {
	n := r.startNet(role)
	return shape{n.Inputs, n.Activation, valueText(n.list().Lookup("hidden"))}
}

// rates are seconds of this machine for a unit of Stage.Work. Each is measured once, when it
// is first asked for.
type rates struct {
	g       *grower
	known   *player.Player   // by the embedded net td
	found   []selfplay.Found // contact positions of its games
	db      *bearoff.DB
	seconds map[string]float64

	plies  int               // of games that were looked through
	themes [bg.NumThemes]int // and the positions of each theme in them
}

// calibrateFor is how long each rate is measured.
const calibrateFor = 400 * time.Millisecond

// calibrate returns rates that are measured on positions of the embedded net td, which plays
// as one that has learned does.
func (g *grower) calibrate(ctx context.Context) (*rates, error) {
	known, err := data.OpenNet("td")
	if err != nil {
		return nil, err
	}
	r := &rates{g: g, seconds: map[string]float64{}}
	if r.db, err = bearoff.Open(ctx, bearoff.Options{}); err != nil {
		return nil, err
	}
	if r.known, err = player.New(known, r.db, player.Options{}); err != nil {
		return nil, err
	}
	s := selfplay.Defaults
	s.Workers = g.o.Workers
	s.Quota[bg.Contact] = 3000
	r.found, _, err = selfplay.Generate(ctx, r.known, s, selfplay.Hooks{})
	return r, err
}

// of returns the seconds of a unit of a stage's work: games, positions, plies of followed
// trials with variance reduction, and rows learned from.
func (r *rates) of(ctx context.Context, s *Stage) (float64, error) {
	key, measure, times := "", r.timePlies, 1.0
	switch s.Kind {
	case KindTD:
		key, measure = "games", r.timeGames
	case KindValues:
		key, measure = fmt.Sprint("values ", s.shape), r.timeValues
	case KindRenew: // both players' values
		key, measure, times = fmt.Sprint("values ", s.shape), r.timeValues, 2
	case KindPositions:
		key, measure = "positions", r.timePositions
		if s.theme != nil {
			var err error
			if times, err = r.pliesTo(ctx, *s.theme); err != nil {
				return 0, fmt.Errorf("calibrate %s of %v: %w", s.Kind, s.theme, err)
			}
			key, measure = fmt.Sprint("plays ", s.shape), r.timePlays
		}
	case KindTrain, KindPrune:
		t := s.training
		key, measure = fmt.Sprint("rows ", s.learner, t.Optimizer, t.Batch, t.Precision), r.timeSteps
	case KindLabels, KindDecisions, KindMeasure, KindGames, KindCube:
		key = fmt.Sprint("plies ", s.shape, s.picks)
	default:
		return 0, nil
	}
	if seconds, ok := r.seconds[key]; ok {
		return times * seconds, nil
	}
	work, err := measure(ctx, s)
	seconds := 0.0
	if err == nil {
		seconds, err = r.g.perUnit(work)
	}
	if err != nil {
		return 0, fmt.Errorf("calibrate %s: %w", s.Kind, err)
	}
	r.seconds[key] = seconds
	return times * seconds, nil
}

// perUnit returns the seconds of a unit of work, which describes how many it did: those of
// a machine that does nothing else, by the time of the processors, where that is known.
func (g *grower) perUnit(work func() (int, error)) (float64, error) {
	begun, processor, units := time.Now(), processorTime(), 0
	for time.Since(begun) < calibrateFor {
		n, err := work()
		if err != nil {
			return 0, err
		}
		units += n
	}
	took := time.Since(begun)
	if alone := (processorTime() - processor) / time.Duration(parallel.Workers(g.o.Workers)); alone > 0 {
		took = min(took, alone)
	}
	return took.Seconds() / float64(max(units, 1)), nil
}

// player returns one of random weights with main nets of a shape.
func (r *rates) player(of shape) (*player.Player, error) {
	set := &nets.Set{Nets: map[nets.Role]*nets.Entry{}}
	for _, role := range nets.Main {
		e, err := r.random(of, role)
		if err != nil {
			return nil, err
		}
		set.Nets[role] = e
	}
	return player.New(set, r.db, player.Options{})
}

// evaluators returns those of such a player, one a worker.
func (r *rates) evaluators(of shape) ([]*player.Evaluator, error) {
	p, err := r.player(of)
	if err != nil {
		return nil, err
	}
	all := make([]*player.Evaluator, parallel.Workers(r.g.o.Workers))
	for w := range all {
		all[w] = p.NewEvaluator()
	}
	return all, nil
}

// random returns a net for a role, of random weights but with as many active units as one that has learned;
// the race net has the class's inputs.
func (r *rates) random(s shape, role nets.Role) (*nets.Entry, error) {
	act, err := nn.ParseActivation(s.activation)
	if err != nil {
		return nil, err
	}
	start := nets.Start{Seed: 1, Inputs: s.inputs, Activation: act, Used: 70}
	if role == nets.Race {
		start.Inputs = ""
	}
	l := setting.List{{Name: "hidden", To: &start.Hidden}}
	if err := l.Set("hidden", s.hidden); err != nil {
		return nil, err
	}
	e, err := start.Random(role)
	if err != nil || role == nets.Race {
		return e, err
	}
	set, err := features.Lookup(e.Inputs, e.InputsVersion)
	if err != nil {
		return nil, err
	}
	const some, active = 100, 0.2
	return e, nets.Quiet(e.Net, nets.Rows{N: some, Input: func(row int, x []float32) error {
		b, err := r.found[row].Key.Board()
		if err == nil {
			set.Encode(&b, x)
		}
		return err
	}}, active)
}

// timePositions returns work that generates positions. What a net takes is the least of it.
func (r *rates) timePositions(ctx context.Context, _ *Stage) (func() (int, error), error) {
	settings := selfplay.Defaults
	settings.Workers = r.g.o.Workers
	settings.Quota[bg.Contact] = 3000
	return func() (int, error) {
		settings.Seed++
		found, _, err := selfplay.Generate(ctx, r.known, settings, selfplay.Hooks{})
		return len(found), err
	}, nil
}

// timeValues returns work that evaluates positions at 0-ply.
func (r *rates) timeValues(ctx context.Context, s *Stage) (func() (int, error), error) {
	evaluators, err := r.evaluators(s.shape)
	if err != nil {
		return nil, err
	}
	boards := make([]bg.Board, len(r.found))
	for i := range boards {
		if boards[i], err = r.found[i].Key.Board(); err != nil {
			return nil, err
		}
	}
	return func() (int, error) {
		return len(boards) * len(evaluators), parallel.For(ctx, len(evaluators), len(evaluators), func(w, _ int) error {
			evaluators[w].EvaluateBatch(boards, make([]bg.Outputs, len(boards)))
			return nil
		})
	}, nil
}

// timePlays returns work that chooses plays, as games do that are looked through for positions of a theme.
func (r *rates) timePlays(ctx context.Context, s *Stage) (func() (int, error), error) {
	evaluators, err := r.evaluators(s.shape)
	if err != nil {
		return nil, err
	}
	next := 0
	return func() (int, error) {
		const some = 200
		first := next
		next += some
		return some, parallel.For(ctx, len(evaluators), some, func(w, i int) error {
			b, err := r.found[(first+i)%len(r.found)].Key.Board()
			roll := &bg.Rolls[(first+i)%len(bg.Rolls)]
			evaluators[w].BestPlay(&b, roll.Hi, roll.Lo, 0)
			return err
		})
	}, nil
}

// pliesTo returns after how many plies games come to a position of a theme, about: by those of the embedded net.
func (r *rates) pliesTo(ctx context.Context, theme bg.Theme) (float64, error) {
	if r.plies == 0 {
		const enough = 20_000
		s := selfplay.Defaults
		s.Workers, s.Density = r.g.o.Workers, 1
		for class := bg.Bearoff; class <= bg.Contact; class++ {
			s.Quota[class] = enough
		}
		ctx, stop := context.WithCancelCause(ctx)
		defer stop(nil)
		_, report, err := selfplay.Generate(ctx, r.known, s, selfplay.Hooks{Exclude: func(k bg.Key) bool {
			if b, err := k.Board(); err == nil {
				t, _ := bg.ThemeOf(&b)
				r.themes[t]++
			}
			return false
		}, Progress: func(done, _ int) {
			if done >= enough {
				stop(errEnough)
			}
		}})
		if err != nil && !errors.Is(context.Cause(ctx), errEnough) {
			return 0, err
		}
		for _, n := range report.Seen {
			r.plies += n
		}
	}
	return float64(r.plies) / float64(max(r.themes[theme], 1)), nil
}

// timePlies returns work that follows trials whose luck pruning nets help to measure.
func (r *rates) timePlies(ctx context.Context, s *Stage) (func() (int, error), error) {
	p, err := r.player(s.shape)
	if err != nil {
		return nil, err
	}
	o := rollout.DefaultOptions()
	o.Picks = s.picks
	if o.Small, err = r.player(pruning); err != nil {
		return nil, err
	}
	e, err := rollout.NewEngine(p, o)
	if err != nil {
		return nil, err
	}
	work := make([]func(context.Context, []dataset.Row) ([]dataset.Row, error), parallel.Workers(r.g.o.Workers))
	next := 0
	return func() (int, error) {
		const some = 40
		first := next
		next += some
		err := parallel.For(ctx, len(work), some, func(w, i int) error {
			if work[w] == nil {
				work[w] = e.NewFollow(0.7, false)
			}
			_, err := work[w](ctx, []dataset.Row{{Key: r.found[(first+i)%len(r.found)].Key}})
			return err
		})
		return some * o.Truncate, err
	}, nil
}

// timeGames returns work that plays TD games.
func (r *rates) timeGames(ctx context.Context, _ *Stage) (func() (int, error), error) {
	known, err := data.OpenNet("td")
	if err != nil {
		return nil, err
	}
	s := td.Defaults()
	s.Workers, s.Games = r.g.o.Workers, 1
	st, err := td.From(known, s)
	return func() (int, error) {
		const some = 64
		s.Games += some
		return some, td.Run(ctx, st, r.db, s, nil)
	}, err
}

// timeSteps returns work that learns from positions.
func (r *rates) timeSteps(ctx context.Context, stage *Stage) (func() (int, error), error) {
	e, err := r.random(stage.learner, nets.Contact)
	if err != nil {
		return nil, err
	}
	set, err := features.Lookup(e.Inputs, e.InputsVersion)
	s := stage.training.Settings
	s.Epochs, s.Workers, s.Monitor, s.Validation = 1, r.g.o.Workers, "last", 0
	s.Adapt()
	rows := (1 + 8000/s.Batch) * s.Batch // whole batches
	return func() (int, error) {
		data := fit.NewData(0, s.ByDecision())
		for i := range rows {
			if err := data.Add(fit.Example{Key: r.found[i%len(r.found)].Key, Target: bg.Outputs{0.5, 0.1, 0, 0.1, 0},
				Weight: 1}); err != nil {
				return 0, err
			}
		}
		_, _, err := fit.Run(ctx, e.Net, set, data, s, fit.Hooks{})
		return rows, err
	}, err
}
